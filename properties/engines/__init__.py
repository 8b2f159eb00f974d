"""The engines: all configurations up to n words, random runs and graphs beyond that, and the search for a
derivation.
"""
