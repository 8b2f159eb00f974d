"""What the search found for the built-in systems, and how it is written and read."""
