"""Native code for every figure: a figure is compiled, via its plan, to a program that the machine runs.

An opcode is a function over lanes (`opcodes`), a program is rows of opcodes and registers (`program`).  Configurations
have two forms.  Packed into words, 256 of them go through straight-line rows together (`assemble`, `machine`,
`figure_programs`, `packed`); this is for exploring.  In arrays, a single one, for a sentence of any length, goes
through rows that branch (`arrays`, `branching`); this is for training, parsing and sampling.  `meaning` defines what
conditions mean, once for both.
"""
