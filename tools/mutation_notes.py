"""`python -m tools.mutation_notes SYSTEM...`: the table and the sections of proofs_notes/mutation.md."""

import re
import sys
from collections.abc import Iterable
from textwrap import wrap

from arcproof.properties.studies.mutation import BUCKETS, Judged, MutationReport, mutate
from arcproof.reports.findings import counterexample_lines
from arcproof.reports.mutation import counts_text, percent, remarks, score_text, sentence
from arcproof.transitions.printing.escape import for_markdown
from arcproof.transitions.system import load

WORDS = 5


def section(report: MutationReport) -> str:
    """Return every mutant that is a figure and was not killed, with its witness."""
    lines = [f"## {for_markdown(report.system.name)}", ""]
    lines += [f"Up to {report.words} words: {score_text(report)}; {counts_text(report)}."]
    lines += [f"\n{for_markdown(remark)}." for remark in remarks(report)]
    for bucket in ("alternative", "undecided", "equivalent"):
        judged = report.of(bucket)
        lines += ["", f"### {bucket.capitalize()}", ""] if judged else []
        lines += [line for one in judged for line in _item(one)]
    return "\n".join([*lines, "", f"Specification sha256 `{report.system.sha256}`."]) + "\n"


def table(reports: Iterable[MutationReport]) -> list[str]:
    """Return the lines of a table of the scores, with one row per system."""
    lines = [f"| system | words | mutants | {' | '.join(BUCKETS)} | score |", "|---" * (len(BUCKETS) + 4) + "|"]
    for report in reports:
        counts = " | ".join(str(count) for count in report.counts.values())
        score = "none" if report.score is None else percent(report.score)
        lines.append(f"| {for_markdown(report.system.name)} | {report.words} | {report.total} | {counts} | {score} |")
    return lines


def _item(judged: Judged) -> list[str]:
    change = f"{for_markdown(judged.mutant.operator)}: {for_markdown(judged.mutant.description)}"
    lines = wrapped_item(f"{judged.number}, {change}: {for_markdown(sentence(judged))}.")
    if judged.witness is not None:
        lines += ["", *(f"      {line}" for line in counterexample_lines(judged.witness)), ""]
    return lines


def wrapped_item(text: str) -> list[str]:
    """Return an item of a list, in lines within 120 columns, none of which begins like an item of its own."""
    first, *others = wrap(text, 116, break_long_words=False, break_on_hyphens=False)
    marked = [re.sub(r"^(\d*)([-+*#>=|.)])", r"\1\\\2", line) for line in others]
    return [f"- {first}", *(f"  {line}" for line in marked)]


if __name__ == "__main__":
    found = [mutate(load(name), words=WORDS) for name in sys.argv[1:]]
    print("\n".join([*table(found), *(f"\n{section(report)}" for report in found)]), end="")
