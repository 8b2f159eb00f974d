"""Python expressions for a generated test: what it asks a driver."""

from collections.abc import Sequence

from arcproof.properties.conformance.conform import Conformance


def name(found: Conformance, t: str) -> str:
    """Return an expression for the name of a transition in the figure."""
    return f"driver.name({t})" if "name" in found.methods else f"str({t})"


def listed(names: Sequence[str]) -> str:
    """Return an expression for a list of transition names."""
    return "[" + ", ".join(f"{name!r}" for name in names) + "]"


def plain(value: object) -> str:
    """Return an expression for the value of a component."""
    match value:
        case tuple():
            return repr(list(value))
        case frozenset():
            return "{" + ", ".join(map(repr, sorted(value))) + "}" if value else "set()"
        case _:
            return repr(value)


def rooted(found: Conformance, heads: Sequence[int | None]) -> list[int | None]:
    """Return the expected heads, in the form in which they are compared."""
    return [0 if head is None and is_rooted(found) else head for head in heads]


def is_rooted(found: Conformance) -> bool:
    """Whether words without a head count as dependents of 0."""
    return found.declared.headless == "root" or not found.system.has_root


def heads_of(found: Conformance, c: str) -> str:
    """Return an expression for the driver's output, in the form in which it is compared."""
    return f"[head or 0 for head in driver.heads({c})]" if is_rooted(found) else f"list(driver.heads({c}))"
