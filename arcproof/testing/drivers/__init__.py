"""Drivers for published parsers, one module per library; the library is imported when a driver is created.

A module has `DRIVERS`, its classes of drivers, each with the `figure` that it follows.  On the command line its name
stands for the driver of the figure: `arcproof conform arc-eager nltk`; `nltk:ArcEager` names the class.  The figures
that are not built in are next to their drivers.  Instead, a module may have a `WRAPPER`: a class of drivers that wraps
one of the user's classes, and says which classes it `recognises`.
"""
