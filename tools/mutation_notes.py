"""`python -m tools.mutation_notes SYSTEM...`: the table of proofs_notes/mutation.md."""

import sys
from collections.abc import Iterable

from arcproof.properties.studies.mutation import BUCKETS, MutationReport, mutate
from arcproof.reports.mutation import percent
from arcproof.transitions.system import load
from tools.site.markdown import for_markdown

WORDS = 5


def table(reports: Iterable[MutationReport]) -> list[str]:
    """Return the lines of a table of the scores, with one row per system."""
    lines = [f"| system | words | mutants | {' | '.join(BUCKETS)} | score |", "|---" * (len(BUCKETS) + 4) + "|"]
    for report in reports:
        counts = " | ".join(str(count) for count in report.counts.values())
        score = "none" if report.score is None else percent(report.score)
        lines.append(f"| {for_markdown(report.system.name)} | {report.words} | {report.total} | {counts} | {score} |")
    return lines


if __name__ == "__main__":
    print("\n".join(table(mutate(load(name), words=WORDS) for name in sys.argv[1:])))
