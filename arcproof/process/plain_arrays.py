"""As much of NumPy as the interpreter needs, on plain lists, for when NumPy is not installed.

The names, arguments and answers are NumPy's; `tests/test_plain_arrays.py` compares every one of them with it.  What
differs: indexing always copies, so writing to a part of an array goes through the array; and a number that does not fit
its type is an `OverflowError`, where NumPy would wrap around.
"""

import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise, starmap
from math import prod
from typing import Any, Final, TypeAlias

Shape: TypeAlias = tuple[int, ...]


class ElementType(type):
    """A type of elements."""


class generic(metaclass=ElementType):  # noqa: N801 - NumPy's names, here and below
    """Any element."""


class bool_(generic):  # noqa: N801
    """True or False."""


class uint8(generic):  # noqa: N801
    """0 to 255."""


class int16(generic):  # noqa: N801
    """16 bits."""


class int32(generic):  # noqa: N801
    """32 bits."""


class int64(generic):  # noqa: N801
    """64 bits."""


class float64(generic):  # noqa: N801
    """A floating-point number."""


WIDTHS: Final[tuple[type, ...]] = (bool_, uint8, int16, int32, int64, float64, object)
"""Element types from narrow to wide: two together give the wider one."""
RANGES: Final[dict[type, tuple[int, int]]] = {
    uint8: (0, 255),
    int16: (-(1 << 15), (1 << 15) - 1),
    int32: (-(1 << 31), (1 << 31) - 1),
    int64: (-(1 << 63), (1 << 63) - 1),
}
CONVERSIONS: Final[dict[type, Callable[[Any], Any]]] = {
    bool_: bool,
    uint8: int,
    int16: int,
    int32: int,
    int64: int,
    float64: float,
    object: lambda value: value,
}


def _kind_of_value(value: object) -> type:
    match value:
        case bool():
            return bool_
        case int():
            return int64
        case float():
            return float64
        case _:
            return object


def _known(kind: type) -> type:
    return {int: int64, bool: bool_, float: float64}.get(kind, kind)


def _size(shape: Shape) -> int:
    return prod(shape)


def _strides(shape: Shape) -> list[int]:
    found = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        found[axis] = found[axis + 1] * shape[axis + 1]
    return found


def _broadcast(shapes: Iterable[Shape]) -> Shape:
    found: list[int] = []
    for shape in shapes:
        found = [1] * (len(shape) - len(found)) + found
        for place, length in enumerate(reversed(shape), start=1):
            if length != 1 and found[-place] not in (1, length):
                raise ValueError(f"the shapes {shape} and {tuple(found)} do not go together")
            found[-place] = length if found[-place] == 1 else found[-place]
    return tuple(found)


def _spread(values: list[Any], shape: Shape, wanted: Shape) -> list[Any]:
    """The elements of an array, repeated to fill a larger shape."""
    if shape == wanted:
        return values
    if len(values) == 1:
        return values * _size(wanted)
    strides = [0] * (len(wanted) - len(shape)) + [
        0 if length == 1 else stride for length, stride in zip(shape, _strides(shape), strict=True)
    ]
    return [
        values[offset] for offset in _outer([[k * s for k in range(n)] for n, s in zip(wanted, strides, strict=True)])
    ]


def _outer(parts: Sequence[Sequence[int]]) -> list[int]:
    """Every sum of one number from each part, the last part varying fastest."""
    found = [0]
    for part in parts:
        found = [one + other for one in found for other in part]
    return found


class ndarray:  # noqa: N801
    """Elements of one type in one, two or three dimensions."""

    __slots__ = ("dtype", "shape", "values")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: list[Any], shape: Shape, dtype: type) -> None:
        """Take the elements as they are, the last index varying fastest."""
        if dtype in RANGES and values:
            least, most = RANGES[dtype]
            if min(values) < least or max(values) > most:
                raise OverflowError(f"a number does not fit into {dtype.__name__}")
        self.values, self.shape, self.dtype = values, shape, dtype

    def __class_getitem__(cls, _: object) -> type["ndarray"]:
        """For annotations."""
        return cls

    # --- what it is
    # ----------------------------------------------------------------------------------------------------

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self.values)

    @property
    def T(self) -> "ndarray":  # noqa: N802
        """The array with its dimensions reversed."""
        offsets = _outer(
            [[k * s for k in range(n)] for n, s in zip(self.shape, _strides(self.shape), strict=True)][::-1]
        )
        return ndarray([self.values[one] for one in offsets], self.shape[::-1], self.dtype)

    def __len__(self) -> int:
        """The length of the first dimension."""
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the elements, or the rows."""
        return iter(self.values) if len(self.shape) == 1 else (self[k] for k in range(len(self)))

    def __bool__(self) -> bool:
        """The truth value of the only element."""
        return bool(self._single())

    def __int__(self) -> int:
        """The only element as a number."""
        return int(self._single())

    def __index__(self) -> int:
        """The only element as an index."""
        return int(self)

    def __repr__(self) -> str:
        """Roughly what NumPy prints."""
        return f"array({self.tolist()}, dtype={self.dtype.__name__})"

    def _single(self) -> Any:
        if len(self.values) != 1:
            raise ValueError("an array of several elements is neither true nor false, and not a number")
        return self.values[0]

    def tolist(self) -> list[Any]:
        """Convert to a list, or nested lists."""
        return list(self.values) if len(self.shape) == 1 else [self[k].tolist() for k in range(len(self))]

    def astype(self, dtype: type) -> "ndarray":
        """Convert the elements to another type."""
        kind = _known(dtype)
        return ndarray(list(map(CONVERSIONS[kind], self.values)), self.shape, kind)

    def copy(self) -> "ndarray":
        """Copy the array."""
        return ndarray(list(self.values), self.shape, self.dtype)

    def reshape(self, *lengths: Any) -> "ndarray":
        """The same elements in another shape; -1 stands for the length that is left."""
        wanted = list(lengths[0] if isinstance(lengths[0], tuple) else lengths)
        if -1 in wanted:
            wanted[wanted.index(-1)] = self.size // max(1, prod(n for n in wanted if n != -1))
        if _size(tuple(wanted)) != self.size:
            raise ValueError(f"{self.size} elements do not fit the shape {tuple(wanted)}")
        return ndarray(list(self.values), tuple(wanted), self.dtype)

    # --- parts
    # ---------------------------------------------------------------------------------------------------------

    def _offsets(self, key: Any) -> tuple[list[int], Shape]:
        """The places of the elements of a part, and the shape of the part."""
        keys = list(key) if isinstance(key, tuple) else [key]
        keys += [slice(None)] * (len(self.shape) - sum(one is not None for one in keys))
        lists: list[ndarray | None] = []
        for one in keys:
            many = array(one) if isinstance(one, list | range) else one
            lists.append(flatnonzero(many) if isinstance(many, ndarray) and many.dtype is bool_ else many)
        has_lists = any(isinstance(one, ndarray) for one in lists)
        parts: list[list[int]] = []
        shape: list[int] = []
        joined: list[tuple[ndarray, int, int]] = []
        place, axis = (0, 0), 0
        strides = _strides(self.shape)
        for one in lists:
            if one is None:
                shape.append(1)
                continue
            length, stride = self.shape[axis], strides[axis]
            axis += 1
            if isinstance(one, slice):
                steps = range(*one.indices(length))
                parts.append([k * stride for k in steps])
                shape.append(len(steps))
            elif has_lists:
                if not joined:
                    place = (len(parts), len(shape))
                joined.append(
                    (one if isinstance(one, ndarray) else ndarray([operator.index(one)], (), int64), length, stride)
                )
            else:
                parts.append([_place(operator.index(one), length) * stride])
        if joined:
            together = _broadcast(one.shape for one, _, _ in joined)
            sums = [0] * _size(together)
            for one, length, stride in joined:
                spread = _spread(one.values, one.shape, together)
                sums = [total + _place(k, length) * stride for total, k in zip(sums, spread, strict=True)]
            parts.insert(place[0], sums)
            shape[place[1] : place[1]] = together
        return _outer(parts), tuple(shape)

    def __getitem__(self, key: Any) -> Any:
        """An element, or a copy of a part of the array."""
        if len(self.shape) == 1:
            if isinstance(key, int):
                return self.values[key]
            if isinstance(key, ndarray) and len(key.shape) == 1:
                if key.dtype is bool_:
                    chosen = [one for one, there in zip(self.values, key.values, strict=True) if there]
                else:
                    chosen = [self.values[k] for k in key.values]
                return ndarray(chosen, (len(chosen),), self.dtype)
        offsets, shape = self._offsets(key)
        if not shape:
            return self.values[offsets[0]]
        values = self.values
        return ndarray([values[one] for one in offsets], shape, self.dtype)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write to a part of the array."""
        offsets, shape = self._offsets(key)
        given = value if isinstance(value, ndarray) else array(value)
        fitting = given if given.dtype is self.dtype else given.astype(self.dtype)
        for offset, one in zip(offsets, _spread(fitting.values, fitting.shape, shape), strict=True):
            self.values[offset] = one

    # --- element by element
    # --------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> "ndarray":
        """Add; of truth values, whether either holds."""
        return _arithmetic(operator.add, self, other)

    def __radd__(self, other: Any) -> "ndarray":
        """Add."""
        return _arithmetic(operator.add, other, self)

    def __sub__(self, other: Any) -> "ndarray":
        """Subtract."""
        return _arithmetic(operator.sub, self, other)

    def __rsub__(self, other: Any) -> "ndarray":
        """Subtract."""
        return _arithmetic(operator.sub, other, self)

    def __mul__(self, other: Any) -> "ndarray":
        """Multiply."""
        return _arithmetic(operator.mul, self, other)

    def __rmul__(self, other: Any) -> "ndarray":
        """Multiply."""
        return _arithmetic(operator.mul, other, self)

    def __and__(self, other: Any) -> "ndarray":
        """Bitwise and."""
        return _arithmetic(operator.and_, self, other)

    def __or__(self, other: Any) -> "ndarray":
        """Bitwise or."""
        return _arithmetic(operator.or_, self, other)

    def __xor__(self, other: Any) -> "ndarray":
        """Bitwise exclusive or."""
        return _arithmetic(operator.xor, self, other)

    def __lshift__(self, other: Any) -> "ndarray":
        """Shift bits up."""
        return _arithmetic(operator.lshift, self, other)

    def __rshift__(self, other: Any) -> "ndarray":
        """Shift bits down."""
        return _arithmetic(operator.rshift, self, other)

    def __invert__(self) -> "ndarray":
        """Invert bits, or truth values."""
        turn = operator.not_ if self.dtype is bool_ else operator.invert
        return ndarray(list(map(turn, self.values)), self.shape, self.dtype)

    def __iadd__(self, other: Any) -> "ndarray":
        """Add in place; the type stays."""
        return self._become(self + other)

    def __iand__(self, other: Any) -> "ndarray":
        """In place."""
        return self._become(self & other)

    def __ior__(self, other: Any) -> "ndarray":
        """In place."""
        return self._become(self | other)

    def __ixor__(self, other: Any) -> "ndarray":
        """In place."""
        return self._become(self ^ other)

    def _become(self, other: "ndarray") -> "ndarray":
        self.values[:] = other.values if other.dtype is self.dtype else other.astype(self.dtype).values
        return self

    def __eq__(self, other: object) -> "ndarray":  # type: ignore[override]
        """Compare element by element: equal."""
        return _compared(operator.eq, self, other)

    def __ne__(self, other: object) -> "ndarray":  # type: ignore[override]
        """Compare element by element: not equal."""
        return _compared(operator.ne, self, other)

    def __lt__(self, other: Any) -> "ndarray":
        """Compare element by element: less."""
        return _compared(operator.lt, self, other)

    def __le__(self, other: Any) -> "ndarray":
        """Compare element by element: less or equal."""
        return _compared(operator.le, self, other)

    def __gt__(self, other: Any) -> "ndarray":
        """Compare element by element: greater."""
        return _compared(operator.gt, self, other)

    def __ge__(self, other: Any) -> "ndarray":
        """Compare element by element: greater or equal."""
        return _compared(operator.ge, self, other)

    # --- all of them
    # ---------------------------------------------------------------------------------------------------

    def any(self, axis: int | None = None) -> Any:
        """Whether any element is true."""
        return any(self.values) if axis is None else self._along(axis, any, bool_)

    def all(self, axis: int | None = None) -> Any:
        """Whether all elements are true."""
        return all(self.values) if axis is None else self._along(axis, all, bool_)

    def sum(self, axis: int | None = None) -> Any:
        """The sum; of truth values, how many are true."""
        kind = self.dtype if self.dtype in (float64, object) else int64
        return sum(self.values) if axis is None else self._along(axis, sum, kind)

    def min(self) -> Any:
        """The smallest element."""
        return min(self.values)

    def max(self) -> Any:
        """The largest element."""
        return max(self.values)

    def _along(self, axis: int, fold: Callable[[Iterable[Any]], Any], kind: type) -> Any:
        if len(self.shape) == 1:
            return fold(self.values)
        rest = self.shape[:axis] + self.shape[axis + 1 :]
        strides = _strides(self.shape)
        others = [
            [k * s for k in range(n)]
            for place, (n, s) in enumerate(zip(self.shape, strides, strict=True))
            if place != axis
        ]
        steps = [k * strides[axis] for k in range(self.shape[axis])]
        return ndarray([fold(self.values[start + step] for step in steps) for start in _outer(others)], rest, kind)


NDArray = ndarray
"""The name in `numpy.typing`."""


class dtype:  # noqa: N801
    """A name for annotations."""

    def __class_getitem__(cls, _: object) -> type["dtype"]:
        """Accept any parameter."""
        return cls


def _place(index: int, length: int) -> int:
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of range for length {length}")
    return index + length if index < 0 else index


def _as_array(value: Any) -> ndarray:
    return value if isinstance(value, ndarray) else array(value)


def _together(one: Any, other: Any) -> tuple[list[Any], list[Any], Shape, type]:
    """The elements of both in one shape, and their common type; a plain number takes the type of the array."""
    first, second = _as_array(one), _as_array(other)
    shape = first.shape if first.shape == second.shape else _broadcast((first.shape, second.shape))
    kinds = (first.dtype, second.dtype)
    for given, kind, of_other in ((one, *kinds), (other, *kinds[::-1])):
        if not isinstance(given, ndarray) and kind is int64 and of_other in RANGES:
            kinds = (of_other, of_other)
    kind = max(kinds, key=WIDTHS.index)
    return _spread(first.values, first.shape, shape), _spread(second.values, second.shape, shape), shape, kind


def _arithmetic(work: Callable[[Any, Any], Any], one: Any, other: Any) -> ndarray:
    left, right, shape, kind = _together(one, other)
    if kind is bool_:
        if work is operator.sub:
            raise TypeError("truth values cannot be subtracted")
        work = {operator.add: operator.or_, operator.mul: operator.and_}.get(work, work)
    return ndarray(list(map(work, left, right)), shape, kind)


def _compared(work: Callable[[Any, Any], Any], one: Any, other: Any) -> ndarray:
    left, right, shape, _ = _together(one, other)
    return ndarray(list(map(work, left, right)), shape, bool_)


# --- arrays made
# -------------------------------------------------------------------------------------------------------


def array(given: Any, dtype: type | None = None) -> ndarray:
    """Make an array of elements, of lists of elements, or of arrays."""
    if isinstance(given, ndarray):
        found = given.copy()
    else:
        values, shape = _flat(given)
        kind = max(set(map(_kind_of_value, values)), key=WIDTHS.index, default=float64) if dtype is None else object
        found = ndarray(values, shape, kind)
    return found if dtype is None else found.astype(dtype)


def _flat(given: Any) -> tuple[list[Any], Shape]:
    if isinstance(given, ndarray):
        return given.values, given.shape
    if not isinstance(given, list | tuple | range):
        return [given], ()
    if not any(isinstance(one, list | tuple | range | ndarray) for one in given):
        return list(given), (len(given),)
    rows = list(map(_flat, given))
    if len({shape for _, shape in rows}) != 1:
        raise ValueError("the rows have different lengths")
    return [one for values, _ in rows for one in values], (len(rows), *rows[0][1])


asarray = ascontiguousarray = array


def full(shape: int | Shape, value: Any, dtype: type | None = None) -> ndarray:
    """An array of the same element everywhere."""
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    kind = _kind_of_value(value) if dtype is None else _known(dtype)
    return ndarray([CONVERSIONS[kind](value)] * _size(lengths), lengths, kind)


def zeros(shape: int | Shape, dtype: type = float64) -> ndarray:
    """An array of zeros."""
    return full(shape, 0, dtype)


empty = zeros


def ones(shape: int | Shape, dtype: type = float64) -> ndarray:
    """An array of ones."""
    return full(shape, 1, dtype)


def arange(*limits: int) -> ndarray:
    """An array of the numbers of a range."""
    values = list(range(*map(operator.index, limits)))
    return ndarray(values, (len(values),), int64)


def concatenate(parts: Sequence[Any], axis: int = 0) -> ndarray:
    """Join arrays one after the other, or side by side."""
    arrays = list(map(_as_array, parts))
    kind = max((one.dtype for one in arrays), key=WIDTHS.index)
    if axis == 0:
        length = sum(len(one) for one in arrays)
        return ndarray([v for one in arrays for v in one.values], (length, *arrays[0].shape[1:]), kind).astype(kind)
    rows = [[v for one in arrays for v in one[k].values] for k in range(len(arrays[0]))]
    return ndarray([v for row in rows for v in row], (len(rows), sum(one.shape[1] for one in arrays)), kind).astype(
        kind
    )


def stack(parts: Sequence[ndarray], axis: int = 0) -> ndarray:
    """Join arrays as the rows, or the columns, of a new one."""
    kind = max((one.dtype for one in parts), key=WIDTHS.index)
    if axis == 0:
        return ndarray([v for one in parts for v in one.values], (len(parts), *parts[0].shape), kind).astype(kind)
    rows = zip(*(one.values for one in parts), strict=True)
    return ndarray([v for row in rows for v in row], (len(parts[0]), len(parts)), kind).astype(kind)


def repeat(given: Any, times: int | ndarray, axis: int | None = None) -> ndarray:
    """Repeat each element, or row."""
    of = _as_array(given)
    assert axis == 0 or of.ndim == 1
    counts = times.values if isinstance(times, ndarray) else [times] * len(of)
    found: ndarray = of[ndarray([k for k, count in enumerate(counts) for _ in range(count)], (sum(counts),), int64)]
    return found


def tile(given: ndarray, times: int | tuple[int, int]) -> ndarray:
    """Repeat the whole array."""
    count = times if isinstance(times, int) else times[0]
    assert isinstance(times, int) or times[1] == 1
    return ndarray(given.values * count, (len(given) * count, *given.shape[1:]), given.dtype)


# --- element by element
# ------------------------------------------------------------------------------------------------


def where(condition: ndarray, one: Any, other: Any) -> ndarray:
    """Take elements of one array where a condition is true, and of the other where it is not."""
    left, right, shape, kind = _together(one, other)
    whole = _broadcast((condition.shape, shape))
    parts = (
        _spread(values, of, whole)
        for values, of in ((condition.values, condition.shape), (left, shape), (right, shape))
    )
    return ndarray([CONVERSIONS[kind](a if holds else b) for holds, a, b in zip(*parts, strict=True)], whole, kind)


def left_shift(one: Any, other: Any) -> ndarray:
    """Shift bits up."""
    return _arithmetic(operator.lshift, one, other)


class Pairwise:
    """A function of two elements, applied to two arrays or to all rows of one."""

    def __init__(self, work: Callable[[Any, Any], Any], kind: type | None = None) -> None:
        """`kind` is the type of the result; by default that of the arguments."""
        self.work, self.kind = work, kind

    def __call__(self, one: Any, other: Any, out: ndarray | None = None) -> ndarray:
        """Apply it element by element."""
        left, right, shape, kind = _together(one, other)
        found = ndarray(list(map(self.work, left, right)), shape, self.kind or kind)
        return found if out is None else out._become(found)

    def reduce(self, parts: Sequence[ndarray]) -> ndarray:
        """Combine several arrays of one shape."""
        found = parts[0] if self.kind is None else parts[0].astype(self.kind)
        for part in parts[1:]:
            found = self(found, part)
        return found

    def reduceat(self, of: ndarray, firsts: ndarray, axis: int = 0) -> ndarray:
        """Combine the rows from each of `firsts` up to the next."""
        assert axis == 0
        wide = _size(of.shape[1:])
        rows = [of.values[k * wide : (k + 1) * wide] for k in range(len(of))]
        found: list[Any] = []
        for first, after in pairwise([*firsts.values, len(rows)]):
            row = rows[first]
            for other in rows[first + 1 : after]:
                row = list(map(self.work, row, other))
            found += row
        return ndarray(found, (len(firsts), *of.shape[1:]), of.dtype)


minimum: Final = Pairwise(min)
maximum: Final = Pairwise(max)
logical_or: Final = Pairwise(lambda one, other: bool(one or other), bool_)
logical_and: Final = Pairwise(lambda one, other: bool(one and other), bool_)


# --- all of them
# -------------------------------------------------------------------------------------------------------


def flatnonzero(of: ndarray) -> ndarray:
    """The places of the elements that are true."""
    places = [k for k, one in enumerate(of.values) if one]
    return ndarray(places, (len(places),), int64)


def argmax(of: ndarray) -> int:
    """The place of the largest element; the first of several."""
    return of.values.index(max(of.values))


def cumsum(given: Any) -> ndarray:
    """The running sums."""
    of = _as_array(given)
    return ndarray(list(accumulate(of.values)), of.shape, object if of.dtype is object else int64)


def diff(of: ndarray) -> ndarray:
    """The difference between each element and the next."""
    return ndarray(list(starmap(lambda one, after: after - one, pairwise(of.values))), (max(0, len(of) - 1),), of.dtype)


def bincount(of: ndarray, minlength: int = 0) -> ndarray:
    """Count how often each number occurs."""
    counts = [0] * max(minlength, 1 + max(of.values, default=-1))
    for one in of.values:
        counts[one] += 1
    return ndarray(counts, (len(counts),), int64)


def sort(of: ndarray) -> ndarray:
    """Sort in ascending order."""
    return ndarray(sorted(of.values), of.shape, of.dtype)


def argsort(of: ndarray, kind: str = "stable") -> ndarray:
    """The places of the elements in ascending order; equal elements keep their order."""
    assert kind == "stable"
    return ndarray(sorted(range(len(of)), key=of.values.__getitem__), of.shape, int64)


def lexsort(keys: Sequence[ndarray]) -> ndarray:
    """The places sorted by the last key, then by the one before it."""
    rows = list(zip(*(key.values for key in reversed(keys)), strict=True))
    return ndarray(sorted(range(len(rows)), key=rows.__getitem__), (len(rows),), int64)


def searchsorted(of: ndarray, wanted: Any, side: str = "left") -> Any:
    """The places where elements would be inserted to keep the array sorted."""
    search = bisect_left if side == "left" else bisect_right
    if not isinstance(wanted, ndarray):
        return search(of.values, wanted)
    return ndarray([search(of.values, one) for one in wanted.values], wanted.shape, int64)


def isin(of: ndarray, among: ndarray, assume_unique: bool = False) -> ndarray:  # noqa: ARG001
    """Which elements also occur in the other array."""
    there = set(among.values)
    return ndarray([one in there for one in of.values], of.shape, bool_)


def setdiff1d(of: ndarray, among: ndarray, assume_unique: bool = False) -> ndarray:
    """The elements that do not occur in the other array: in their order if they are unique, else sorted."""
    found = of[~isin(of, among)]
    return found if assume_unique else unique(found)  # type: ignore[no-any-return]


def unique(of: ndarray, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False) -> Any:
    """The distinct elements, sorted; on request, where each is first, where each element went, how often it occurs."""
    first: dict[Any, int] = {}
    for place, one in enumerate(of.values):
        first.setdefault(one, place)
    values = sorted(first)
    number = {one: k for k, one in enumerate(values)}
    length = (len(values),)
    found = [ndarray(values, length, of.dtype)]
    if return_index:
        found.append(ndarray([first[one] for one in values], length, int64))
    if return_inverse:
        found.append(ndarray([number[one] for one in of.values], of.shape, int64))
    if return_counts:
        places = ndarray([number[one] for one in of.values], of.shape, int64)
        found.append(bincount(places, minlength=len(values)))
    return found[0] if len(found) == 1 else tuple(found)
