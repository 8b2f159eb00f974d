"""What concerns the process and the machine, not the figures: the cache folder, cached machine code, Ctrl-C and time
limits, parallel calls.
"""
