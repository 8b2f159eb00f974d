"""arcproof: run, attack, prove and train transition systems for dependency parsing.

>>> import arcproof
>>> derivation = arcproof.load("swap").derive(arcproof.graph_of([2, 0, 2]))
>>> [str(transition) for transition in derivation.transitions]
['SHIFT', 'SHIFT', 'LEFT-ARC', 'SHIFT', 'RIGHT-ARC', 'RIGHT-ARC']
"""

import os.path

from arcproof._version import __version__

_BESIDE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
if os.path.isfile(os.path.join(_BESIDE, "transitions", "syntax.py")):  # a checkout: other folders are beside this one
    __path__.append(_BESIDE)

TYPE_CHECKING = False  # `typing` takes a while to import, and until a command is begun Ctrl-C shows a traceback
if TYPE_CHECKING:
    from arcproof.properties.proving.prove import ProofReport, prove
    from arcproof.properties.report import Report
    from arcproof.properties.studies.reach import reach
    from arcproof.properties.studies.repair import repair
    from arcproof.properties.verify import verify
    from arcproof.transitions.configuration import Configuration, Derivation, Transition
    from arcproof.transitions.errors import ArcproofError
    from arcproof.transitions.graph import Arc, Graph, graph_of
    from arcproof.transitions.system import System, load

__all__ = [
    "Arc",
    "ArcproofError",
    "Configuration",
    "Derivation",
    "Graph",
    "ProofReport",
    "Report",
    "System",
    "Transition",
    "__version__",
    "graph_of",
    "load",
    "prove",
    "reach",
    "repair",
    "verify",
]

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
    "graph_of": "arcproof.transitions.graph",
    "load": "arcproof.transitions.system",
    "prove": "arcproof.properties.proving.prove",
    "reach": "arcproof.properties.studies.reach",
    "repair": "arcproof.properties.studies.repair",
    "verify": "arcproof.properties.verify",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that the command line starts at once."""
    if name not in _HOME:
        raise AttributeError(f"module 'arcproof' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
