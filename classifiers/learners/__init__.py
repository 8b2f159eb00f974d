"""Learners: how scores are learned from instances."""
