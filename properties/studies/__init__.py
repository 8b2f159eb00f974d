"""Larger questions about whole systems: comparison, coverage of treebanks, counts, mutants, reasons."""
