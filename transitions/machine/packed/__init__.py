"""Exploring with the machine: how a configuration is packed, and the algorithms on packed configurations.

`layout` says how a configuration is packed, `table` and `paths` are the algorithms on packed configurations, and `explorer` visits every configuration.
The reference meaning is `transitions.execute`; the tests compare the two configuration by configuration.
"""
