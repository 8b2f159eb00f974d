"""What a driver is: a small class around a parser, so that the parser can be checked against a figure.

**Required**, the four methods of `TransitionSystem`: `start(n)`, `permissible(c)`, `apply(c, t)`, `is_terminal(c)`.
Configurations and transitions may be anything.  Nodes are numbered as in figures: 0 is the root, 1..n are the words.

**Optional methods.**  Only what a driver provides is compared.

| method | what it gives |
|---|---|
| `name(t)` | the figure's name of a transition, `LEFT-ARC` or `LEFT-ARC[2]`; without it, `str(t)` |
| `components(c)` | some or all components of the state by the figure's names, `{"σ": [0, 1], "β": [2]}` |
| `arcs(c)` | the arcs built so far, as pairs (head, dependent) |
| `heads(c)` | the output at a terminal configuration: the head of each word, None for a word without a head |
| `oracle(heads)` | its static oracle: the transitions to a gold tree, lazily if it may never end |
| `cost(c, heads, t)` | its dynamic oracle: the cost of a transition, None where it does not say |
| `is_free(c, heads, t)` | a dynamic oracle that only says whether a transition is free, None where it does not say |
| `repair(heads, done, wrong)` | a dynamic oracle that answers a mistake with new transitions, see below |
| `encode(heads, labels)`, `decode(heads, labels)` | a tree made projective, and back |
| `accepts(heads)` | whether the parser accepts this gold tree at all |
| `version()` | what is being tested, `nltk 3.9.1` |

Components are in the order that the figure prints: the top of a stack is last; names are Greek or ASCII.  A `cost` is
how many more heads will be wrong, at best, because of the transition.  In `repair`, `done` is a prefix of what
`oracle(heads)` gives, and `wrong` is a permissible transition other than the next one; it gives the transitions to take
after them, up to the end of the run, which lead to the best output that can be reached after the mistake, or None if
this mistake is not repaired.  `encode` and `decode` give heads and labels, as they take them.

**Optional attributes**, which say what to expect of the parser.

| attribute | default | meaning |
|---|---|---|
| `figure` | none | the figure to compare it with, if the user names none |
| `least_words` | 0 | it accepts no sentence with fewer words |
| `golds` | what the figure is complete for, as trees | the class of trees for its oracles, `projective trees` |
| `encodes` | `trees` | the class of trees for `encode` |
| `encoded` | `projective trees` | the class of trees that `encode` is to give; None if any |
| `headless` | `"none"` | `"root"`: in the output, words without a head are dependents of 0 |
| `loss` | `"wrong heads"` | `"missed arcs"`: with `root none`, a root that gets a head costs nothing |
| `in_place` | False | `apply` changes the configuration it is given and may return None; every run starts anew |
| `not_modelled` | () | sentences for the report: what the driver leaves out on purpose |
| `requires` | none | what to install if an import fails in `__init__`, as pip names it: `nltk>=3.9` |
| `given` | () | for a driver around a class that others write: the driver's own methods, which are not their work |

Transitions that differ only in their labels may share a name: no guard depends on a label, and the first one is taken.
`permissible`, `is_terminal` and the optional methods must leave a configuration as it is; so must `apply` unless
`in_place`.  The comparison calls them twice, and reports what changed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from difflib import get_close_matches
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, get_args

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.conformance.calls import as_text, shown
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.graph import Heads

C = TypeVar("C")
T = TypeVar("T")

Component: TypeAlias = Sequence[int] | AbstractSet[int] | bool | int
Labels: TypeAlias = tuple[str, ...]
Headless: TypeAlias = Literal["none", "root"]
Loss: TypeAlias = Literal["wrong heads", "missed arcs"]


class BadDriver(ArcproofError, TypeError):
    """Not a valid driver; the message says what is missing or wrong, and what it should look like."""


class MissingLibrary(ArcproofError, ImportError):
    """A driver whose library is not installed."""


# --- what a driver has -----------------------------------------------------------------------------------------------

REQUIRED: Final[Mapping[str, str]] = {
    "start": "start(self, n)  # the initial configuration for n words",
    "permissible": "permissible(self, c)  # the transitions that may be applied, as a list",
    "apply": "apply(self, c, t)  # the configuration after the transition",
    "is_terminal": "is_terminal(self, c)  # whether a run ends here",
}


@dataclass(frozen=True)
class Declared:
    """What a driver says about the parser in its attributes; the tables above explain them."""

    figure: str | None = None
    least_words: int = 0
    golds: str | None = None
    encodes: str = "trees"
    encoded: str | None = "projective trees"
    headless: Headless = "none"
    loss: Loss = "wrong heads"
    in_place: bool = False
    not_modelled: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    version: str | None = None
    mistyped: tuple[tuple[str, str], ...] = ()
    """What the class has under names that nothing asks for, and what was probably meant, which it lacks."""


@dataclass(frozen=True)
class DriverParts(Generic[C, T]):
    """What a driver can do, looked up once; None for what it lacks."""

    start: Callable[[int], C]
    permissible: Callable[[C], Sequence[T]]
    apply: Callable[[C, T], C]
    is_terminal: Callable[[C], bool]
    name: Callable[[T], str]
    components: Callable[[C], Mapping[str, Component]] | None
    arcs: Callable[[C], Iterable[tuple[int, int]]] | None
    heads: Callable[[C], Sequence[int | None]] | None
    oracle: Callable[[Heads], Iterable[T]] | None
    cost: Callable[[C, Heads, T], int | None] | None
    is_free: Callable[[C, Heads, T], bool | None] | None
    repair: Callable[[Heads, Sequence[T], T], Iterable[T] | None] | None
    encode: Callable[[Heads, Labels], tuple[Sequence[int | None], Sequence[str]]] | None
    decode: Callable[[Heads, Labels], tuple[Sequence[int | None], Sequence[str]]] | None
    accepts: Callable[[Heads], bool] | None
    declared: Declared

    @property
    def optional(self) -> tuple[str, ...]:
        """The optional methods it has."""
        names = () if self.name is str else ("name",)
        return (*names, *(name for name in OPTIONAL if getattr(self, name) is not None))


OPTIONAL: Final = tuple(name for name in DriverParts.__annotations__ if name not in (*REQUIRED, "name", "declared"))
BY_HEADS: Final = tuple(name for name in OPTIONAL if name not in ("components", "arcs"))
"""The optional methods that take or return one head per word."""


def parts_of(driver: object) -> DriverParts[Any, Any]:
    """Return what a driver, or a class of drivers that needs no arguments, can do; raise `BadDriver` if something is
    missing.
    """
    try:
        return _parts(driver)
    except (ArcproofError, KeyboardInterrupt):
        raise
    except BaseException as error:
        kind = driver if isinstance(driver, type) else type(driver)
        raise BadDriver(f"{kind.__name__}() cannot be created: {shown(error)}") from None


def _parts(driver: object) -> DriverParts[Any, Any]:
    one = _made(driver) if isinstance(driver, type) else driver
    missing = [form for name, form in REQUIRED.items() if not callable(getattr(one, name, None))]
    if missing:
        lines = "".join(f"\n    def {form}" for form in missing)
        raise BadDriver(f"{_kind(one)} is not a driver yet; it lacks:{lines}")
    optional = {name: _optional(one, name) for name in OPTIONAL}
    _check_pairs(one, optional)
    required = {name: getattr(one, name) for name in REQUIRED}
    named = _optional(one, "name") or str
    return DriverParts(**required, **optional, name=named, declared=_declared(one))  # type: ignore[arg-type]


def _made(kind: type) -> object:
    try:
        return kind()
    except ImportError as error:
        requires = getattr(kind, "requires", None) or (error.name or "the library").partition(".")[0]
        raise MissingLibrary(f"{kind.__name__} needs {requires}: {error}; pip install '{requires}'") from None
    except TypeError as error:
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise  # within `__init__`
        raise BadDriver(f"{kind.__name__}() cannot be created without arguments: {error}") from None


def _kind(one: object) -> str:
    return type(one).__name__


def _optional(one: object, name: str) -> Callable[..., Any] | None:
    found = getattr(one, name, None)
    if found is not None and not callable(found):
        raise BadDriver(f"{_kind(one)}.{name} is {as_text(found)}; it must be a method")
    return found


def _check_pairs(one: object, optional: Mapping[str, object]) -> None:
    """Refuse a method that is useless without another."""
    for name, other in (("encode", "decode"), ("decode", "encode"), ("repair", "oracle")):
        if optional[name] is not None and optional[other] is None:
            raise BadDriver(f"{_kind(one)} has the method {name} but not the method {other} that it is compared with")


def _declared(one: object) -> Declared:
    version = _optional(one, "version")
    return Declared(
        figure=_attribute(
            one, "figure", None, lambda value: value is None or isinstance(value, str), "a name or path, as text"
        ),
        least_words=_attribute(
            one, "least_words", 0, lambda v: isinstance(v, int) and v >= 0, "a number of words, 0 or more"
        ),
        golds=_attribute(one, "golds", None, lambda v: v is None or isinstance(v, str), "a class of trees"),
        encodes=_attribute(one, "encodes", "trees", lambda v: isinstance(v, str), "a class of trees"),
        encoded=_attribute(
            one, "encoded", "projective trees", lambda v: v is None or isinstance(v, str), "a class of trees or None"
        ),
        headless=_attribute(one, "headless", "none", lambda v: v in get_args(Headless), '"none" or "root"'),
        loss=_attribute(one, "loss", "wrong heads", lambda v: v in get_args(Loss), '"wrong heads" or "missed arcs"'),
        in_place=_attribute(one, "in_place", False, lambda v: isinstance(v, bool), "True or False"),
        not_modelled=tuple(_attribute(one, "not_modelled", (), _is_several, "a list of sentences")),
        given=tuple(_attribute(one, "given", (), _is_several, "a list of the names of methods")),
        version=None if version is None else version(),
        mistyped=tuple(_mistyped(one)),
    )


def _mistyped(one: object) -> Iterator[tuple[str, str]]:
    known = (*REQUIRED, "name", *OPTIONAL, "version", "requires", *Declared.__annotations__)
    lacking = [name for name in known if getattr(one, name, None) is None]
    for name in dict.fromkeys(name for kind in type(one).__mro__[:-1] for name in vars(kind)):
        meant = get_close_matches(name, lacking, n=1, cutoff=0.8)
        if meant and name not in known and not name.startswith("_"):
            yield name, meant[0]


def _is_several(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _attribute(one: object, name: str, default: Any, is_right: Callable[[Any], bool], form: str) -> Any:
    found = getattr(one, name, default)
    if not is_right(found):
        raise BadDriver(f"{_kind(one)}.{name} is {as_text(found)}; it must be {form}")
    return found
