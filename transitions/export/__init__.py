"""A system as a model for somebody else's checker: Promela for SPIN, TLA+ for TLC."""
