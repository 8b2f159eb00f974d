"""Programs of every figure for the machine, which `arcproof.native` is: a figure becomes rows, via its plan.

A program is rows of opcodes and registers (`opcodes`, `program`).  Configurations have two forms.  Packed into words,
128 of them go through straight-line rows together (`assemble`, `figure_programs`, `packed`); this is for exploring.  In
arrays, a single one, for a sentence of any length, goes through rows that branch (`arrays`); this is for training,
parsing and sampling.  `meaning` defines what conditions mean, once for both.
"""
