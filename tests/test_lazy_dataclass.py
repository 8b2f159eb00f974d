"""Our dataclasses beside standard ones: every class of the trees, the plan and the reports, and classes with all that a
field can be.
"""

import dataclasses
import inspect
import pickle
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from arcproof.process.shown import Shown, WithDocument, WithLatex, WithPicture, WithTable
from tests.conftest import ROOT

OURS = "from arcproof.process.lazy_dataclass import dataclass\n"
CAPABILITIES = (Shown, WithDocument, WithTable, WithPicture, WithLatex)
WRITTEN = ("__init__", "__repr__", "__eq__", "__hash__")


def modules() -> list[str]:
    """The modules with dataclasses of ours that need nothing heavy."""
    paths = [path for folder in ("transitions", "generators", "properties") for path in (ROOT / folder).rglob("*.py")]
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths if OURS in path.read_text("utf-8")
    ]
    return [f"arcproof.{name}" for name in sorted(names)]


def kinds(module: str) -> list[type]:
    """The dataclasses that a module defines."""
    defined = [value for value in vars(import_module(module)).values() if isinstance(value, type)]
    return [kind for kind in defined if kind.__module__ == module and "__dataclass_fields__" in vars(kind)]


def standard(kind: type) -> type:
    """What the standard decorator makes of the fields of a class."""
    own = vars(kind)
    parts = [(field.name, field.type, copied(field)) for field in dataclasses.fields(kind)]
    frozen, slots, eq = "__setattr__" in own, "__slots__" in own, "__eq__" in own
    shown = "__repr__" in own
    bases = tuple(base for base in kind.__bases__ if base in CAPABILITIES)
    made = dataclasses.make_dataclass(kind.__name__, parts, bases=bases, frozen=frozen, slots=slots, eq=eq, repr=shown)
    made.__qualname__ = kind.__qualname__
    return made


def copied(field: "dataclasses.Field[Any]") -> Any:
    given = {} if field.default is dataclasses.MISSING else {"default": field.default}
    if field.default_factory is not dataclasses.MISSING:
        given = {"default_factory": field.default_factory}
    return dataclasses.field(
        init=field.init, repr=field.repr, compare=field.compare, hash=field.hash, kw_only=field.kw_only, **given
    )


def is_plain(kind: type) -> bool:
    """Whether a class leaves all that is written to its decorator."""
    text = inspect.getfile(kind)
    written = [vars(kind)[name] for name in WRITTEN if vars(kind).get(name) is not None]
    own = any(method.__code__.co_filename == text for method in written)
    return (
        not own
        and not inspect.isabstract(kind)
        and not hasattr(kind, "__post_init__")
        and "__reduce__" not in vars(kind)
    )


def observed(kind: type, names: list[str], values: list[Any]) -> list[object]:
    """What can be seen of two objects of a class that differ in one field after the other."""
    first, again = kind(**dict(zip(names, values, strict=True))), kind(**dict(zip(names, values, strict=True)))
    text = "its own" if isinstance(first, Shown) else repr(first)
    seen: list[object] = [text, first == again, first == 3, dataclasses.asdict(first), kind.__match_args__]
    seen.append([field.name for field in dataclasses.fields(kind)])
    seen.append(outcome(hash, first) if first == again else "its own")
    seen.append(first.__reduce_ex__(4)[2])
    seen.append([first == dataclasses.replace(first, **{name: "other"}) for name in names])
    for name in [*names, "no_field"]:
        seen.append(outcome(setattr, again, name, "set"))
        seen.append(outcome(delattr, again, name))
    seen.append(outcome(kind, no_field=1))
    seen.append(outcome(kind, *range(len(names) + 1)))
    return seen


def outcome(action: Any, *given: object, **named: object) -> object:
    try:
        result: object = action(*given, **named)
    except (TypeError, AttributeError) as error:
        return type(error).__name__, str(error)
    return result


@pytest.mark.long
@pytest.mark.parametrize("module", modules())
def test_every_dataclass_behaves_as_a_standard_one(module: str) -> None:
    for kind in filter(is_plain, kinds(module)):
        names = [field.name for field in dataclasses.fields(kind) if field.init]
        values = [f"value {name}" for name in names]
        theirs = observed(standard(kind), names, values)
        if "__slots__" in vars(kind) and "__setattr__" in vars(kind):
            theirs[-4:-2] = [
                ("FrozenInstanceError", f"cannot {verb} field 'no_field'") for verb in ("assign to", "delete")
            ]
        assert observed(kind, names, values) == theirs, kind
        assert [vars(kind).get(name) is None for name in WRITTEN] == [
            vars(standard(kind)).get(name) is None for name in WRITTEN
        ]


def test_the_trees_and_the_plan_are_among_them() -> None:
    found = modules()
    assert {"arcproof.transitions.syntax", "arcproof.transitions.plan"} <= set(found)
    assert sum(len(list(filter(is_plain, kinds(name)))) for name in found) > 150


def test_a_tree_is_pickled() -> None:
    from arcproof.transitions.system import load

    figure = load("swap").figure
    again = pickle.loads(pickle.dumps(figure))
    assert again == figure
    assert hash(again) == hash(figure)
    assert repr(again) == repr(figure)


def test_the_standard_decorator_is_not_used_for_trees() -> None:
    for name in ("syntax", "plan"):
        assert "from dataclasses import dataclass" not in Path(ROOT, "transitions", f"{name}.py").read_text("utf-8")
