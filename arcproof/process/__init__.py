"""What concerns the process and the machine, not the figures: the cache folder, kept machine code, Ctrl-C and time limits, parallel calls."""
