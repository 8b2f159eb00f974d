"""How to pass a graph to a command, so that a finding can be replayed."""

from arcproof.transitions.graph import Graph, format_arcs, format_heads


def graph_options(graph: Graph) -> list[str]:
    """Return `--heads 2,0,2` or, for a graph that cannot be written as a list of heads, `--arcs '0>1 1>2 3>2'`.

    Heads are followed by their labels if they have any, arcs by the number of words if the last word has no arc.
    """
    heads = graph.heads_or_none
    if heads is not None:
        labels = {arc.dependent: arc.label for arc in graph.arcs if arc.label is not None}
        given = ["--labels", ",".join(labels.get(word, "_") for word in range(1, graph.words + 1))] if labels else []
        return ["--heads", format_heads(heads), *given]
    greatest = max(max(arc.head, arc.dependent) for arc in graph.arcs)
    words = [] if greatest == graph.words else ["--words", str(graph.words)]
    return ["--arcs", format_arcs(graph), *words]
