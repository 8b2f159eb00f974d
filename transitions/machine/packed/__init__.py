"""The compiled meaning of a figure: packed configurations and native code made from the syntax tree by numba.

`layout` says how a configuration is packed, `emit` writes the code of one figure, `kernel` is the code all figures share,
`module` compiles and keeps it, `table` and `paths` are the algorithms on packed configurations, `explorer` visits every configuration, and `follow_oracle` runs
oracles over ranges of graphs.  The reference meaning is `transitions.execute`; the tests compare the two configuration by configuration.
"""
