"""Stored certificates: what the search found for the built-in systems, so that their proofs can be checked without a
new search.

A certificate is not trusted.  It names the conjuncts of an invariant, the lemmas, and the premises that each step uses;
the obligations are built from the figure as it is now (`discharge.obligations`), and both solvers discharge every one
of them.  A certificate that was tampered with, that belongs to another figure, or that is out of date cannot produce a
false proof; it can only fail.

The files are JSON, `SYSTEM.json` beside this module, written by `arcproof prove --certificates`.  A problem is looked
up by a hash (`identity`).  Premises are stored as indices into the list of names.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arcproof.properties.proving.language.terms import to_smt
from arcproof.properties.proving.trusted.discharge import Certificate
from arcproof.properties.proving.trusted.problem import Key, Problem, key_of, key_texts
from arcproof.transitions.errors import ArcproofError, UnreadableFile
from arcproof.transitions.reading.files import bytes_of

FORMAT: Final = 1
"""Bytes; the largest of the built-in systems has 106,340."""
Certificates = Mapping[str, Certificate]
"""Certificates by the identity of the problem they solve."""


def identity(problem: Problem) -> str:
    """A name for a problem: its axioms, its moves with their premises, its goals, and the names of what is known.

    The lemmas that may be used do not matter: adding or removing one leaves the certificates valid.
    """
    steps = [premise for move in problem.moves for premise in ((move.name, None), *move.premises, *move.facts)]
    named = [*problem.axioms, *steps]
    named += [entry for goal in problem.goals for entry in ((goal.name, goal.term), *goal.premises)]
    known = [c.name for c in (*problem.given, *problem.background)]
    lines = [f"{name}: {'' if term is None else to_smt(term)}" for name, term in named] + known
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def folder() -> Path:
    """The folder with the certificates of the built-in systems."""
    return Path(__file__).resolve().parent


def file_of(system: str, where: Path) -> Path:
    """The file of a system's certificates in a folder."""
    return where / f"{system}.json"


def on_file(system: str, where: Path | None = None) -> dict[str, Certificate]:
    """The certificates of a system; none if there is no file."""
    path = file_of(system, where or folder())
    try:
        return from_text(bytes_of(path, "file of certificates").decode())
    except FileNotFoundError:
        return {}
    except UnreadableFile:
        raise
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ArcproofError(
            f"{path} is not a file of certificates written by `arcproof prove --certificates`: {error}"
        ) from error


def write(system: str, certificates: Certificates, where: Path) -> None:
    """Write the file of a system."""
    where.mkdir(parents=True, exist_ok=True)
    file_of(system, where).write_text(to_text(system, certificates), encoding="utf-8")


def to_text(system: str, certificates: Certificates) -> str:
    """The text of a file, with a line for each step of each proof."""
    names = sorted({name for certificate in certificates.values() for name in _names(certificate)})
    number = {name: place for place, name in enumerate(names)}
    proofs = []
    for problem, certificate in sorted(certificates.items()):
        steps = [
            json.dumps([*key_texts(key), [number[name] for name in core]], ensure_ascii=False)
            for key, core in certificate.cores.items()
        ]
        parts = [
            f'"problem": "{problem}"',
            *(f'"{part}": {[number[name] for name in some]}' for part, some in _parts(certificate)),
        ]
        proofs.append("{" + ", ".join(parts) + ', "steps": [\n' + ",\n".join(steps) + "]}")
    head = json.dumps({"format": FORMAT, "system": system}, ensure_ascii=False)[:-1]
    listed = ",\n".join(json.dumps(name, ensure_ascii=False) for name in names)
    return f'{head}, "names": [\n{listed}],\n"proofs": [\n' + ",\n".join(proofs) + "]}\n"


def from_text(text: str) -> dict[str, Certificate]:
    """The certificates of a file; raises `ValueError`, `LookupError`, `TypeError` or the like if it is anything
    else.
    """
    value = json.loads(text)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT}")
    names = [_text(name) for name in _list(value["names"])]
    return {_text(entry["problem"]): _certificate(names, entry) for entry in _list(value["proofs"])}


def _certificate(names: list[str], entry: dict[str, Any]) -> Certificate:
    def called(places: Any) -> tuple[str, ...]:
        return tuple(names[_place(place, names)] for place in _list(places))

    steps = [(_text(what), _text(where), called(core)) for what, where, core in _list(entry["steps"])]
    cores: dict[Key, tuple[str, ...]] = {key_of(what, where): core for what, where, core in steps}
    return Certificate(called(entry["invariant"]), called(entry["lemmas"]), cores)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"a list was expected, not {type(value).__name__}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a name was expected, not {type(value).__name__}")
    return value


def _place(value: Any, names: list[str]) -> int:
    if type(value) is not int or not 0 <= value < len(names):
        raise ValueError("a name that is not in the list of names")
    return value


def _parts(certificate: Certificate) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return ("invariant", certificate.invariant), ("lemmas", certificate.lemmas)


def _names(certificate: Certificate) -> set[str]:
    used = {name for core in certificate.cores.values() for name in core}
    return used | set(certificate.invariant) | set(certificate.lemmas)
