"""The solvers' answers in a search, and in earlier searches about the same system."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from arcproof.properties.proving.search.first_opinion import Z3ForPremises
from arcproof.properties.proving.search.second_opinion import Cvc5ForPremises
from arcproof.properties.proving.trusted.calls import SolverCalls


@dataclass(frozen=True)
class Opinions:
    """Both solvers, with their caches, called in these processes; `memory` gives each the answers from earlier runs."""

    calls: SolverCalls = field(default_factory=SolverCalls)
    memory: "Callable[[str], dict[Any, Any]]" = field(default=lambda _: {})

    @cached_property
    def z3(self) -> Z3ForPremises:
        """Z3."""
        return Z3ForPremises(self.memory("z3"), self.calls)

    @cached_property
    def cvc5(self) -> Cvc5ForPremises:
        """The second solver."""
        return Cvc5ForPremises(self.memory("cvc5"), self.calls)
