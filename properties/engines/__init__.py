"""The engines: all configurations up to n words, random runs and graphs beyond, the search for a derivation."""
