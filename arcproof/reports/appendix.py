"""An appendix for a paper: figure, theorem statements with their verdicts, invariants, counts and commands, as LaTeX
that compiles as it is.

The document needs nothing beyond amsmath, amssymb, amsthm, array, graphicx, longtable and geometry, and pdfLaTeX's own
fonts.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, assert_never

from arcproof._version import __version__
from arcproof.properties.evidence import Counterexample
from arcproof.properties.finding import Finding, Kind
from arcproof.properties.property import Asked, Named, property_of
from arcproof.properties.report import Report, SystemReport
from arcproof.properties.studies.counts import LevelSummary
from arcproof.properties.verdict import Verdict
from arcproof.reports.scope import not_done, tally_text, untested_help, verify_command
from arcproof.reports.sentences import detail_text, grouped, verdict_text
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Transition
from arcproof.transitions.printing.escape import LATEX_PREAMBLE, for_latex
from arcproof.transitions.printing.figure import prose, small_caps, to_latex_figure
from arcproof.transitions.printing.notation import LATEX, TEXT, class_text, term_text
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.theorem import Conjunct

_SIGNS: Final = {
    "∀": r"\forall ", "∃": r"\exists ", "∈": r"\in ", "∉": r"\notin ", "¬": r"\neg ", "∧": r"\wedge ", "∨": r"\vee ", "⇒": r"\Rightarrow ",
    "→": r"\rightarrow ", "↔": r"\leftrightarrow ", "≤": r"\leq ", "≥": r"\geq ", "≠": r"\neq ", "∞": r"\infty ", "·": r"\cdot ", "∅": r"\emptyset ",
    "{": r"\{", "}": r"\}", "*": "^{*}", "#": r"\#", "%": r"\%", "&": r"\&", "_": r"\_", "$": r"\$", "∪": r"\cup ", "Σ": r"\Sigma ", "∎": r"\blacksquare ",
}  # fmt: skip
_GOLD_ARROW: Final = {"→G": r"\rightarrow_{G} ", "→G*": r"\rightarrow_{G}^{*} "}
"""LaTeX for an arc of the gold graph and for a path in it; those of the graph built so far are `→` and `→*`."""
_GOLD_HEAD: Final = "gold_head"
_WORD: Final = re.compile(r"→G\*?|[a-z]{2,}(?:_[a-z]+)*(?=\()|[A-Za-zͰ-Ͽ][A-Za-zͰ-Ͽ0-9₀-₉-]*'*|[0-9]+|\s+|.", re.DOTALL)
_IN_WORDS: Final = re.compile(r"[A-Za-z]{2,}")
_IN_PROSE: Final = {"->": "→", "->*": "→*", "<=": "≤", ">=": "≥", "!=": "≠"}
"""How the language of figures writes what running text about them may quote."""
_TYPESET: Final = re.compile(
    r"(`[^`]+`|(?<=[Bb]y )V = [^:;]+|(?<![\w-])n [=≤≥] [0-9]+|(?<=\ball )n\b|→G\*?|→\*?|->\*?|<=|>=|!=|(?<![^ (\[])-(?=[ 0-9])"
    r"|[Ͱ-Ͽ][0-9₀-₉]*'*|[∀∃∈∉¬∧∨⇒↔≤≥≠∞·∅∪])"
)
"""What is not plain words in running text: quotations of figures, ranking functions, lengths, signs, Greek letters."""
_BREAKS: Final = ("∧", "∨", "⇒")

_LETTERS: Final = 26
"""The most sections of an appendix that LaTeX can number with letters."""
_NUMBERED: Final = "\\renewcommand{\\thesection}{A\\arabic{section}}\n"

_DOCUMENT: Final = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[a4paper,margin=2.4cm]{geometry}
\usepackage{amsmath,amssymb,amsthm,array,graphicx,longtable}
%(foreign)s
\theoremstyle{plain}
\newtheorem{claim}{Claim}
\newcommand{\arcproof}{\textsf{arcproof}}
\begin{document}
\appendix
%(numbering)s%(sections)s
\end{document}
"""


def report_latex(report: Report) -> str:
    """Return the document, with a section for each system."""
    return _DOCUMENT % {
        "foreign": LATEX_PREAMBLE.rstrip(),
        "numbering": _NUMBERED if len(report.systems) > _LETTERS else "",
        "sections": "\n\n\\clearpage\n".join(_section(system) for system in report.systems),
    }


def _section(report: SystemReport) -> str:
    system = report.system
    numbers: dict[str, int] = {}
    parts = [
        rf"\section{{Transition system {prose(system.name)}}}",
        to_latex_figure(system.figure_with_parameters).rstrip(),
        *_attention(report),
        *(_claim(finding, numbers) for finding in report.claims),
        *_checks(report),
        *_counts(report.depth.levels),
        r"\subsection*{Reproducing this}",
        rf"\arcproof{{}} {prose(__version__)}; SHA-256 of the specification: {_hash(system.sha256)}.",
        r"\begin{flushleft}\ttfamily " + _command(verify_command(report)) + r"\end{flushleft}",
    ]
    return "\n\n".join(parts)


def _hash(digest: str) -> str:
    """A hash in pieces, so that lines can break in it."""
    return r"{\ttfamily " + r"\allowbreak ".join(digest[k : k + 8] for k in range(0, len(digest), 8)) + "}"


def _command(line: str) -> str:
    return for_latex(line).replace("\\ ", " ")


# --- what needs attention --------------------------------------------------------------------------------------------


def _attention(report: SystemReport) -> Iterator[str]:
    """What is refuted or open, right below the figure that says it."""
    found = (*report.claims, *report.checks)
    items = [] if report.ended_by is None else [f"{report.ended_by}: whatever was not reached by then is open"]
    items += [
        f"{finding.title}: {verdict_text(finding)}; {detail_text(finding)}"
        for finding in found
        if finding.met is None or (finding.met is False and finding.counts)
    ]
    if items:
        yield r"\subsection*{What needs attention}"
        yield f"{tally_text([report])}."
        yield _items(items)


def _checks(report: SystemReport) -> Iterator[str]:
    """What was checked besides the claims: invariants, oracles, and what every figure is asked."""
    items = [_check(finding) for finding in report.checks]
    items += [
        rf"{_mixed(said)}: no proof shown here uses it, and it is not checked otherwise."
        for said in untested_help(report)
    ]
    if items:
        yield r"\subsection*{What else was checked}"
        yield _itemized(items)


def _check(finding: Finding) -> str:
    found = finding.counterexample
    shown = f"{_sentence(detail_text(finding))}" if found is None else _counterexample(found)
    return f"{_mixed(finding.title)}: {_mixed(verdict_text(finding))}. {shown}"


def _items(texts: Iterable[str]) -> str:
    return _itemized(map(_sentence_as_is, texts))


def _itemized(items: Iterable[str]) -> str:
    return "\n".join([r"\begin{itemize}", *(rf"\item {item}" for item in items), r"\end{itemize}"])


def _sentence_as_is(text: str) -> str:
    """A sentence that starts with the words of the figure, which keep their small letter."""
    return f"{_mixed(text.strip().rstrip('.'))}."


# --- claims ----------------------------------------------------------------------------------------------------------


def _claim(finding: Finding, numbers: dict[str, int]) -> str:
    """A claim and what is known about it; `numbers` are those of the conjuncts already printed in the section."""
    found = finding.counterexample
    done = "" if found is not None else f"{_sentence(detail_text(finding))} "
    lines = [
        rf"\begin{{claim}}[{_mixed(verdict_text(finding))}]",
        f"{_kind(finding.kind)}{statement_latex(finding.system, finding.asked)}",
        r"\end{claim}",
        rf"\noindent {done}{_sentence(not_done(finding))}{_by(finding)}",
    ]
    if found is not None:
        lines.append(_counterexample(found))
    if finding.theorem is not None and finding.verdict is Verdict.PROVED:
        lines += _invariant(finding.theorem.invariant, numbers)
    return "\n".join(lines)


def _sentence(text: str) -> str:
    text = text.strip().rstrip(".")
    return _mixed(text[:1].upper() + text[1:]) + "."


def _kind(kind: Kind) -> str:
    match kind:
        case "plain" | "check":
            return ""
        case "negated":
            return "It is not the case that: "
        case "refuted":
            return "It was published, but is not the case, that: "
        case _:
            assert_never(kind)


def _by(finding: Finding) -> str:
    parts = [f"Engine: {prose(finding.engine)}"]
    if finding.solvers:
        parts.append(f"solvers: {prose(', '.join(finding.solvers))}")
    if finding.seed is not None:
        parts.append(f"seed {finding.seed}")
    theorem = finding.theorem
    if theorem is None or finding.verdict is not Verdict.PROVED:
        return f" {'; '.join(parts)}; {finding.seconds:.2f}\\,s."
    return (
        f" {'; '.join(parts)}; proof: {theorem.seconds:.1f}\\,s{', kept from an earlier run' if theorem.kept else ''}."
    )


def statement_latex(system: System, asked: Asked) -> str:
    """State what is claimed in the language of mathematics."""
    return "".join(_part(system, part) for part in property_of(asked).said_of(system, asked))


def _part(system: System, part: str | s.Term | s.GraphClass | Named) -> str:
    match part:
        case str():
            return prose(part)
        case s.GraphClass():
            return _mixed(class_text(system.class_with_parameters(part), TEXT))
        case Named(name, is_transition):
            return small_caps(name) if is_transition else prose(name)
        case _:
            return f"${term_text(part, LATEX)}$"


def _counterexample(found: Counterexample) -> str:
    run = "" if found.transitions is None else f" Run: {_run(found.transitions)}."
    second = "The other" if found.best is None else "A best ending"
    run += "" if found.other is None else f" {second}: {_run(found.other)}."
    run += "" if found.best is None else f" It builds {prose(str(found.best))}."
    words = counted(found.words, "word")
    return rf"\par\noindent A counterexample with {words}. {_sentence(found.reason)}{run}"


def _run(run: Iterable[Transition]) -> str:
    return " ".join(small_caps(t.name) + for_latex(t.chosen) for t in run) or "(no transition)"


def _invariant(invariant: "tuple[Conjunct, ...]", numbers: dict[str, int]) -> list[str]:
    """Print each conjunct once per section, with a number; refer to those already printed by number."""
    if not invariant:
        return [r"\par\noindent No invariant is needed."]
    called = _called(invariant)
    above = sorted(numbers[formula] for formula in called if formula in numbers)
    new = [formula for formula in called if formula not in numbers]
    numbers |= {formula: number for number, formula in enumerate(new, start=len(numbers) + 1)}
    lines = [
        rf"\par\noindent The invariant: {_listed(above)}{' and' if above and new else ''}{'' if new else '.'}".rstrip()
    ]
    if new:
        lines += [
            r"\begin{longtable}{@{}r@{\ \ }>{\raggedright\arraybackslash}p{0.3\linewidth}"
            r">{\raggedright\arraybackslash}p{0.58\linewidth}@{}}",
            *(rf"({numbers[formula]}) & {_row(called[formula], formula_latex(formula))} \\" for formula in new),
            r"\end{longtable}",
        ]
    if any("→G" in formula for formula in new):
        lines.append(
            r"\par\noindent $x\rightarrow_{G} y$ is an arc of the gold graph, $x\rightarrow_{G}^{*} y$ a path in it."
        )
    if any(_GOLD_HEAD in formula for formula in new):
        lines.append(r"\par\noindent $g(x)$ is the head of $x$ in the gold graph.")
    return lines


def _row(name: str, formula: str) -> str:
    """A conjunct with its name; where it has none, the formula takes the place of both."""
    if name:
        return f"{_mixed(name)} & {formula}"
    return rf"\multicolumn{{2}}{{@{{}}>{{\raggedright\arraybackslash}}p{{0.88\linewidth}}@{{}}}}{{{formula}}}"


def _called(invariant: "tuple[Conjunct, ...]") -> dict[str, str]:
    """The formulas of an invariant, each once, with a name in words if there is one, so that nothing is printed
    twice.
    """
    called: dict[str, str] = {}
    for conjunct in invariant:
        if not called.get(conjunct.formula):
            called[conjunct.formula] = conjunct.name if _IN_WORDS.search(conjunct.name) else ""
    return called


def _listed(numbers: list[int]) -> str:
    """`(1)--(3), (7)`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = (f"({run[0]})" + ("" if len(run) == 1 else f"{', ' if len(run) == 2 else '--'}({run[-1]})") for run in runs)
    return ", ".join(shown)


# --- formulas and prose ----------------------------------------------------------------------------------------------


def formula_latex(text: str) -> str:
    """Typeset a formula given as text, in pieces of mathematics between which a line may break.

    >>> print(formula_latex("∀x: x ∈ σ ⇒ ¬HEAD(x)"))
    $\\forall x\\colon x\\in \\sigma$ ${}\\Rightarrow \\neg \\textsc{head}(x)$
    """
    pieces, current = [], ""
    for found in _WORD.finditer(text):
        token = found[0]
        if token in _BREAKS and current.strip():
            pieces.append(current)
            current = "{}"  # so that the sign is set as between two terms
        is_function = text[found.end() : found.end() + 1] == "(" and token.islower() and len(token) > 1
        current += _function(token) if is_function and token != _GOLD_HEAD else _token(token)
    return " ".join(f"${_without_double_spaces(piece.strip())}$" for piece in [*pieces, current] if piece.strip())


def _without_double_spaces(piece: str) -> str:
    """Words that follow each other in one text, without a space at the end of what they are in."""
    return re.sub(r"(\\text\{[^{}]*) \}(?=\)|$)", r"\1}", piece.replace(r" }\text{ ", " "))


def _function(name: str) -> str:
    return rf"\operatorname{{{for_latex(name.replace('_', '-'))}}}"


def _token(token: str) -> str:
    if token.isspace():
        return ""
    if token == ":":
        return r"\colon "
    if token in _GOLD_ARROW:
        return _GOLD_ARROW[token]
    if token in _SIGNS:
        return _SIGNS[token]
    if token == _GOLD_HEAD:
        return "g"
    if token.isdigit() or (len(token) == 1 and token.isascii()):
        return token
    if token.isascii() and token.isupper():
        return rf"\textsc{{{for_latex(token.lower())}}}"
    if re.fullmatch(r"[A-Za-zͰ-Ͽ][0-9₀-₉]*'*", token):
        return LATEX.name(token)
    return rf"\text{{ {for_latex(token)} }}" if token[0].isalpha() else rf"\text{{{for_latex(token)}}}"


def _mixed(text: str) -> str:
    """Typeset running text that may contain mathematical symbols.

    >>> print(_mixed("by V = -1 + |σ| + 2 |β|: `i != 0` is dropped"))
    by $V=-1+|\\sigma|+2|\\beta|$: \\texttt{i $\\neq$ 0} is dropped
    """
    parts = _TYPESET.split(text)
    return "".join(_typeset(part) if place % 2 else prose(grouped(part)) for place, part in enumerate(parts))


def _typeset(part: str) -> str:
    if part.startswith("`"):
        return rf"\texttt{{{_mixed(part[1:-1])}}}"
    sign = _IN_PROSE.get(part, part)
    if sign in _GOLD_ARROW or sign in _SIGNS:
        return f"${(_GOLD_ARROW.get(sign) or _SIGNS[sign]).strip()}$"
    return formula_latex(sign)


# --- counts ----------------------------------------------------------------------------------------------------------


def _counts(levels: tuple[LevelSummary, ...]) -> Iterator[str]:
    levels_counted = [level.counted for level in levels if level.counted is not None]
    if not levels_counted:
        return
    yield r"\subsection*{Everything up to " + counted(levels_counted[-1].words, "word") + "}"
    rows = [
        " & ".join(
            "--" if number is None else f"{number:,}"
            for number in (
                c.words,
                c.configurations,
                c.transitions,
                c.outputs,
                c.trees,
                c.shortest,
                c.longest,
                c.dead_ends,
            )
        )
        + r" \\"
        for c in levels_counted
    ]
    yield "\n".join(
        [
            r"\begin{center}",
            r"\begin{tabular}{rrrrrrrr}",
            r"\hline",
            r"$n$ & configurations & transitions & outputs & trees & shortest & longest & dead ends \\",
            r"\hline",
            *rows,
            r"\hline",
            r"\end{tabular}",
            r"\end{center}",
        ]
    )
