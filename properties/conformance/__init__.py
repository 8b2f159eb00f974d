"""Programs checked against figures: what a driver is, lockstep of figure and driver, divergences, logs of
transitions.
"""
