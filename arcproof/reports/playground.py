"""An interactive page for a system: a sentence or a gold graph, a run chosen step by step, and what can follow.

The whole state is in the address of the page, so that a link reproduces it and going back undoes a step: `heads` (the
gold graph, `2,0,2`), `sentence` (its words), `oracle`, and `run`, the transitions so far.  Every transition that can be
chosen is a link to the state after it. In a quiz (`quiz`) it is a link to the same state with what was chosen,
`answer`, and how many choices were `right` and
`wrong` before.

For a gold graph the page says whether it can still be derived, by a search over all continuations; if that would take
too long, it says so.  All searches of a page together take about `SECONDS_A_PAGE`, so that no address can keep the
server busy; what was not searched by then is left open.
"""

import math
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from arcproof._version import __version__
from arcproof.process.lazy_dataclass import dataclass
from arcproof.reports import quiz
from arcproof.reports.examples import EXAMPLES, Example
from arcproof.reports.page import asset, environment
from arcproof.reports.quiz import QuizMark, QuizState
from arcproof.reports.runs import Reachable, RunView, can_still_derive, oracle_continues, run_view
from arcproof.reports.typeset import typeset
from arcproof.transitions.configuration import Configuration, Derivation, Step, Transition
from arcproof.transitions.errors import ArcproofError, BadGraph, NotPermissible
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import Graph, format_heads, graph_of, parse_arcs, parse_heads
from arcproof.transitions.printing.figure import Sheet
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System, most_transitions

MOST_WORDS: Final = 40
MOST_CHARACTERS: Final = 8_000
MOST_STEPS: Final = 500
"""The maximum number of transitions of a run that is shown; a page has a row for each."""
MOST_ANSWERS: Final = 99_999
MOST_KNOWN: Final = 20_000
"""How many configurations are cached with whether they lead to a gold graph."""
SECONDS_A_PAGE: Final = 3.0
_TRANSITION: Final = re.compile(r"(?P<name>[A-Za-z0-9-]+)(?:\[(?P<choice>[0-9]{1,4}(?:,[0-9]{1,4})*)\])?")


class BadState(ArcproofError, ValueError):
    """The address does not describe a state of the system."""


@dataclass(frozen=True, slots=True)
class Address:
    """The state that an address describes."""

    heads: str = ""
    sentence: str = ""
    oracle: str = ""
    run: tuple[str, ...] = ()
    answer: str = ""
    right: int = 0
    wrong: int = 0

    @classmethod
    def of(cls, query: Mapping[str, str], example: Example = EXAMPLES[0]) -> "Address":
        """Read the parameters of an address; without any, it describes the example."""
        given = {name: query.get(name, "").strip() for name in ("heads", "sentence", "oracle", "run", "answer")}
        if sum(map(len, given.values())) > MOST_CHARACTERS:
            raise BadState(f"the address is longer than {MOST_CHARACTERS} characters")
        if any("\ud800" <= char <= "\udfff" for text in given.values() for char in text):
            raise BadState("the address contains half of a surrogate pair, which is not a character")
        if not given["heads"] and not given["sentence"]:
            given |= {"heads": format_heads(example.graph.heads), "sentence": " ".join(example.words)}
        counts = (_count(query, name) for name in ("right", "wrong"))
        return cls(
            given["heads"], given["sentence"], given["oracle"], tuple(given["run"].split()), given["answer"], *counts
        )

    def link(self, run: tuple[str, ...]) -> str:
        """Return the address of the same sentence with another run."""
        return self._address(run)

    def quiz_link(self, run: tuple[str, ...], answer: str = "") -> str:
        """Return the address of a quiz with this answer, and with the numbers of right and wrong answers so far."""
        return self._address(run, answer=answer, right=str(self.right or ""), wrong=str(self.wrong or ""))

    def _address(self, run: tuple[str, ...], **more: str) -> str:
        given = {"heads": self.heads, "sentence": self.sentence, "oracle": self.oracle, "run": " ".join(run), **more}
        return "/?" + urlencode({name: value for name, value in given.items() if value})


def _count(query: Mapping[str, str], name: str) -> int:
    text = query.get(name, "").strip() or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST_ANSWERS))):
        raise BadState(f"`{name}` is `{text[:20]}`; it should be a number of answers")
    return int(text)


@dataclass(frozen=True, slots=True)
class Option:
    """A transition that could follow: the link to take it, or why it cannot be taken."""

    name: str
    link: str | None
    is_oracles: bool
    reachable: Reachable | None
    reason: str


@dataclass(frozen=True, slots=True)
class Board:
    """A fully computed state: the run drawn, what can follow, and where the gold graph was lost."""

    view: RunView
    choices: tuple[Option, ...]
    ended: bool
    lost: int | None
    reachable: Reachable | None
    oracles_reason: str
    output: str
    undo: str | None
    again: str
    to_the_end: str | None
    quiz: QuizState | None = None


class _Turn(threading.local):
    """The search deadline for the page this thread is rendering."""

    until: float = math.inf


@dataclass
class Playground:
    """A system to play with; the results of searches are cached."""

    system: System
    seconds: float = SECONDS_A_PAGE
    quiz: bool = False
    _known: dict[tuple[Configuration, Graph], Reachable] = field(default_factory=dict)
    _turn: _Turn = field(default_factory=_Turn)

    @cached_property
    def example(self) -> Example:
        """The example that the page starts with: the first that the system derives, or else the first that is not known
        to be out of reach.
        """
        for sought in ("yes", "open"):
            for example in EXAMPLES:
                gold = self.system.wanted(graph_of(example.graph.heads))
                if self._reachable(self.system.start(len(example.words)), gold) == sought:
                    return example
        return EXAMPLES[0]

    def page(self, query: Mapping[str, str]) -> tuple[int, str]:
        """Return the status and the page for an address: 200, or 400 with a message if the address does not describe a
        state.
        """
        return self._rendered("play.html", query)

    def body(self, query: Mapping[str, str]) -> tuple[int, str]:
        """Return the part that depends on the address, to be put into an existing page."""
        return self._rendered("play_body.html", query)

    def _rendered(self, template: str, query: Mapping[str, str]) -> tuple[int, str]:
        state = Address()
        self._turn.until = time.monotonic() + self.seconds
        try:
            state = Address.of(query, self.example)
            table, problem = (self.question(state) if self.quiz else self.table(state)), ""
        except ArcproofError as error:
            table, problem = None, str(error)
        text = (
            environment()
            .get_template(template)
            .render(
                system=self.system,
                figure=self._figure(),
                quiz=self.quiz,
                oracles=[oracle.name for oracle in self.system.figure.oracles],
                state=state,
                table=table,
                problem=problem,
                version=__version__,
                style=asset("style.css"),
                script=asset("runs.js"),
            )
        )
        return (400 if problem else 200), text

    def _figure(self) -> Sheet[Markup]:
        """The figure; in a quiz, without its oracles, the notions that only they use, and what is taken by default."""
        figure = self.system.figure_with_parameters
        return typeset(replace(figure, oracles=(), dynamic_oracles=(), default=None) if self.quiz else figure)

    def question(self, state: Address) -> Board:
        """Return the state as a question of the quiz: the answer is marked, and taken unless it is wrong."""
        given, words = _sentence(state)
        gold = None if given is None else self.system.wanted(given)
        run = self._run(given.words if given is not None else len(words or ()), state.run)
        mark = self._marked(state, run.last, gold) if state.answer else None
        if mark is not None:
            right, wrong = state.right + (mark.verdict == "right"), state.wrong + (mark.verdict == "wrong")
            taken = state.run if mark.verdict == "wrong" else (*state.run, mark.name)
            state = replace(state, run=taken, answer="", right=right, wrong=wrong)
            run = self._run(run.initial.words, taken)
        last, reachable = run.last, None if gold is None else self._reachable(run.initial, gold)
        still = None if gold is None else self._reachable(last, gold)
        ended = self.system.is_terminal(last)
        options = () if ended or not self.system.permissible(last) else quiz.offered(self.system, last)
        return Board(
            run_view(self.system, run, words, gold, "The graph so far"),
            tuple(Option(name, state.quiz_link(state.run, name), False, None, "") for name in options),
            ended,
            None,
            still if ended else None,
            "",
            str(last.graph),
            self._undone(state, run, gold) if run.steps else None,
            state.link(()),
            None,
            QuizState(mark, state.right, state.wrong, quiz.task(gold, reachable, still)),
        )

    def _undone(self, state: Address, run: Derivation, gold: Graph | None) -> str:
        """Return the address without the last step; if that was a right choice, it no longer counts."""
        before = run.steps[-2].configuration if len(run.steps) > 1 else run.initial
        counts = gold is None or self._reachable(before, gold) == "no" or self._reachable(run.last, gold) == "yes"
        return replace(state, right=max(0, state.right - counts)).quiz_link(state.run[:-1])

    def _marked(self, state: Address, c: Configuration, gold: Graph | None) -> QuizMark:
        transition = _transition(state.answer)
        if transition.name not in self.system.transitions:
            there = ", ".join(self.system.transitions)
            raise BadState(f"{self.system.name} has no transition {transition.name}; it has {there}")
        if self.system.is_terminal(c):
            raise BadState(f"the run has ended, but {state.answer} was chosen")
        reachable = None if gold is None else self._reachable(c, gold)
        situation = quiz.QuizSituation(self.system, c, gold, reachable)
        return quiz.judged(situation, transition, self._after(c, transition, gold))

    def _after(self, c: Configuration, transition: Transition, gold: Graph | None) -> Reachable | None:
        if gold is None:
            return None
        try:
            return self._reachable(self.system.step(c, transition).configuration, gold)
        except NotPermissible:
            return None

    def table(self, state: Address) -> Board:
        """Compute a state; an `ArcproofError` says what is wrong with it."""
        given, words = _sentence(state)
        gold = None if given is None else self.system.wanted(given)
        run = self._run(given.words if given is not None else len(words or ()), state.run)
        last = run.last
        predicted, why = self._predicted(state, last, gold)
        ended = self.system.is_terminal(last)
        return Board(
            run_view(self.system, run, words, gold, "The graph so far"),
            () if ended else tuple(self._choices(state, last, gold, predicted)),
            ended,
            None if gold is None else self._lost(run, gold),
            None if gold is None else self._reachable(last, gold),
            why,
            str(last.graph),
            state.link(state.run[:-1]) if state.run else None,
            state.link(()),
            None if ended or predicted is None or gold is None else self._rest(state, last, gold),
        )

    def _run(self, words: int, run: tuple[str, ...]) -> Derivation:
        if len(run) > MOST_STEPS:
            raise BadState(f"the run has {len(run)} transitions; the page shows at most {MOST_STEPS}")
        if len(run) > most_transitions(words):
            raise BadState(f"the run has {len(run)} transitions; that is more than any system needs")
        c = initial = self.system.start(words)
        steps: list[Step] = []
        for number, text in enumerate(run, start=1):
            if self.system.is_terminal(c):
                raise BadState(f"the run ends after {counted(number - 1, 'transition')}, but {text} follows")
            try:
                steps.append(self.system.step(c, _transition(text)))
            except NotPermissible as error:
                raise BadState(f"step {number}: {error}") from None
            c = steps[-1].configuration
        return Derivation(initial, tuple(steps))

    def _predicted(self, state: Address, c: Configuration, gold: Graph | None) -> tuple[Transition | None, str]:
        """The oracle's choice, or why it makes none."""
        if gold is None:
            return None, "without heads there is no gold graph for an oracle to follow"
        if not self.system.figure.oracles:
            return None, "the figure has no oracle"
        oracle = self.system.oracle(state.oracle or None)
        if self.system.is_terminal(c):
            return None, ""
        try:
            found = self.system.predict(c, Gold(gold, self.system.figure.several_heads), oracle)
        except ArcproofError as error:
            return None, str(error)
        return found, "" if found is not None else f"no line of the oracle {oracle.name} matches"

    def _choices(
        self, state: Address, c: Configuration, gold: Graph | None, predicted: Transition | None
    ) -> "list[Option]":
        chosen = None if predicted is None else predicted.instance
        choices = []
        permissible = self.system.permissible(c)
        for transition in permissible:
            step = self.system.step(c, transition)
            reachable = None if gold is None else self._reachable(step.configuration, gold)
            clash = "; ".join(self.system.clash_text(arc, "would get a second head") for arc in step.clashes)
            link = state.link((*state.run, transition.instance))
            choices.append(Option(transition.instance, link, transition.instance == chosen, reachable, clash))
        possible = {transition.name for transition in permissible}
        for name in self.system.transitions:
            if name not in possible:
                choices.append(Option(name, None, name == chosen, None, self._refusal(c, name)))
        return choices

    def _refusal(self, c: Configuration, name: str) -> str:
        try:
            self.system.step(c, Transition(name))
        except NotPermissible as error:
            return error.because
        return ""

    def _reachable(self, c: Configuration, gold: Graph) -> Reachable:
        """Search whether the gold graph can still be derived, using the cache; open if the page's time is up."""
        key = c, gold
        known = self._known.get(key)
        if known is None:
            if time.monotonic() > self._turn.until:
                return "open"
            known = can_still_derive(self.system, c, gold)
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = known
        return known

    def _lost(self, run: Derivation, gold: Graph) -> int | None:
        configurations = [run.initial, *(step.configuration for step in run.steps)]
        return next((k for k, c in enumerate(configurations) if self._reachable(c, gold) == "no"), None)

    def _rest(self, state: Address, c: Configuration, gold: Graph) -> str:
        """The address after following the oracle as far as it goes."""
        taken, _ = oracle_continues(self.system, c, gold, self.system.oracle(state.oracle or None))
        return state.link((*state.run, *(transition.instance for transition in taken)))


def _sentence(state: Address) -> tuple[Graph | None, tuple[str, ...] | None]:
    """Read the gold graph, from heads or arcs, and the words."""
    words = tuple(state.sentence.split()) or None
    if ">" in state.heads:
        gold: Graph | None = parse_arcs(state.heads, None if words is None else len(words))
    else:
        heads = parse_heads(state.heads)
        if heads and words is not None and len(heads) != len(words):
            raise BadGraph(
                f"{counted(abs(len(heads) - len(words)), 'head')} too {'few' if len(heads) < len(words) else 'many'}: "
                f"{counted(len(heads), 'head')} for {counted(len(words), 'word')}; "
                "each word has one head, 0 for the root, or _ for none"
            )
        gold = graph_of(heads) if heads else None
    count = len(words or ()) if gold is None else gold.words
    if not 1 <= count <= MOST_WORDS:
        raise BadState(f"{count} words; the page takes 1 to {MOST_WORDS}")
    return gold, words


def _transition(text: str) -> Transition:
    found = _TRANSITION.fullmatch(text)
    if found is None:
        raise BadState(f"`{text[:40]}` is not a transition; a run is written SHIFT LEFT-ARC[2] …")
    choice = found["choice"]
    return Transition(found["name"], None, () if choice is None else tuple(map(int, choice.split(","))))
