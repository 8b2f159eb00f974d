"""The symbolic meaning of a figure for any n, and its comparison with the interpreter."""
