"""A system as a model for another checker: Promela for SPIN, TLA+ for TLC."""
