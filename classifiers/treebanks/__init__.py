"""Treebanks on board."""
