"""Exploring with the machine: how a configuration is packed, and the algorithms on packed configurations.

`layout` says how a configuration is packed.  `explorer` visits every configuration; `paths`
has the algorithms on the steps between them. Where a measure grows in every transition (`ranking`), `counting` counts
without keeping; where all runs to a configuration have the same length (`grading`), only the last frontier needs to be
looked up. The reference meaning is `transitions.execute`; the tests compare the two configuration by configuration.
"""
