"""What is checked for every figure, whatever it claims: one file per check."""
