"""Native code for every figure: a figure is compiled, via its plan, to a program that the machine runs.

An opcode is a function over lanes (`opcodes`), a program is rows of opcodes and registers (`program`).  Configurations
have two forms.  Packed into words, 256 of them take a straight line of rows together (`assemble`, `machine`,
`figure_programs`, `packed`), which is for exploring.  In arrays, one of any number of words takes rows that branch
(`arrays`, `branching`), which is for training, parsing and sampling.  `meaning` defines what conditions mean, once for
both.
"""
