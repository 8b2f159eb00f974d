"""Benchmarks: our explorer against SPIN, TLC and plain Python, on the same systems, in one run."""
