"""From the text of a specification to its statements, each parsed by its own start rule of `grammar.lark`.

The language is line-based so that one unreadable line does not hide the mistakes in the others.  A line that cannot be
read is classified by what it was meant to be, so that its consequences are not reported as separate mistakes.  Nothing
in a specification is ever executed: the text is matched against the grammar and becomes a tree, nothing more.
"""

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import Final

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.parsers import parser_of
from arcproof.transitions.errors import Diagnostic, Place
from arcproof.transitions.reading.vocabulary import HEADINGS

MOST_STATEMENTS: Final = 500
LONGEST_STATEMENT: Final = 2_000
MOST_CHARACTERS: Final = 30_000
"""The limit for all statements together: reading a thousand characters takes up to 40 ms.  The longest built-in figure
has 2,164, comments included.
"""
DEEPEST_NESTING: Final = 50

CONTINUING: Final = ("add", "remove", "tag", "if", "and", "or")
"""The words that make a line continue the previous one."""
_CONTINUES: Final = re.compile(rf"\s*(=>|⇒|,|\+|({'|'.join(CONTINUING)})\b|∧|∨)")
_LEMMA: Final = re.compile(r"\s*lemma\b")
_CONTINUES_LEMMA: Final = re.compile(r"\s*(using|by)\b")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")
_OF_AN_ORACLE: Final = re.compile(r"\s*invariant\s+of\b[^:]*")
_ARROW: Final = re.compile("=>|⇒")
_IF: Final = re.compile(r"\bif\b")
_COUNTED: Final = re.compile(r"#\s*\{")
_LETTERS: Final = re.compile(r"[^\W\d_][^\W_]*")
_LITERAL: Final = re.compile(r'"([a-z-]+)"')
_OPEN_END: Final = re.compile(r"(=>|⇒|,|\b(add|remove|tag|if|and|or))$")
_ENDS_EARLY: Final = "the statement ends too early"

FORMS: Final[dict[str, str]] = {
    "system": "system NAME, with letters, digits and hyphens",
    "cite": 'cite "Author Year, Figure N"',
    "note": 'note "a remark"',
    "parameter": "parameter d = 2, or parameter d = ∞",
    "shared": "shared",
    "several": "several heads",
    "state": "state stack σ, buffer β, list λ1 head right, flag e, counter k, set U",
    "start": "start [0], [1..n]",
    "root": "root none, where words without a head are meant to attach to 0",
    "final": "final β = []",
    "invariant": "invariant all i in β: no head(i)",
    "measure": "measure V = 2|β| + |σ|, of n, the lengths of sequences, |A|, counters and flags",
    "lemma": 'lemma "title": forall x: x in σ => node(x) using "premise"',
    "default": "default TRANSITION",
    "oracle": "oracle NAME, or oracle none",
    "dynamic": "dynamic NAME, then one transition's cost per line, or a loss",
    "claims": "claims, then one claim per line",
    "rule": "NAME(l)  σ|i, j|β  =>  σ, j|β  add j -l-> i  if i != 0, no head(i)",
    "oracle_line": "NAME(l)  σ|i, j|β  if gold j -l-> i",
    "cost_line": "cost NAME  σ|i, j|β  = #{k in j|β: gold i -> k} + [gold head(i) in β], or loss tabular(σ, β)",
    "claim": "sound projective forests",
    "target": "#SWAP = 2, |σ| >= 4, head(1)",
}
_CLAIMS: Final[dict[str, str]] = {
    "sound": "sound projective forests",
    "complete": "complete trees with gap-degree <= 1",
    "terminates": "terminates",
    "length": "length <= 2n",
    "space": "space <= 2n + 1",
    "#": "#SWAP <= n(n - 1)/2",
    "incremental": "incremental",
    "weakly": "weakly incremental",
    "strictly": "strictly incremental",
    "no": "no dead ends",
    "like": "like SYSTEM on projective trees",
    "equivalent": "equivalent to SYSTEM",
    "exact": "exact DYNAMIC-ORACLE on projective trees",
    "safe": "safe DYNAMIC-ORACLE on projective trees",
    "never": "never stuck DYNAMIC-ORACLE on projective trees",
    "arc-decomposable": "arc-decomposable on projective trees",
    "not": "not complete trees",
    "published": "published complete trees, refuted",
}
_CONDITIONS: Final = (
    "conditions are i != 0, |σ| < 2, σ = [], head(i), dependent(i), i -> j, i ->* j, i <->* j, k in σ, exists k in σ: …, all k in σ: …, "
    "not …, … and …, … or …, (…); in oracles also gold j -l-> i, complete(i), i <G j"
)
_TARGETS: Final = (
    "conditions are #SWAP = 2, |σ| >= 4, σ = [0, 2], head(1), dependent(0), 1 -> 2, 1 ->* 3, 1 <->* 3, 2 in σ, exists k in σ: …, "
    "all k in σ: …, not …, … and …, … or …, (…)"
)
_FOREIGN: Final = {
    "=": "equality is written =",
    "&": "write `and`",
    "!": "write `not`",
    "∅": "write [] or {}",
    "∈": "an arc is written i -> j, a gold arc gold j -> i",
}

_SPOKEN: Final[dict[str, str]] = {
    "NAME": "a name", "WITNESS": "witness 2,0,2 or witness 0>1 2>1", "NUMBER": "a number", "TRANSITION": "the name of a transition", "SYSTEM_NAME": "a name",
    "SYSTEM_REFERENCE": "the name of a system", "CLASS_WORD": "a class of graphs", "STRING": 'text in "quotation marks"',
    "ARROW": "`=>`", "ARC": "`->`", "LABELLED_ARC": "`-l->`", "REACHES": "`->*`", "CONNECTED": "`<->*`",
    "PRECEDES": "`<G`", "RELATION": "a comparison", "SIGN": "`+` or `-`", "BAR": "`|`", "DOT": "`·`", "COMMA": "`,`",
    "HOLE": "`_`", "TRUTH": "true or false", "INFINITY": "∞", "QUANTIFIER": "exists or all", "LPAR": "`(`", "RPAR": "`)`",
    "LSQB": "`[`", "RSQB": "`]`", "LBRACE": "`{`", "RBRACE": "`}`", "COLON": "`:`", "EQUAL": "`=`", "SIDE": "left or right",
    "SEQUENCE_KIND": "stack or buffer or list", "VALUE_KIND": "flag or counter or set", "COUNT": "#TRANSITION",
    "HASH": "`#`", "SQUARED": "`²`", "CIRCUMFLEX": "`^`", "STAR": "`*`", "SLASH": "`/`", "_DOTS": "`..`", "$END": "the end of the line",
    "<END-OF-FILE>": "the end of the line",
    "STRENGTH": "weakly or strictly", "LEMMA_TEXT": "a title in \"quotation marks\"",
}  # fmt: skip
MOST_ALTERNATIVES: Final = 4


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement from the parser: its start rule and its tree."""

    rule: str
    tree: Tree[Token]
    where: Place


@dataclass(frozen=True, slots=True)
class Unread:
    """A statement that could not be read: what it was meant to be, its first word, and what is wrong with it.

    `problem` is None where the preceding statement is at fault.
    """

    rule: str
    word: str
    where: Place
    problem: Diagnostic | None


@dataclass(frozen=True, slots=True)
class _Line:
    """A logical line, padded with newlines so that columns and lines are those of the file."""

    text: str
    where: Place
    word: str

    @property
    def word_place(self) -> Place:
        return Place(self.where.line, self.where.column, self.where.column + max(1, len(self.word)))


@cache
def _grammar() -> str:
    return files("arcproof.transitions.reading").joinpath("grammar.lark").read_text(encoding="utf-8")


class TooLong(Exception):
    """A text that is longer than any figure."""


@cache
def _parser() -> Lark:
    return parser_of(_grammar(), start=list(FORMS), maybe_placeholders=True)


def statements(text: str) -> list[Statement | Unread]:
    """Every statement in the order of the file; `TooLong`, before any is read, if there are too many or they are too
    long.
    """
    lines = list(islice(_logical_lines(text), MOST_STATEMENTS + 1))
    if len(lines) > MOST_STATEMENTS:
        raise TooLong(f"more than {MOST_STATEMENTS} statements")
    if sum(len(line.text.strip()) for line in lines) > MOST_CHARACTERS:
        raise TooLong(f"statements of more than {MOST_CHARACTERS} characters")
    transitions = {line.word for line in lines if line.word not in HEADINGS and _ARROW.search(line.text)}
    found: list[Statement | Unread] = []
    section = "rule"
    for line in lines:
        missing = _missing_heading(line, section, transitions)
        if missing is not None:
            found.append(missing)
            section = _section(missing.rule)
        item = _misplaced(line, section, transitions) or _statement(line, section)
        section = _section(item.rule) if item.rule in HEADINGS else section
        if isinstance(item, Unread) and item.word not in (*HEADINGS, *transitions) and _cut_off(found):
            item = Unread(item.rule, item.word, item.where, None)
        found.append(item)
    return found


@dataclass(frozen=True, slots=True)
class Following:
    """What may follow an incomplete text, by the names of terminals.

    `rule` is the start rule of the statement in which the text ends, or of the next one where `begins`: then `accepted`
    is what such a statement begins with, and `continuing` what may begin a line that continues the previous statement.
    """

    rule: str
    begins: bool
    accepted: frozenset[str]
    continuing: frozenset[str] = frozenset()


def following(text: str) -> Following | None:
    """What may follow a text that ends between two words; None in a comment, or where nothing fits."""
    last = text.rpartition("\n")[2]
    if code_of(last) != last:
        return None
    lines = list(_logical_lines(text))
    begins = not last.strip()
    current = lines[-1] if lines and not begins else None
    headings = [line.word for line in (lines if begins else lines[:-1]) if line.word in HEADINGS]
    section = _section(headings[-1]) if headings else "rule"
    if current is None:
        before = lines[-1] if lines else None
        rule = "" if before is None else before.word if before.word in HEADINGS else section
        continuing = frozenset() if before is None else _accepted(before.text, rule)
        return Following(section, True, _accepted("", section), continuing)
    rule = current.word if current.word in HEADINGS else section
    accepted = _accepted(f"{current.text} ", rule)
    return Following(rule, False, accepted) if accepted else None


def _accepted(text: str, rule: str) -> frozenset[str]:
    """The terminals that may come next in an unfinished statement."""
    parsing = _parser().parse_interactive(text, start=rule)
    try:
        parsing.exhaust_lexer()
    except UnexpectedInput:
        return frozenset()
    return frozenset(parsing.accepts())  # type: ignore[no-untyped-call]


def spelling_of(terminal: str) -> str | None:
    """The word or sign that stands for a terminal, if there is only one; None for patterns."""
    if terminal.startswith("$"):
        return None
    pattern = _parser().get_terminal(terminal).pattern
    return str(pattern.value) if pattern.type == "str" else None


def target(text: str) -> Tree[Token] | Diagnostic:
    """Read a standalone condition, which is not part of a specification."""
    return _parse(_line(1, [text]), "target")


def claim(text: str) -> Tree[Token] | Diagnostic:
    """A standalone claim."""
    return _parse(_line(1, [text]), "claim")


def _section(heading: str) -> str:
    return {"oracle": "oracle_line", "dynamic": "cost_line", "claims": "claim"}.get(heading, "rule")


def _statement(line: _Line, section: str) -> Statement | Unread:
    rule = line.word if line.word in HEADINGS else section
    result = _parse(line, rule)
    if isinstance(result, Diagnostic):
        return Unread(rule, line.word, line.where, result)
    return Statement(rule, result, line.where)


def _cut_off(found: list[Statement | Unread]) -> bool:
    last = found[-1] if found else None
    return isinstance(last, Unread) and last.problem is not None and last.problem.message == _ENDS_EARLY


def _missing_heading(line: _Line, section: str, transitions: Collection[str]) -> Unread | None:
    """Report oracle lines and claims that lack their heading, at the first of them."""
    if line.word in HEADINGS or _ARROW.search(line.text):
        return None
    if section != "claim" and line.word in _CLAIMS and line.word not in transitions and _reads_as(line, "claim"):
        heading, hint = "claims", "write `claims` on a line of its own, then one claim per line"
    elif section == "rule" and line.word in transitions and _reads_as(line, "oracle_line"):
        heading, hint = "oracle", "write `oracle NAME` on a line of its own, then the lines of the oracle"
    else:
        return None
    return Unread(
        heading, heading, line.where, Diagnostic(line.word_place, f"`{heading}` is missing above this line", hint)
    )


def _reads_as(line: _Line, rule: str) -> bool:
    return not isinstance(_parse(line, rule), Diagnostic)


def _with_relation(line: _Line, relation: str) -> _Line:
    """The line with a relation in place of its arrow."""
    return _Line(_ARROW.sub(relation, line.text, count=1), line.where, line.word)


def _misplaced(line: _Line, section: str, transitions: Collection[str]) -> Unread | None:
    """Report a transition among oracle lines or claims, or a misspelt heading."""
    if line.word in HEADINGS:
        return None
    arrow = _ARROW.search(line.text)
    if arrow and section != "rule":
        place = _place(line, arrow.start(), arrow.end())
        hint = "transitions stand above the first `oracle` and above `claims`"
        if section == "oracle_line":
            hint = f"an oracle line has no => part: {FORMS['oracle_line']}; {hint}"
        elif section == "claim" and _reads_as(_with_relation(line, ">="), "claim"):
            hint = "did you mean >= or <=?"
        return Unread("rule", line.word, line.where, Diagnostic(place, f"unexpected `{arrow[0]}`", hint))
    if arrow or line.word in transitions or (section == "claim" and line.word in _CLAIMS):
        return None
    near = get_close_matches(line.word.lower(), HEADINGS, n=1, cutoff=0.8)
    if not near:
        return None
    hint = f"did you mean {near[0]}? the form is: {FORMS[near[0]]}"
    return Unread(near[0], line.word, line.where, Diagnostic(line.word_place, f"unknown keyword `{line.word}`", hint))


def _logical_lines(text: str) -> Iterator[_Line]:
    pending: list[str] = []
    first = 0
    for number, raw in enumerate(text.split("\n"), start=1):
        code = code_of(raw)
        if not code.strip():
            continue
        if pending and (_CONTINUES.match(code) or (_LEMMA.match(pending[0]) and _CONTINUES_LEMMA.match(code))):
            pending.extend([""] * (number - first - len(pending)))
            pending.append(code)
            continue
        if pending:
            yield _line(first, pending)
        first, pending = number, [code]
    if pending:
        yield _line(first, pending)


def _line(first: int, physical: list[str]) -> _Line:
    code = physical[0].lstrip()
    start = len(physical[0]) - len(code) + 1
    word = _WORD.match(code)
    where = Place(first, start, len(physical[0].rstrip()) + 1)
    return _Line("\n" * (first - 1) + "\n".join(physical), where, word[0] if word else "")


def code_of(line: str) -> str:
    """A line without its comment."""
    if "--" not in line:
        return line
    quoted = False
    for column, letter in enumerate(line):
        if letter == '"':
            quoted = not quoted
        elif not quoted and line.startswith("--", column):
            return line[:column]
    return line


@lru_cache(maxsize=2048)
def _parse(line: _Line, rule: str) -> Tree[Token] | Diagnostic:
    """The tree of a statement; it is cached, so that after a change in one line the others need not be parsed again."""
    code = line.text.lstrip("\n")
    if len(code) > LONGEST_STATEMENT:
        return Diagnostic(
            line.where,
            f"the statement has {len(code)} characters",
            f"a statement has at most {LONGEST_STATEMENT}; is this a specification?",
        )
    try:
        tree = _parser().parse(line.text, start=rule)
    except UnexpectedInput as error:
        return _syntax_error(error, line, rule)
    if _depth(tree) > DEEPEST_NESTING:
        return Diagnostic(
            line.where, "the statement is nested too deeply", f"at most {DEEPEST_NESTING} levels are read"
        )
    return _glued(tree, line) or tree


def _glued(tree: Tree[Token], line: _Line) -> Diagnostic | None:
    """The first token in which a word of the language runs into what follows it, for want of a space."""
    spans = [(token.start_pos or 0, token.end_pos or 0) for token in _tokens_of(tree)]
    for word in _LETTERS.finditer(line.text):
        start, end = word.span()
        if word[0] in _keywords() or any(first <= start and end <= after for first, after in spans):
            continue
        parts = [cut for cut in range(start + 1, end) if line.text[start:cut] in _keywords()]
        if parts:
            first, rest = line.text[start : parts[-1]], line.text[parts[-1] : end]
            return Diagnostic(_place(line, start, end), f"`{word[0]}` is not a word", f"write `{first} {rest}`")
    return None


def _tokens_of(tree: Tree[Token]) -> Iterator[Token]:
    for part in tree.children:
        if isinstance(part, Tree):
            yield from _tokens_of(part)
        elif isinstance(part, Token):
            yield part


@cache
def _keywords() -> frozenset[str]:
    """The words of the language that appear literally in the grammar, ignoring hyphens."""
    return frozenset(part for literal in _LITERAL.findall(_grammar()) for part in literal.split("-"))


def _depth(tree: Tree[Token]) -> int:
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [part for branch in level for part in branch.children if isinstance(part, Tree)]
    return depth


def _place(line: _Line, start: int, end: int) -> Place:
    column = start - line.text.rfind("\n", 0, start)
    return Place(line.text.count("\n", 0, start) + 1, column, column + end - start)


def _syntax_error(error: UnexpectedInput, line: _Line, rule: str) -> Diagnostic:
    token = getattr(error, "token", None)
    if isinstance(error, UnexpectedEOF) or (token is not None and token.type == "$END"):
        start = len(line.text.rstrip())
        shown, message = "", _ENDS_EARLY
    else:
        start = error.pos_in_stream or 0
        shown = str(token) if token else line.text[start]
        message = f"unexpected `{shown}`"
    place = _place(line, start, start + max(1, len(shown)))
    if shown == "#" and not _COUNTED.match(line.text, start):
        count = "#{k in β: gold i -> k}" if rule == "cost_line" else "#SWAP"
        return Diagnostic(place, "`#` does not start a comment", f"comments start with --; a count is written {count}")
    before = line.text[:start]
    if rule == "rule" and before.strip() and not _ARROW.search(line.text):
        others = f"other lines begin with {', '.join(HEADINGS)}"
        return Diagnostic(place, "`=>` is missing", f"a transition is written {FORMS['rule']}; {others}")
    if shown in _FOREIGN and (shown != "=" or before.endswith("=")):
        return Diagnostic(place, message, _FOREIGN[shown])
    hint = "; ".join(filter(None, (_expected(error, rule), _form(error, rule, line, before))))
    if message == _ENDS_EARLY and _OPEN_END.search(before):
        hint += "; to continue on the next line, begin it with =>, add, remove, tag, if, and, or or a comma"
    return Diagnostic(place, message, hint)


def _form(error: UnexpectedInput, rule: str, line: _Line, before: str) -> str:
    if rule == "invariant" and _OF_AN_ORACLE.fullmatch(before):
        return "the form is: invariant of ORACLE: all i in σ: complete(i)"
    if rule == "claim":
        known = _CLAIMS.get(line.word or line.text.lstrip()[:1])
        return f"the form is: {known}" if known and before.strip() else f"claims are {', '.join(_CLAIMS.values())}"
    if rule == "rule" and re.search(r"\b(add|remove|tag)\b", before) and not _IF.search(before):
        return "the forms are: add j -l-> i, remove * -> i, and tag i p"
    if (rule in ("final", "invariant", "target") and before.split() != [rule]) or (
        rule in ("rule", "oracle_line") and _IF.search(before)
    ):
        if re.search(r"\bgold\b[^,()]*$", before):
            return "the form is: gold j -l-> i"
        if "IN" in _allowed(error) and "NOT" not in _allowed(error):
            return "the form is: exists k in σ: …"
        return "" if _expected(error, rule) else _TARGETS if rule == "target" else _CONDITIONS
    return f"the form is: {FORMS[rule]}"


def _expected(error: UnexpectedInput, rule: str) -> str:
    allowed = _allowed(error) - (set() if rule in ("claim", "target") else {"COUNT"})
    if not 0 < len(allowed) <= MOST_ALTERNATIVES:
        return ""
    return f"expected {' or '.join(sorted(_SPOKEN.get(name, f'`{name.lower()}`') for name in allowed))}"


def _allowed(error: UnexpectedInput) -> set[str]:
    if isinstance(error, UnexpectedToken):
        return set(error.accepts or error.expected)
    return set(error.allowed or ()) if isinstance(error, UnexpectedCharacters) else set()
