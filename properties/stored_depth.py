"""Questions that researchers ask in addition to the claims, as pieces of the run store: classes, oracle lengths,
superfluous parts.

Graph classes are not stored but found again by their index.  A run that shows why a part is needed is taken again in
the figure without that part.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arcproof.process.codec import Json, encoded
from arcproof.properties.checks.class_of import ClassRelation, Relation, classes_for
from arcproof.properties.checks.oracle_correct import LeadsTo
from arcproof.properties.checks.oracle_quality import OracleQuality
from arcproof.properties.checks.preconditions import Need, dropped_preconditions
from arcproof.properties.checks.useful import Use
from arcproof.properties.engines.levels import Levels
from arcproof.properties.evidence import Counterexample
from arcproof.properties.stored import Pieces, read
from arcproof.properties.studies.faults import run_of
from arcproof.transitions.graph import Graph
from arcproof.transitions.syntax import Figure
from arcproof.transitions.system import System


def stored_classes(
    pieces: Pieces, levels: Levels, do: Callable[[], tuple[ClassRelation, ...]]
) -> tuple[ClassRelation, ...]:
    """How the outputs relate to every known class."""
    known = classes_for(levels.system)

    def to_json(found: tuple[ClassRelation, ...]) -> Json:
        return [encoded((known.index(one.graphs), one.relation, one.outside, one.missing, one.words)) for one in found]

    def from_json(value: Any) -> tuple[ClassRelation, ...] | None:
        rows = read(list[tuple[int, Relation, Graph | None, Graph | None, int]], value)
        if any(not 0 <= place < len(known) for place, *_ in rows):
            return None
        return tuple(ClassRelation(known[place], *rest) for place, *rest in rows)

    return pieces.piece("classes", {"words": levels.words}, f"classes, {levels.words} words", do, to_json, from_json)


def stored_quality(pieces: Pieces, levels: Levels, asked: LeadsTo, do: Callable[[], OracleQuality]) -> OracleQuality:
    """Whether an oracle takes shortest derivations; a graph for which it does not is derived again."""
    bounded = levels.system.class_with_parameters(asked.graphs)

    def to_json(found: OracleQuality) -> Json:
        return encoded((found.oracle, found.longer_on, found.taken, found.needed, found.words, found.derived))

    def from_json(value: Any) -> OracleQuality | None:
        oracle, longer, taken, *rest = read(tuple[str, Graph | None, int, int, int, int], value)
        if oracle != asked.oracle or (longer is not None and len(levels.system.derive(longer, oracle)) != taken):
            return None
        return OracleQuality(oracle, bounded, longer, taken, *rest)

    about = {"oracle": repr(asked), "words": levels.words}
    return pieces.piece("oracle", about, f"{asked.oracle}, {levels.words} words", do, to_json, from_json)


def stored_uses(pieces: Pieces, levels: Levels, do: Callable[[], tuple[Use, ...]]) -> tuple[Use, ...]:
    """The use of each transition."""
    system = levels.system
    rules = system.figure.rules
    parts = [replace(system.figure, rules=tuple(other for other in rules if other is not rule)) for rule in rules]

    def believed(found: tuple[Use, ...]) -> bool:
        shown = [None if one.broken is None else one.broken.counterexample for one in found]
        return not shown or _all_are_runs(system, parts, shown)

    return pieces.value("uses", tuple[Use, ...], levels.words, do, believed)


def stored_needs(pieces: Pieces, levels: Levels, do: Callable[[], tuple[Need, ...]]) -> tuple[Need, ...]:
    """The need for each precondition."""
    system = levels.system
    parts = [figure for _, _, figure in dropped_preconditions(system.figure)]

    def believed(found: tuple[Need, ...]) -> bool:
        return not found or _all_are_runs(system, parts, [one.counterexample for one in found])

    return pieces.value("needs", tuple[Need, ...], levels.words, do, believed)


def _all_are_runs(system: System, parts: list[Figure], shown: list[Counterexample | None]) -> bool:
    """Whether each stored run is one of the figure without that part."""
    if len(parts) != len(shown):
        return False
    return all(
        found is None
        or found.transitions is None
        or run_of(replace(system, figure=part), found.words, found.transitions, past_terminal=True) is not None
        for part, found in zip(parts, shown, strict=True)
    )
