"""How invariants are found.  Nothing here has to be believed."""
