"""How invariants are found.  Nothing here needs to be trusted."""
