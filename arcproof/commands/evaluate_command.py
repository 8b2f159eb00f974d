"""`arcproof evaluate`."""

from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import check_outputs, write_json
from arcproof.commands.command import Command
from arcproof.commands.options import json_option, skip_bad_option
from arcproof.commands.results import Evaluation, GraphEvaluation
from arcproof.commands.treebank_arguments import file_of, read_treebanks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arcproof.classifiers.scores import Retrieval, Scores
    from arcproof.documents.evaluate import DifferenceJson, EvaluationJson, Tagging
    from arcproof.generators.treebank import Sentence


@click.command("evaluate", cls=Command)
@click.argument("gold")
@click.argument("parsed", nargs=-1, required=True, metavar="PARSED...")
@click.option("--punct", is_flag=True, help="Count punctuation too.")
@click.option("--details", is_flag=True, help="Also by label and by length of the arc.")
@click.option(
    "--graphs",
    is_flag=True,
    help="Score graphs, in which a word may have several heads: those of DEPS, or of SDP-style files.",
)
@json_option
@skip_bad_option
def command(
    gold: str, parsed: tuple[str, ...], punct: bool, details: bool, graphs: bool, json_file: str | None, skip_bad: bool
) -> None:
    """Score PARSED files against the GOLD treebank; several are compared with the first.

    LAS, UAS and LA are counted as eval.pl does: a word is punctuation if all its characters are, and punctuation does
    not count without --punct. Tagging accuracy is shown where a file has other tags than the gold treebank; punctuation
    counts for it. Differences: McNemar on words and on sentences, corrected after Holm (+ is p < 0.05, ++ p < 0.01),
    and a randomisation test by sentences.

    With --graphs: precision, recall and F of the arcs, labelled (LP, LR, LF) and unlabelled (UP, UR, UF). Every arc
    counts, including those from 0 and those into punctuation. Sentences with null nodes are left out. A parser of trees
    leaves DEPS as it was, and one of graphs leaves HEAD: compare what was parsed.

    \b
    Example:
      arcproof evaluate artificial-test parsed.conllu
    """
    check_outputs([json_file], map(file_of, (gold, *parsed)))
    found = evaluated(gold, parsed, punct, graphs, skip_bad)
    if isinstance(found, GraphEvaluation):
        from arcproof.commands.graph_evaluation import print_scores

        print_scores(found, details, json_file)
        return
    if json_file is not None:
        write_json(document_of(found), json_file)
    if json_file != "-":
        _print(list(found.results), list(found.differences), list(found.tagging), found.punctuation, details)


def evaluated(
    gold: str, parsed: "Sequence[str]", punct: bool, graphs: bool, skip_bad: bool
) -> Evaluation | GraphEvaluation:
    """Score each file against the gold treebank, as trees or as graphs."""
    from arcproof.reports.progress import tracked

    if graphs and punct:
        raise click.UsageError("--punct is for trees; with --graphs, every arc counts")
    with tracked("evaluate") as progress:
        sentences = read_treebanks([gold], True, skip_bad, progress, graphs)
        others = [read_treebanks([path], True, skip_bad, progress, graphs) for path in parsed]
    if skip_bad:
        kept = set.intersection(*({sentence.number for sentence in some} for some in (sentences, *others)))
        sentences, *others = (
            [sentence for sentence in some if sentence.number in kept] for some in (sentences, *others)
        )
    if graphs:
        from arcproof.commands.graph_evaluation import scored

        for path, other in zip(parsed, others, strict=True):
            same_sentences(path, sentences, other)
        return scored(gold, sentences, list(zip(parsed, others, strict=True)))
    results = [(path, _scores(path, sentences, other, punct)) for path, other in zip(parsed, others, strict=True)]
    tagging = tuple(_tagging(sentences, other) for other in others)
    return Evaluation(gold, punct, tuple(results), tuple(_differences(results)), tagging)


def document_of(found: Evaluation) -> "EvaluationJson":
    """Return the JSON document."""
    from arcproof.documents.evaluate import document

    compared = [(*result, other) for result, other in zip(found.results, found.differences, strict=True)]
    return document(found.gold, found.punctuation, compared, found.tagging)


def same_sentences(path: str, gold: "list[Sentence]", parsed: "list[Sentence]") -> None:
    """Raise `NotTheSameSentences` if a file has other words than the gold treebank."""
    from arcproof.classifiers.scores import NotTheSameSentences
    from arcproof.transitions.printing.wording import counted

    for one, other in zip(gold, parsed, strict=False):
        for word, (token, given) in enumerate(zip(one.tokens, other.tokens, strict=False), start=1):
            if token.form != given.form:
                raise NotTheSameSentences(
                    f"{other.place(word)}: word {word} is `{given.form}`; in the gold treebank it is `{token.form}` "
                    f"({one.place(word)})"
                )
        if one.words != other.words:
            raise NotTheSameSentences(
                f"{other.place(other.words)}: it has {counted(other.words, 'word')}; in the gold treebank it has "
                f"{one.words} ({one.place(one.words)})"
            )
    if len(gold) != len(parsed):
        raise NotTheSameSentences(
            f"{path}: it has {counted(len(parsed), 'sentence')}; the gold treebank has {len(gold)}"
        )


def _scores(path: str, gold: "list[Sentence]", parsed: "list[Sentence]", punctuation: bool) -> "Scores":
    """Return the scores of a file; `NotTheSameSentences` if it has other words than the gold treebank."""
    from arcproof.classifiers.scores import evaluate

    same_sentences(path, gold, parsed)
    return evaluate(gold, [(sentence.heads, sentence.labels) for sentence in parsed], punctuation)


def _tagging(gold: "list[Sentence]", parsed: "list[Sentence]") -> "Tagging":
    """The tagging accuracy for UPOS and for XPOS."""
    from arcproof.classifiers.scores import tagging_accuracy

    upos = tagging_accuracy(gold, (sentence.tags("upos") for sentence in parsed), "upos")
    return upos, tagging_accuracy(gold, (sentence.tags("xpos") for sentence in parsed), "xpos")


def _differences(results: "list[tuple[str, Scores]]") -> "list[DifferenceJson | None]":
    """Compare each file but the first with the first."""
    from arcproof.classifiers.scores import holm, mcnemar, randomisation
    from arcproof.documents.evaluate import DifferenceJson

    base = results[0][1]
    others = [scores for _, scores in results[1:]]
    words = [mcnemar(scores.right_words, base.right_words).p for scores in others]
    whole = [mcnemar(scores.right_sentences, base.right_sentences).p for scores in others]
    found: list[DifferenceJson | None] = [None]
    for scores, p, q in zip(others, holm(words), holm(whole), strict=True):
        found.append(DifferenceJson(p, q, randomisation(scores.by_sentence, base.by_sentence)))
    return found


def _print(
    results: "list[tuple[str, Scores]]",
    differences: "list[DifferenceJson | None]",
    tagging: "list[Tagging]",
    punctuation: bool,
    details: bool,
) -> None:
    from dataclasses import astuple

    from arcproof.classifiers.scores import mark
    from arcproof.transitions.printing.escape import for_terminal
    from arcproof.transitions.printing.source import aligned
    from arcproof.transitions.printing.wording import counted

    differs = [any(tags[column] not in (None, 1.0) for tags in tagging) for column in (0, 1)]
    tagged = [name for name, is_shown in zip(("UPOS", "XPOS"), differs, strict=True) if is_shown]
    others = ["exact", "non-projective P / R", "roots P / R", "p (words, sentences, randomised)"]
    rows = [["file", "LAS", "UAS", "LA", *tagged, *others]]
    for (path, scores), difference, tags in zip(results, differences, tagging, strict=True):
        accuracies = [value for value, is_shown in zip(tags, differs, strict=True) if is_shown]
        shown = "-" if difference is None else ", ".join(f"{p:.3g}{mark(p)}" for p in astuple(difference))
        rows.append(
            [
                for_terminal(path),
                *(f"{100 * value:.2f}" for value in (scores.las, scores.uas, scores.la)),
                *("-" if value is None else f"{100 * value:.2f}" for value in accuracies),
                f"{100 * scores.exact:.2f}",
                _both(scores.nonprojective),
                _both(scores.roots),
                shown,
            ]
        )
    words, sentences = counted(results[0][1].words, "word"), counted(results[0][1].sentences, "sentence")
    scored = "is scored" if results[0][1].words == 1 else "are scored"
    click.echo(f"{words} of {sentences} {scored}" + ("" if punctuation else "; punctuation is not"))
    click.echo("\n".join(aligned(rows, "  ")))
    if details:
        for path, scores in results:
            click.echo(for_terminal(path))
            table = [["", "gold", "predicted", "precision / recall"]]
            for kind in (scores.by_length, dict(sorted(scores.by_label.items()))):
                table += [[for_terminal(name), str(f.gold), str(f.predicted), _both(f)] for name, f in kind.items()]
            click.echo("\n".join(aligned(table, "  ")))


def _both(found: "Retrieval") -> str:
    return " / ".join("-" if value is None else f"{100 * value:.1f}" for value in (found.precision, found.recall))
