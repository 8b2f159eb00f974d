"""Programs that run a figure over sentences of any length, with constant work for each transition where the figure
allows it.
"""
