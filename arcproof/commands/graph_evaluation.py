"""`arcproof evaluate --graphs`: scores of graphs in which a word may have several heads."""

from dataclasses import astuple
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import write_json
from arcproof.commands.results import GraphEvaluation

if TYPE_CHECKING:
    from arcproof.classifiers.graph_scores import GraphScores
    from arcproof.classifiers.scores import Retrieval
    from arcproof.documents.evaluate_graphs import GraphDifferenceJson, GraphEvaluationJson
    from arcproof.generators.treebank import Sentence


def scored(gold: str, sentences: "list[Sentence]", parsed: "list[tuple[str, list[Sentence]]]") -> GraphEvaluation:
    """Score each file, and compare it with the first."""
    from arcproof.classifiers.graph_scores import evaluate_graphs

    results = [(path, evaluate_graphs(sentences, [one.graph for one in other])) for path, other in parsed]
    return GraphEvaluation(gold, tuple(results), tuple(_differences([scores for _, scores in results])))


def document_of(found: GraphEvaluation) -> "GraphEvaluationJson":
    """Return the JSON document."""
    from arcproof.documents.evaluate_graphs import document

    return document(
        found.gold, [(*result, other) for result, other in zip(found.results, found.differences, strict=True)]
    )


def print_scores(found: GraphEvaluation, details: bool, json_file: str | None) -> None:
    """Print the result as a table, write it as JSON, or both."""
    if json_file is not None:
        write_json(document_of(found), json_file)
    if json_file != "-":
        _print(list(found.results), list(found.differences), details)


def _differences(results: "list[GraphScores]") -> "list[GraphDifferenceJson | None]":
    """Compare each file but the first with the first."""
    from arcproof.classifiers.graph_scores import randomisation_of_f
    from arcproof.classifiers.scores import holm, mcnemar
    from arcproof.documents.evaluate_graphs import GraphDifferenceJson

    base, *others = results
    arcs = holm([mcnemar(scores.found_arcs, base.found_arcs).p for scores in others])
    whole = holm([mcnemar(scores.right_sentences, base.right_sentences).p for scores in others])
    found: list[GraphDifferenceJson | None] = [None]
    for scores, p, q in zip(others, arcs, whole, strict=True):
        found.append(GraphDifferenceJson(p, q, randomisation_of_f(scores.by_sentence, base.by_sentence)))
    return found


def _print(
    results: "list[tuple[str, GraphScores]]", differences: "list[GraphDifferenceJson | None]", details: bool
) -> None:
    from arcproof.classifiers.scores import mark
    from arcproof.transitions.printing.escape import for_terminal
    from arcproof.transitions.printing.source import aligned
    from arcproof.transitions.printing.wording import counted

    titles = ["file", "LP", "LR", "LF", "UP", "UR", "UF", "exact", "p (gold arcs, sentences, randomised)"]
    rows = [titles]
    for (path, scores), difference in zip(results, differences, strict=True):
        shown = "-" if difference is None else ", ".join(f"{p:.3g}{mark(p)}" for p in astuple(difference))
        rows.append(
            [
                for_terminal(path),
                *_three(scores.labelled),
                *_three(scores.unlabelled),
                f"{100 * scores.exact:.2f}",
                shown,
            ]
        )
    first = results[0][1]
    click.echo(
        f"{counted(first.labelled.gold, 'gold arc')} of {counted(first.sentences, 'sentence')}, arcs from 0 counted"
    )
    click.echo("\n".join(aligned(rows, "  ")))
    if details:
        for path, scores in results:
            click.echo(for_terminal(path))
            table = [["", "gold", "predicted", "precision", "recall", "F"]]
            for kind in (dict(sorted(scores.by_length.items())), dict(sorted(scores.by_label.items()))):
                table += [[for_terminal(name), str(f.gold), str(f.predicted), *_three(f)] for name, f in kind.items()]
            click.echo("\n".join(aligned(table, "  ")))


def _three(found: "Retrieval") -> list[str]:
    values = (found.precision, found.recall, found.f)
    return ["-" if value is None else f"{100 * value:.2f}" for value in values]
