"""Proofs that two systems have the same outputs."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from arcproof.properties.proving.methods.completeness import complete, sound
from arcproof.properties.proving.theorem import (
    Hindrance,
    Method,
    Theorem,
    Topic,
    judged,
    not_proved,
)
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import class_text

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover


def equivalent(prover: "Prover", about: Topic, reference: str) -> Theorem:
    """Prove that two systems have the same outputs: both are sound and complete for one class."""
    other = prover.beside(prover.system.other(reference))
    theorem = not_proved(about, Hindrance.NO_COMMON_CLASS, reference)
    for graphs in _common(prover, other):
        parts = [theorem for one in (prover, other) for theorem in _exact(one, about, graphs)]
        theorem = next((part for part in parts if part.verdict is not Verdict.PROVED), None) or joined(about, parts)
        theorem = replace(theorem, method=Method(exactly=class_text(graphs)), values=other.named_values)
        if theorem.verdict is Verdict.PROVED:
            break
    return theorem


def _common(prover: "Prover", other: "Prover") -> list[s.GraphClass]:
    """The classes for which both systems claim to be sound and complete; with `root none` only trees can be."""
    both = [graphs for graphs in _claimed(prover) if graphs in _claimed(other)]
    return [g for g in both if g.base == "trees" or (prover.system.has_root and other.system.has_root)]


def _claimed(prover: "Prover") -> list[s.GraphClass]:
    found: dict[type[s.Statement], list[s.GraphClass]] = {s.Sound: [], s.CompleteFor: []}
    for claim in prover.system.figure.claims:
        if claim.kind == "plain" and isinstance(claim.statement, s.Sound | s.CompleteFor):
            found[type(claim.statement)].append(prover.system.class_with_parameters(claim.statement.graphs))
    return [graphs for graphs in found[s.Sound] if graphs in found[s.CompleteFor]]


def _exact(prover: "Prover", about: Topic, graphs: s.GraphClass) -> list[Theorem]:
    """Prove that the outputs are the graphs of a class, in two parts."""
    return [sound(prover, about, graphs), complete(prover, about, graphs)]


def joined(about: Topic, parts: Sequence[Theorem]) -> Theorem:
    """A theorem that rests on several others."""
    obligations = tuple({done.obligation.digest: done for part in parts for done in part.obligations}.values())
    witnesses = tuple(witness for part in parts for witness in part.witnesses)
    invariant = tuple(dict.fromkeys(conjunct for part in parts for conjunct in part.invariant))
    work = reduce(or_, (part.work for part in parts))
    dead = tuple(dict.fromkeys(move for part in parts for move in part.dead))
    assumptions = tuple(dict.fromkeys(assumed for part in parts for assumed in part.assumptions))
    return replace(judged(about, obligations, witnesses, invariant, dead=dead), work=work, assumptions=assumptions)
