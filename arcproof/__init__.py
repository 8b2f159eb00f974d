"""arcproof: run, attack, prove and train transition systems for dependency parsing.

>>> import arcproof
>>> derivation = arcproof.load("swap").derive(arcproof.graph_of([2, 0, 2]))
>>> [str(transition) for transition in derivation.transitions]
['SHIFT', 'SHIFT', 'LEFT-ARC', 'SHIFT', 'RIGHT-ARC', 'RIGHT-ARC']

Every command for which that makes sense is a function here, with the same name and defaults; docs/python.md is the
reference.

>>> arcproof.compare("arc-standard", "arc-hybrid", words=3, engine="interpreter")
contains: arc-standard derives every graph that arc-hybrid derives, and more, up to 3 words (16 in common)
only arc-standard: _   SHIFT
"""

import os.path

from arcproof._version import __version__

_BESIDE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
if os.path.isfile(os.path.join(_BESIDE, "transitions", "syntax.py")):  # a checkout: other folders are beside this one
    __path__.append(_BESIDE)

TYPE_CHECKING = False  # `typing` takes a while to import, and until a command is begun Ctrl-C shows a traceback
if TYPE_CHECKING:
    from arcproof.interface.functions import (
        check,
        check_proof,
        compare,
        conform,
        coverage,
        evaluate,
        experiment,
        explore,
        export,
        mutate,
        new,
        oracle,
        parse,
        prove,
        reach,
        repair,
        show,
        trace,
        train,
        verify,
        why,
    )
    from arcproof.properties.proving.prove import ProofReport
    from arcproof.properties.report import Report
    from arcproof.properties.verdict import Verdict
    from arcproof.transitions.configuration import Configuration, Derivation, Transition
    from arcproof.transitions.errors import ArcproofError
    from arcproof.transitions.graph import Arc, Graph, graph_of
    from arcproof.transitions.system import System, load

__all__ = [  # not `list`, which would hide the built-in one from `import *`
    "Arc",
    "ArcproofError",
    "Configuration",
    "Derivation",
    "Graph",
    "ProofReport",
    "Report",
    "System",
    "Transition",
    "Verdict",
    "__version__",
    "check",
    "check_proof",
    "compare",
    "conform",
    "coverage",
    "evaluate",
    "experiment",
    "explore",
    "export",
    "graph_of",
    "load",
    "mutate",
    "new",
    "oracle",
    "parse",
    "prove",
    "reach",
    "repair",
    "show",
    "trace",
    "train",
    "verify",
    "why",
]

_FUNCTIONS = "arcproof.interface.functions"
_HOME = {
    "Arc": "arcproof.transitions.graph",
    "ArcproofError": "arcproof.transitions.errors",
    "Configuration": "arcproof.transitions.configuration",
    "Derivation": "arcproof.transitions.configuration",
    "Graph": "arcproof.transitions.graph",
    "ProofReport": "arcproof.properties.proving.prove",
    "Report": "arcproof.properties.report",
    "System": "arcproof.transitions.system",
    "Transition": "arcproof.transitions.configuration",
    "Verdict": "arcproof.properties.verdict",
    "check": _FUNCTIONS,
    "check_proof": _FUNCTIONS,
    "compare": _FUNCTIONS,
    "conform": _FUNCTIONS,
    "coverage": _FUNCTIONS,
    "evaluate": _FUNCTIONS,
    "experiment": _FUNCTIONS,
    "explore": _FUNCTIONS,
    "export": _FUNCTIONS,
    "graph_of": "arcproof.transitions.graph",
    "list": _FUNCTIONS,
    "load": "arcproof.transitions.system",
    "mutate": _FUNCTIONS,
    "new": _FUNCTIONS,
    "oracle": _FUNCTIONS,
    "parse": _FUNCTIONS,
    "prove": _FUNCTIONS,
    "reach": _FUNCTIONS,
    "repair": _FUNCTIONS,
    "show": _FUNCTIONS,
    "trace": _FUNCTIONS,
    "train": _FUNCTIONS,
    "verify": _FUNCTIONS,
    "why": _FUNCTIONS,
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that the command line starts at once."""
    if name not in _HOME:
        raise AttributeError(f"module 'arcproof' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
