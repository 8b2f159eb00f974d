"""The source of the theorems for `verify`, depending on the effort: the cache, stored certificates, or the prover."""

from dataclasses import dataclass
from functools import cached_property, partial

from arcproof.process.progress import Say
from arcproof.properties.engines.levels import Levels
from arcproof.properties.proving.certificates.files import on_file
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.recall import Memory, known, recalled
from arcproof.properties.proving.redundancy import Redundancies, redundancies
from arcproof.properties.proving.store import OnlyProved, default_store
from arcproof.properties.proving.theorem import Theorem, Topic
from arcproof.properties.report import Effort
from arcproof.properties.verdict import Verdict


@dataclass
class Proofs:
    """The theorems about one system."""

    levels: Levels
    effort: Effort
    say: Say

    @cached_property
    def prover(self) -> Prover:
        """The prover, which reuses the levels that have already been explored."""
        system = self.levels.system
        certificates = on_file(system.name) if self.effort.proofs == "certified" else None
        return Prover(system, self.say, certificates=certificates, jobs=self.effort.jobs, shared=self.levels)

    @cached_property
    def memory(self) -> Memory | None:
        """Where theorems are cached; a missing certificate is not cached."""
        store = None if self.effort.proofs == "afresh" else default_store()
        return OnlyProved(store) if store is not None and self.effort.proofs == "certified" else store

    def theorem(self, about: Topic, is_refuted: bool) -> Theorem | None:
        """The theorem, as far as the effort allows; a claim that is refuted is not tried, but a cached proof of it
        would be a contradiction.

        A claim without a certificate counts as not tried.
        """
        shown = partial(Prover.about, topic=about)
        if is_refuted or self.effort.proofs == "kept":
            theorem = known(self.prover, about, self.memory, shown)
        else:
            theorem = recalled(self.prover, about, self.memory, shown)
        if theorem is None or (self.effort.proofs == "certified" and theorem.verdict is not Verdict.PROVED):
            return None
        return theorem

    def redundancies(self) -> Redundancies | None:
        """Which preconditions are redundant for all n; if proofs are only recalled, so is the answer."""
        try:
            return redundancies(self.prover, self.memory, self.effort.proofs == "kept")
        except Unsupported:
            return None
