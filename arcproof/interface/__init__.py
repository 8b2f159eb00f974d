"""The Python interface: a function for each command, and how results are shown.

A function has the name, the defaults and the messages of its command: it validates values with the options of the
command (`arguments.py`), and calls what the command calls (`arcproof/commands`).  It prints nothing, returns a result,
and raises `ArcproofError` where the command would end with code 2.  `views` says how each kind of result is shown.
"""
