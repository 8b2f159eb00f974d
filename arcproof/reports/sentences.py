"""Facts in words: what was done for a finding, why something is open, what oracles and preconditions do."""

import re
from typing import Final, assert_never

from arcproof.properties.checks.breaking import Broken
from arcproof.properties.checks.oracle_quality import OracleQuality
from arcproof.properties.checks.preconditions import Need
from arcproof.properties.deepening import NextLevel
from arcproof.properties.evidence import (
    Cases,
    CutShort,
    Evidence,
    Exhausted,
    NoAnswer,
    NoCase,
    NoOracle,
    NoProof,
    NoRunEnds,
    NoSampleEnds,
    NothingExplored,
    Open,
    Proved,
    Refuted,
    Sampled,
    Underived,
    WhyOpen,
)
from arcproof.properties.finding import Finding
from arcproof.properties.property import property_of, text_of
from arcproof.properties.report import SystemReport
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import theorem_text
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.printing.wording import counted, counted_of, duration_text, size_text

_MANY_DIGITS: Final = re.compile(r"(?<!seed )(?<![\w.,])\d{5,}(?![\w.,]\w)(?!\w)")


def grouped(text: str) -> str:
    """The text with the digits of large numbers in groups of three, except for seeds, which are typed as they are.

    >>> grouped("6253466 situations, seed 123456")
    '6,253,466 situations, seed 123456'
    """
    return _MANY_DIGITS.sub(lambda found: f"{int(found[0]):,}", text)


def verdict_text(finding: Finding) -> str:
    """`exhausted, n ≤ 5`."""
    if finding.verdict is Verdict.EXHAUSTED and finding.kind == "negated":
        return f"witness with {counted(finding.words or 0, 'word')}"
    if finding.verdict is Verdict.PROVED:
        given = "".join(f", {value}" for value in finding.values)
        return f"proved, all n{given}" + ("" if len(finding.solvers) > 1 else f" ({finding.solvers[0]} only)")
    if finding.words is None or finding.verdict is Verdict.UNKNOWN:
        return str(finding.verdict.value)
    relation = "=" if finding.verdict is Verdict.REFUTED else "≤"
    return f"{finding.verdict.value}, n {relation} {finding.words}"


def detail_text(finding: Finding) -> str:
    """Say in one sentence what was done; a counterexample already says it all."""
    found = finding.counterexample
    if found is not None:
        return reason_text(finding)
    looked, proof = _none_found(finding), None
    for piece in finding.evidence:
        if isinstance(piece, Proved) or (isinstance(piece, Open) and isinstance(piece.why, NoProof)):
            proof = piece
        else:
            looked += f"{_joint(finding, piece) if piece is not finding.evidence[0] else ''}{evidence_text(piece)}"
    match proof:
        case Proved(theorem):
            return f"{theorem_text(theorem)}; also: {looked}"
        case Open():
            return f"{looked}; no proof: {evidence_text(proof)}"
        case None:
            return looked


def reason_text(finding: Finding) -> str:
    """Say why the statement fails, and what puts the graph outside the class; nothing if there is no counterexample."""
    found = finding.counterexample
    if found is None:
        return ""
    because = property_of(finding.asked).because(finding.system, finding.asked, found)
    return found.reason if because is None else f"{found.reason}, because it is {because}"


def _joint(finding: Finding, piece: Evidence) -> str:
    """The words that lead from one piece of evidence to the next."""
    if not isinstance(piece, Sampled):
        return "; "
    return "; beyond that, sampled: " if finding.exhausted_to >= 0 else "; sampled: "


def short_text(finding: Finding) -> str:
    """The text for the terminal: which cases were examined, and why if samples were inconclusive.

    With a counterexample, it is only the reason if this is a check, and empty otherwise.
    """
    if finding.counterexample is not None:
        return finding.counterexample.reason if finding.kind == "check" else ""
    first = finding.evidence[0]
    looked = cases_text(first.cases, False) if isinstance(first, Exhausted) else evidence_text(first)
    looked = f"{_none_found(finding)}{looked}"
    proof = next((piece for piece in finding.evidence if isinstance(piece, Proved)), None)
    looked += "".join(map(_sampled_text, finding.evidence[1:]))
    return looked if proof is None else f"{theorem_text(proof.theorem)}; also: {looked}"


def _none_found(finding: Finding) -> str:
    """Why a claim that something fails is open, if all there is are cases in which it does not fail."""
    if finding.kind not in ("negated", "refuted") or finding.words is None or finding.counterexample is not None:
        return ""
    return f"no counterexample up to {counted(finding.words, 'word')}: "


def _sampled_text(piece: Evidence) -> str:
    """Say briefly what samples add."""
    match piece:
        case Sampled():
            return " + samples"
        case Open(_, NoOracle()):
            return "; longer ones were not sampled: no oracle"
        case Open(_, Underived(graph)):
            return f"; not sampled: no oracle derives {graph}"
        case _:
            return ""


def evidence_text(piece: Evidence) -> str:
    """Describe one piece of evidence."""
    match piece:
        case Refuted():
            return piece.counterexample.reason
        case Sampled():
            origin = f"drawn by {piece.engine}" if piece.seed is None else f"seed {piece.seed}"
            return f"{cases_text(piece.cases)} of up to {counted(piece.words, 'word')}, {origin}"
        case Exhausted():
            return f"{cases_text(piece.cases)}, all up to {counted(piece.words, 'word')}"
        case Proved():
            return theorem_text(piece.theorem)
        case Open():
            return open_text(piece.why)
        case _:
            assert_never(piece)


def cases_text(cases: Cases, with_runs: bool = True) -> str:
    """Count the cases, as in `38 terminal configurations, with every run to them`."""
    along = "" if cases.along is None or not with_runs else f", {cases.along}"
    return f"{counted_of(cases.count, cases.what)}{along}"


def open_text(why: WhyOpen) -> str:
    """Say why a question is open."""
    match why:
        case NothingExplored():
            return "not even sentences of one word were explored"
        case NoCase(what, words):
            return f"nothing was checked: there are no {what} up to {counted(words, 'word')}"
        case NoRunEnds(words):
            return f"nothing was checked: no run ends up to {counted(words, 'word')}"
        case NoSampleEnds(cases, words):
            return f"none of {cases_text(cases)} of up to {counted(words, 'word')} ended"
        case Underived(graph):
            return f"no oracle derives {graph}, and whether any run does is open"
        case NoOracle(graphs):
            return f"longer {graphs} were not sampled: the figure has no oracle that leads to them"
        case NoAnswer(because):
            return because
        case CutShort(by, further):
            return f"{by} before more was checked" if further else f"{by} before it was checked"
        case NoProof(theorem):
            return theorem_text(theorem)
        case _:
            assert_never(why)


# --- how far the search came -----------------------------------------------------------------------------------------


def how_far(report: SystemReport) -> list[str]:
    """Say how far the self-deepening search got with each question, and what going further would cost."""
    deepened = report.deepened
    if deepened is None:
        return []
    asked: dict[int, list[str]] = {}
    for question, reach in deepened.reached.items():
        if reach.next_seconds is not None:
            name = question if isinstance(question, str) else text_of(report.system, question)
            more = f" ({reach.words + 1} words: {duration_text(reach.next_seconds)} more)"
            asked.setdefault(reach.words, []).append(name + (more if reach.words < deepened.words else ""))
    lines = [f"up to {counted(words, 'word')}: {', '.join(asked[words])}" for words in sorted(asked, reverse=True)]
    return lines if deepened.next_level is None else [*lines, next_level_text(deepened.next_level)]


def next_level_text(level: NextLevel) -> str:
    """Say what one more word would cost."""
    expected = f"about {level.configurations} configurations, {size_text(level.bytes)}, {duration_text(level.seconds)}"
    why_not = f"--words {level.words} does it" if level.refused is None else level.refused
    return f"next, {counted(level.words, 'word')}: {expected}; {why_not}"


# --- what else is known about a figure -------------------------------------------------------------------------------


def quality_text(quality: OracleQuality) -> str:
    """Say whether an oracle always takes a shortest derivation."""
    if quality.longer_on is not None:
        taken = f"{quality.oracle} takes {quality.taken} transitions for {quality.longer_on}"
        return f"{taken}, where {quality.needed} would do"
    derived = f"{quality.derived} {class_text(quality.graphs)} of up to {counted(quality.words, 'word')}"
    return f"{quality.oracle} takes a shortest derivation for each of the {derived} that it derives"


def broken_text(broken: Broken) -> str:
    """Say what fails without a part of the figure."""
    words = counted(broken.words, "word")
    if broken.counterexample is None:
        return f"`{broken.question}` is no longer confirmed, up to {words}"
    return f"`{broken.question}` fails with {words}: {broken.counterexample.reason}"


def need_text(need: Need) -> str:
    """Say what a precondition is for."""
    if need.problem is not None:
        return f"`{need.precondition}` distinguishes cases; without it {without_text(need)}"
    status = "may be needed or not" if need.status == "unknown" else f"is {need.status}"
    return f"`{need.precondition}` {status}; without it {without_text(need)}"


def without_text(need: Need) -> str:
    """Say what happens without a precondition."""
    if need.problem is not None:
        return need.problem
    words = counted(need.words, "word")
    match need.status:
        case "needed" | "unknown" if need.breaks is not None:
            return broken_text(Broken(need.breaks, need.words, need.counterexample))
        case "redundant":
            return f"nothing changes, up to {words}"
        case "free":
            return f"more transitions are permissible, but no claim or check depends on it, up to {words}"
        case "unknown" | "needed":
            return f"there are too many configurations beyond {words}"
        case _:
            assert_never(need.status)
