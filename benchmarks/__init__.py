"""Benchmarks: our explorer beside SPIN, TLC and plain Python, on the same systems, in one run."""
