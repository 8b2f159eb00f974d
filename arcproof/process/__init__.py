"""The process and the machine rather than the figures: the cache folder, Ctrl-C and time limits, parallel
calls.
"""
