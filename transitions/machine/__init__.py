"""Native code for every figure: a figure becomes a program, made from its plan, and the machine runs it.

An opcode is a function over lanes (`opcodes`), a program is rows of opcodes and registers (`program`).  Configurations
have two forms.  Packed into words, 256 of them take a straight line of rows together (`assemble`, `machine`,
`figure_programs`, `packed`), which is for exploring.  In arrays, one of any number of words takes rows that branch
(`arrays`, `branching`), which is for training, parsing and sampling.  `meaning` defines what conditions mean, once for
both.
"""
