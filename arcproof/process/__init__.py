"""The process and the machine rather than the figures: the cache folder, cached machine code, Ctrl-C and time
limits, parallel calls.
"""
