"""Native code for every figure: a figure becomes a program (`assemble`, from its plan), and the machine runs it (`machine`).

An opcode is a function over lanes (`opcodes`), a program is rows of opcodes and registers (`program`), `programs` keeps those of a system.
`packed` explores with it.  `arrays` still runs long sentences by code that is generated for each figure.
"""
