"""Arrays in Python's own lists: every function says what NumPy says."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcproof.process import plain_arrays as plain

KINDS = ("bool_", "uint8", "int16", "int32", "int64")
NUMBERS = {"bool_": st.booleans(), "uint8": st.integers(0, 9)}
Pair = tuple[Any, Any]


@st.composite
def arrays(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS, shape: tuple[int, ...] | None = None) -> Pair:
    """The same array of one to three dimensions, once in lists and once in NumPy."""
    kind = draw(st.sampled_from(kinds))
    lengths = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3)) if shape is None else shape
    size = int(np.prod(lengths, dtype=int))
    values = draw(st.lists(NUMBERS.get(kind, st.integers(-9, 9)), min_size=size, max_size=size))
    return both(values, kind, *lengths)


def both(values: list[Any], kind: str, *lengths: int) -> Pair:
    return tuple(
        module.array(values, dtype=getattr(module, kind)).reshape(*lengths or (len(values),)) for module in (plain, np)
    )  # type: ignore[return-value]


def same(one: Any, other: Any) -> None:
    """The same elements in the same shape, of the same type."""
    if isinstance(one, tuple):
        for left, right in zip(one, other, strict=True):
            same(left, right)
    elif isinstance(one, plain.ndarray):
        assert (one.tolist(), one.shape) == (other.tolist(), other.shape)
        assert one.dtype.__name__.rstrip("_") == ("object" if other.dtype == object else str(other.dtype))
    else:
        assert one == other


def asked(work: Callable[..., Any], *pairs: Pair) -> None:
    same(work(plain, *(one for one, _ in pairs)), work(np, *(other for _, other in pairs)))


VECTORS = arrays(kinds=("int64",), shape=(6,))
TABLES = arrays(shape=(3, 4))


@settings(max_examples=60)
@given(st.data(), st.sampled_from(["add", "mul", "and_", "or_", "xor", "eq", "ne", "lt", "le", "gt", "ge", "sub"]))
def test_two_arrays_element_by_element(data: st.DataObject, name: str) -> None:
    """With the shapes that go together: equal, one row, one column, a number."""
    work = getattr(operator, name)
    one = data.draw(arrays(kinds=("bool_", "int16", "int64"), shape=(3, 4)))
    other = data.draw(
        st.sampled_from([(3, 4), (4,), (1, 4), (3, 1)]).flatmap(
            lambda shape: arrays(kinds=("int16", "int64", "bool_"), shape=shape)
        )
    )
    if name == "sub" and {one[1].dtype.kind, other[1].dtype.kind} == {"b"}:
        with pytest.raises(TypeError):
            work(one[0], other[0])
        return
    asked(lambda _, left, right: work(left, right), one, other)
    asked(lambda _, left, right: work(right, left), one, other)
    if name not in ("and_", "or_", "xor") or one[1].dtype != bool:
        asked(lambda _, left: work(left, 3), one)


@settings(max_examples=40)
@given(arrays(kinds=("bool_", "int16", "int32", "int64")))
def test_one_array(pair: Pair) -> None:
    for work in (
        lambda _, a: ~a,
        lambda _, a: a.copy(),
        lambda _, a: a.T,
        lambda _, a: len(a),
        lambda _, a: a.any(),
        lambda _, a: a.all(),
        lambda _, a: a.sum(),
        lambda module, a: a.astype(module.int64),
        lambda module, a: a.astype(module.bool_),
        lambda _, a: a.reshape(a.size),
        lambda _, a: [list(map(int, row)) if a.ndim == 2 else None for row in a],
        lambda module, a: module.flatnonzero(a),
        lambda module, a: module.concatenate([a, a]),
        lambda module, a: module.repeat(a, 2, axis=0),
    ):
        asked(work, pair)
    for axis in range(pair[1].ndim):
        for name in ("any", "all", "sum"):
            asked(lambda _, a, axis=axis, name=name: getattr(a, name)(axis=axis), pair)


@settings(max_examples=40)
@given(TABLES, arrays(shape=(3, 4, 2)), st.lists(st.integers(-3, 2), max_size=5), st.data())
def test_parts(table: Pair, cube: Pair, rows: list[int], data: st.DataObject) -> None:
    kept = both(data.draw(st.lists(st.booleans(), min_size=3, max_size=3)), "bool_")
    places = both(rows, "int64")
    columns = both([abs(row) for row in rows], "int64")
    for key in (
        1,
        -1,
        slice(1, None),
        (slice(None), 2),
        (slice(None), 1, None),
        (None, slice(None), 1),
        (2, 3),
        slice(None, None, 2),
    ):
        asked(lambda _, a, key=key: a[key], table)
    asked(lambda _, a, keep: a[keep], table, kept)
    asked(lambda _, a, chosen: a[chosen], table, places)
    asked(lambda _, a, chosen, column: a[chosen, column], table, places, columns)
    asked(lambda _, a, chosen: a[:, chosen], table, columns)
    asked(lambda _, a: a[:, [0, 2]], table)
    asked(lambda _, a, chosen, column: a[chosen, 1, column & 1], cube, places, columns)
    asked(lambda _, a: a[:, 1, :], cube)
    asked(lambda _, a: a[2, 1, 1], cube)
    asked(lambda _, a, chosen: a[chosen], cube, places)
    grid = both([0, 1, 2, 2, 1, 0], "int64", 2, 3)
    asked(lambda module, a, chosen: a[module.arange(3), chosen], table, grid)


@settings(max_examples=30)
@given(TABLES, arrays(kinds=("int64",), shape=(2, 4)), arrays(kinds=("bool_",), shape=(3,)), st.integers(0, 1))
def test_parts_written(table: Pair, rows: Pair, column: Pair, value: int) -> None:
    def written(key: Any, what: Any) -> Callable[..., Any]:
        def work(module: Any, a: Any, *others: Any) -> Any:
            found = a.astype(module.int64)
            found[key(module)] = what(*others)
            return found

        return work

    asked(written(lambda module: module.array([2, 0]), lambda rows: rows), table, rows)
    asked(written(lambda _: (slice(None), 1), lambda column: column), table, column)
    asked(written(lambda module: (module.array([0, 2]), 1), lambda: value), table)
    asked(written(lambda module: (module.array([0, 2]), module.array([3, 1])), lambda: value), table)
    asked(written(lambda _: [0, 2], lambda: value), table)
    asked(written(lambda _: 1, lambda: value), table)
    asked(written(lambda module: module.array([True, False, True]), lambda rows: rows), table, rows)


@settings(max_examples=40)
@given(VECTORS, VECTORS, arrays(kinds=("bool_",), shape=(6,)))
def test_functions_of_vectors(one: Pair, other: Pair, kept: Pair) -> None:
    for work in (
        lambda module, a, b, _: module.minimum(a, b),
        lambda module, a, b, _: module.maximum(a, b),
        lambda module, a, _, __: module.maximum(a, 0),
        lambda module, a, b, k: module.where(k, a, b),
        lambda module, a, _, k: module.where(k, a, -1),
        lambda module, _, __, k: module.where(k, 0, 1_000),
        lambda module, a, b, _: module.logical_or(a, b),
        lambda module, a, b, k: module.logical_or.reduce([a > 0, b > 0, k]),
        lambda module, a, b, k: module.logical_and.reduce([a > 0, b > 0, k]),
        lambda module, a, _, __: module.sort(a),
        lambda module, a, _, __: module.argsort(a, kind="stable"),
        lambda module, a, b, _: module.lexsort((a, b)),
        lambda module, a, _, __: module.unique(a),
        lambda module, a, _, __: module.unique(a, return_index=True, return_inverse=True, return_counts=True),
        lambda module, a, b, _: module.isin(a, b),
        lambda module, a, b, _: module.setdiff1d(module.unique(a), module.unique(b), assume_unique=True),
        lambda module, a, b, _: module.setdiff1d(a, b),
        lambda module, a, b, _: module.searchsorted(module.sort(a), b),
        lambda module, a, b, _: module.searchsorted(module.sort(a), b, side="right"),
        lambda module, a, _, __: module.searchsorted(module.sort(a), 2, side="right"),
        lambda module, a, _, __: module.cumsum(a),
        lambda module, a, _, __: module.diff(a),
        lambda module, a, _, __: module.bincount(a * a, minlength=4),
        lambda module, a, _, __: module.argmax(a),
        lambda module, _, __, k: module.argmax(k),
        lambda module, a, b, _: module.stack([a, b], axis=1),
        lambda module, a, b, _: module.stack([a, b], axis=0),
        lambda module, a, b, _: module.repeat(a, b * b),
        lambda module, a, _, __: module.tile(a, 3),
        lambda module, a, _, __: module.tile(a.reshape(2, 3), (3, 1)),
        lambda module, a, _, __: module.left_shift(1, module.maximum(a, 0)),
        lambda _, a, __, ___: (a * a) << 2 >> 1,
        lambda module, a, b, _: module.concatenate([a.reshape(2, 3), b.reshape(2, 3)], axis=1),
        lambda module, a, _, __: module.minimum.reduceat(a.reshape(3, 2), module.array([0, 1]), axis=0),
        lambda module, a, _, __: module.logical_or.reduceat((a > 3).reshape(6, 1), module.array([0, 2, 5]), axis=0),
        lambda module, a, _, __: module.minimum.reduceat(a, module.array([0, 0, 4, 2]), axis=0),
        lambda _, a, b, __: (int(a.min()), int(b.max())),
        lambda _, a, b, __: a.__iadd__(b > 0),
    ):  # fmt: skip
        asked(work, *((one[0].copy(), one[1].copy()), other, kept))


def test_arrays_made() -> None:
    for work in (
        lambda module: module.zeros(3),
        lambda module: module.zeros((2, 0), dtype=module.int64),
        lambda module: module.ones(2, dtype=module.bool_),
        lambda module: module.full((2, 2), 255, dtype=module.uint8),
        lambda module: module.full(2, 7),
        lambda module: module.arange(4),
        lambda module: module.array([[1, 2], [3, 4]], dtype=module.int64),
        lambda module: module.array([(True, False)]),
        lambda module: module.array([1 << 80, 2], dtype=object) >> 1,
        lambda module: module.zeros(2) + module.array([True, False]),
        lambda module: module.minimum(module.array([1, 2]), module.array([2, 1]), out=module.zeros(2, dtype=module.int64)),
    ):  # fmt: skip
        asked(work)


def test_what_numpy_would_wrap_round_is_refused() -> None:
    with pytest.raises(OverflowError):
        plain.array([256], dtype=plain.uint8)
    with pytest.raises(OverflowError):
        plain.array([255], dtype=plain.uint8) + plain.array([1], dtype=plain.uint8)


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(ValueError, match="do not go together"):
        plain.arange(3) + plain.arange(2)
    with pytest.raises(IndexError):
        plain.arange(3)[plain.array([3])]
    with pytest.raises(ValueError, match="different lengths"):
        plain.array([[1], [1, 2]])
    with pytest.raises(ValueError, match="several elements"):
        bool(plain.arange(2))
