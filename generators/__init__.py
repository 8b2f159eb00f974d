"""Dependency graphs to test with: their classes, complete enumerations by rank, random graphs, and Hypothesis
strategies.

`classes` tells quickly which classes a graph is in; `definitions` repeats this in the form of the papers' definitions;
`wellformed` has the well-formedness conditions of both papers.  `enumeration` numbers the graphs of a class,
`drawing` draws some word by word; `strategies` is for Hypothesis, which no other module here imports.

Graphs in which words have several heads have modules of their own: `graph_classes`, `graph_enumeration` with `layers`
(acyclic graphs) and `noncrossing` (planar ones), `graph_drawing`.  `spans` says how arcs cross, `reasons` why a graph
is outside a class.
"""
