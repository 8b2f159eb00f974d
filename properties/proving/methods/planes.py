"""Soundness for 2-planar graphs, proved by two sequences that divide the arcs into planes."""

from functools import partial
from typing import TYPE_CHECKING

from arcproof.properties.claims.sound import Soundness
from arcproof.properties.proving.arguments import Argument
from arcproof.properties.proving.goals.objections import to_planes
from arcproof.properties.proving.goals.planes import (
    divisions,
    every_division,
    every_guess,
    guesses,
    in_planes,
    runs,
)
from arcproof.properties.proving.goals.soundness import soundness
from arcproof.properties.proving.theorem import Hindrance, Method, Theorem, Topic, not_proved
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover


def sound_in_planes(prover: "Prover", about: Topic, graphs: s.GraphClass) -> Theorem:
    """Prove soundness by the first two sequences whose planes can be proved to have no crossing arcs."""
    meanings = prover.meanings
    prover.confronted(soundness(meanings, graphs), Soundness(prover.system, graphs))
    theorem = not_proved(about, Hindrance.NO_PLANES)
    for planes in divisions(meanings, graphs) if prover.kept is None else every_division(meanings):
        about_planes = guesses(meanings, planes) if prover.certificates is None else every_guess(meanings)
        pool = [*prover.candidates, *about_planes]
        models = partial(runs, meanings, planes)
        problem = in_planes(meanings, graphs, planes)
        prover.agree(problem.goals, to_planes(prover.system, graphs, prover.compared_configurations))
        argument = Argument(problem, pool, models, models)
        theorem = prover.theorem(about, argument, Method(planes=str(planes)))
        if theorem.verdict is Verdict.PROVED:
            break
    return theorem
