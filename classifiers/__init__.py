"""Parsers trained on treebanks; see the changelog for what is here."""
