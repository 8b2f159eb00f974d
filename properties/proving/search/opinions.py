"""What solvers say in a search, and what they said in earlier ones about the same system."""

from dataclasses import dataclass, field
from functools import cached_property

from arcproof.properties.proving.search.first_opinion import Z3ForPremises
from arcproof.properties.proving.search.second_opinion import Cvc5ForPremises
from arcproof.properties.proving.trusted.calls import SolverCalls


@dataclass(frozen=True)
class Opinions:
    """Both solvers, with their memories, asked in these processes."""

    calls: SolverCalls = field(default_factory=SolverCalls)

    @cached_property
    def z3(self) -> Z3ForPremises:
        """Z3."""
        return Z3ForPremises(calls=self.calls)

    @cached_property
    def cvc5(self) -> Cvc5ForPremises:
        """The second."""
        return Cvc5ForPremises(calls=self.calls)
