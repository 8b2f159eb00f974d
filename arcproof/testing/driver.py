"""What a driver is: the four methods needed to check a parser against a figure, and the optional ones that let more be
compared.

The definitions are those of `arcproof.properties.conformance.driver`, which says what each part means.
"""

from arcproof.properties.conformance.driver import (
    Accepts,
    BadDriver,
    Component,
    Declared,
    Driver,
    DriverParts,
    Encodes,
    HasCosts,
    HasOracle,
    HasOutput,
    HasVersion,
    KnowsWhatIsFree,
    Labels,
    MissingLibrary,
    NamesTransitions,
    RepairsMistakes,
    ShowsArcs,
    ShowsComponents,
    parts_of,
)
from arcproof.transitions.graph import Heads

__all__ = [
    "Accepts",
    "BadDriver",
    "Component",
    "Declared",
    "Driver",
    "DriverParts",
    "Encodes",
    "HasCosts",
    "HasOracle",
    "HasOutput",
    "HasVersion",
    "Heads",
    "KnowsWhatIsFree",
    "Labels",
    "MissingLibrary",
    "NamesTransitions",
    "RepairsMistakes",
    "ShowsArcs",
    "ShowsComponents",
    "parts_of",
]
