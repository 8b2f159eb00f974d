"""The invariants that the search found for the built-in systems, and how they are written and read."""
