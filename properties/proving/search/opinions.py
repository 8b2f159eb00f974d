"""What solvers say in a search, and what they said in earlier ones about the same system."""

from dataclasses import dataclass, field

from arcproof.properties.proving.search.first_opinion import Z3ForPremises
from arcproof.properties.proving.search.second_opinion import Cvc5ForPremises


@dataclass(frozen=True)
class Opinions:
    """Both solvers, with their memories."""

    z3: Z3ForPremises = field(default_factory=Z3ForPremises)
    cvc5: Cvc5ForPremises = field(default_factory=Cvc5ForPremises)
