"""A randomly drawn run of any transition system."""

from typing import Any, Generic, Literal, TypeAlias, TypeVar

from arcproof.process.lazy_dataclass import dataclass

C = TypeVar("C")
T = TypeVar("T")

End: TypeAlias = Literal["terminal", "dead end", "cut off"]


@dataclass(frozen=True, slots=True, repr=False)
class DrawnRun(Generic[C, T]):
    """A run from the initial configuration: `transitions[k]` leads from `configurations[k]` to the next.

    It ends at the first terminal configuration or at a dead end, or was cut off after too many steps.
    """

    words: int
    configurations: tuple[C, ...]
    transitions: tuple[T, ...]
    end: End

    def __repr__(self) -> str:
        """The transitions, which decide everything else."""
        return f"<{self.words} words: {' '.join(map(str, self.transitions))}; {self.end}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """The same where Hypothesis shows an example."""
        printer.text(repr(self))

    @property
    def last(self) -> C:
        """The configuration at which the run ends."""
        return self.configurations[-1]
