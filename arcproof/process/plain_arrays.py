"""What the interpreter's answers need of NumPy, in Python's own lists: for where NumPy is not installed.

The names, arguments and answers are NumPy's; `tests/test_plain_arrays.py` holds every one of them against it.  What
differs: indexing always copies, so writing to a part of an array goes through the array; and a number that does not fit
its type is an `OverflowError`, where NumPy would wrap it round.
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
    """A fraction."""


WIDTHS: Final[tuple[type, ...]] = (bool_, uint8, int16, int32, int64, float64, object)
"""Two types together are the later one."""
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
    """The elements of an array, as often as a larger shape needs them."""
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
    """Every sum of one number of each part, the last part going through fastest."""
    found = [0]
    for part in parts:
        found = [one + other for one in found for other in part]
    return found


class ndarray:  # noqa: N801
    """Elements of one type, in rows; of one, two or three dimensions here."""

    __slots__ = ("dtype", "shape", "values")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: list[Any], shape: Shape, dtype: type) -> None:
        """The elements as they are, the last index going through fastest."""
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
        """How many dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many elements."""
        return len(self.values)

    @property
    def T(self) -> "ndarray":  # noqa: N802
        """With the dimensions the other way round."""
        offsets = _outer(
            [[k * s for k in range(n)] for n, s in zip(self.shape, _strides(self.shape), strict=True)][::-1]
        )
        return ndarray([self.values[one] for one in offsets], self.shape[::-1], self.dtype)

    def __len__(self) -> int:
        """The length of the first dimension."""
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        """The elements, or the rows."""
        return iter(self.values) if len(self.shape) == 1 else (self[k] for k in range(len(self)))

    def __bool__(self) -> bool:
        """Of a single element."""
        return bool(self._single())

    def __int__(self) -> int:
        """Of a single element."""
        return int(self._single())

    def __index__(self) -> int:
        """Of a single element."""
        return int(self)

    def __repr__(self) -> str:
        """As NumPy prints it, about."""
        return f"array({self.tolist()}, dtype={self.dtype.__name__})"

    def _single(self) -> Any:
        if len(self.values) != 1:
            raise ValueError("the truth or the number of several elements is not defined")
        return self.values[0]

    def tolist(self) -> list[Any]:
        """Lists of lists."""
        return list(self.values) if len(self.shape) == 1 else [self[k].tolist() for k in range(len(self))]

    def astype(self, dtype: type) -> "ndarray":
        """The elements as another type."""
        kind = _known(dtype)
        return ndarray(list(map(CONVERSIONS[kind], self.values)), self.shape, kind)

    def copy(self) -> "ndarray":
        """The same elements, apart."""
        return ndarray(list(self.values), self.shape, self.dtype)

    def reshape(self, *lengths: Any) -> "ndarray":
        """The same elements in other rows; -1 stands for what is left."""
        wanted = list(lengths[0] if isinstance(lengths[0], tuple) else lengths)
        if -1 in wanted:
            wanted[wanted.index(-1)] = self.size // max(1, prod(n for n in wanted if n != -1))
        if _size(tuple(wanted)) != self.size:
            raise ValueError(f"{self.size} elements have not the shape {tuple(wanted)}")
        return ndarray(list(self.values), tuple(wanted), self.dtype)

    # --- parts
    # ---------------------------------------------------------------------------------------------------------

    def _offsets(self, key: Any) -> tuple[list[int], Shape]:
        """Where the elements of a part are, and its shape."""
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
        """An element, or a part of the array, copied."""
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
        """Sums; of truths, whether one holds."""
        return _arithmetic(operator.add, self, other)

    def __radd__(self, other: Any) -> "ndarray":
        """Sums."""
        return _arithmetic(operator.add, other, self)

    def __sub__(self, other: Any) -> "ndarray":
        """Differences."""
        return _arithmetic(operator.sub, self, other)

    def __rsub__(self, other: Any) -> "ndarray":
        """Differences."""
        return _arithmetic(operator.sub, other, self)

    def __mul__(self, other: Any) -> "ndarray":
        """Products."""
        return _arithmetic(operator.mul, self, other)

    def __rmul__(self, other: Any) -> "ndarray":
        """Products."""
        return _arithmetic(operator.mul, other, self)

    def __and__(self, other: Any) -> "ndarray":
        """Bit by bit."""
        return _arithmetic(operator.and_, self, other)

    def __or__(self, other: Any) -> "ndarray":
        """Bit by bit."""
        return _arithmetic(operator.or_, self, other)

    def __xor__(self, other: Any) -> "ndarray":
        """Bit by bit."""
        return _arithmetic(operator.xor, self, other)

    def __lshift__(self, other: Any) -> "ndarray":
        """Bits moved up."""
        return _arithmetic(operator.lshift, self, other)

    def __rshift__(self, other: Any) -> "ndarray":
        """Bits moved down."""
        return _arithmetic(operator.rshift, self, other)

    def __invert__(self) -> "ndarray":
        """Bit by bit; of truths, the contrary."""
        turn = operator.not_ if self.dtype is bool_ else operator.invert
        return ndarray(list(map(turn, self.values)), self.shape, self.dtype)

    def __iadd__(self, other: Any) -> "ndarray":
        """In place, the type stays."""
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
        """Element by element."""
        return _compared(operator.eq, self, other)

    def __ne__(self, other: object) -> "ndarray":  # type: ignore[override]
        """Element by element."""
        return _compared(operator.ne, self, other)

    def __lt__(self, other: Any) -> "ndarray":
        """Element by element."""
        return _compared(operator.lt, self, other)

    def __le__(self, other: Any) -> "ndarray":
        """Element by element."""
        return _compared(operator.le, self, other)

    def __gt__(self, other: Any) -> "ndarray":
        """Element by element."""
        return _compared(operator.gt, self, other)

    def __ge__(self, other: Any) -> "ndarray":
        """Element by element."""
        return _compared(operator.ge, self, other)

    # --- all of them
    # ---------------------------------------------------------------------------------------------------

    def any(self, axis: int | None = None) -> Any:
        """Whether one holds."""
        return any(self.values) if axis is None else self._along(axis, any, bool_)

    def all(self, axis: int | None = None) -> Any:
        """Whether all hold."""
        return all(self.values) if axis is None else self._along(axis, all, bool_)

    def sum(self, axis: int | None = None) -> Any:
        """The sum; of truths, how many hold."""
        kind = self.dtype if self.dtype in (float64, object) else int64
        return sum(self.values) if axis is None else self._along(axis, sum, kind)

    def min(self) -> Any:
        """The least."""
        return min(self.values)

    def max(self) -> Any:
        """The greatest."""
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
"""As `numpy.typing` calls it."""


class dtype:  # noqa: N801
    """For annotations."""

    def __class_getitem__(cls, _: object) -> type["dtype"]:
        """For annotations."""
        return cls


def _place(index: int, length: int) -> int:
    if not -length <= index < length:
        raise IndexError(f"there is no place {index} among {length}")
    return index + length if index < 0 else index


def _as_array(value: Any) -> ndarray:
    return value if isinstance(value, ndarray) else array(value)


def _together(one: Any, other: Any) -> tuple[list[Any], list[Any], Shape, type]:
    """The elements of both in one shape, and their common type, in which a plain number counts little."""
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
            raise TypeError("truths have no difference")
        work = {operator.add: operator.or_, operator.mul: operator.and_}.get(work, work)
    return ndarray(list(map(work, left, right)), shape, kind)


def _compared(work: Callable[[Any, Any], Any], one: Any, other: Any) -> ndarray:
    left, right, shape, _ = _together(one, other)
    return ndarray(list(map(work, left, right)), shape, bool_)


# --- arrays made
# -------------------------------------------------------------------------------------------------------


def array(given: Any, dtype: type | None = None) -> ndarray:
    """An array of elements, of lists of elements, or of arrays."""
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
    """The same element everywhere."""
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    kind = _kind_of_value(value) if dtype is None else _known(dtype)
    return ndarray([CONVERSIONS[kind](value)] * _size(lengths), lengths, kind)


def zeros(shape: int | Shape, dtype: type = float64) -> ndarray:
    """0 everywhere."""
    return full(shape, 0, dtype)


empty = zeros


def ones(shape: int | Shape, dtype: type = float64) -> ndarray:
    """1 everywhere."""
    return full(shape, 1, dtype)


def arange(*limits: int) -> ndarray:
    """The numbers of a range."""
    values = list(range(*map(operator.index, limits)))
    return ndarray(values, (len(values),), int64)


def concatenate(parts: Sequence[Any], axis: int = 0) -> ndarray:
    """Arrays one after the other, or beside each other."""
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
    """Arrays as the rows, or the columns, of one."""
    kind = max((one.dtype for one in parts), key=WIDTHS.index)
    if axis == 0:
        return ndarray([v for one in parts for v in one.values], (len(parts), *parts[0].shape), kind).astype(kind)
    rows = zip(*(one.values for one in parts), strict=True)
    return ndarray([v for row in rows for v in row], (len(parts[0]), len(parts)), kind).astype(kind)


def repeat(given: Any, times: int | ndarray, axis: int | None = None) -> ndarray:
    """Each element, or row, so often."""
    of = _as_array(given)
    assert axis == 0 or of.ndim == 1
    counts = times.values if isinstance(times, ndarray) else [times] * len(of)
    found: ndarray = of[ndarray([k for k, count in enumerate(counts) for _ in range(count)], (sum(counts),), int64)]
    return found


def tile(given: ndarray, times: int | tuple[int, int]) -> ndarray:
    """The whole array so often."""
    count = times if isinstance(times, int) else times[0]
    assert isinstance(times, int) or times[1] == 1
    return ndarray(given.values * count, (len(given) * count, *given.shape[1:]), given.dtype)


# --- element by element
# ------------------------------------------------------------------------------------------------


def where(condition: ndarray, one: Any, other: Any) -> ndarray:
    """The one where a condition holds, the other where not."""
    left, right, shape, kind = _together(one, other)
    whole = _broadcast((condition.shape, shape))
    parts = (
        _spread(values, of, whole)
        for values, of in ((condition.values, condition.shape), (left, shape), (right, shape))
    )
    return ndarray([CONVERSIONS[kind](a if holds else b) for holds, a, b in zip(*parts, strict=True)], whole, kind)


def left_shift(one: Any, other: Any) -> ndarray:
    """Bits moved up."""
    return _arithmetic(operator.lshift, one, other)


class Pairwise:
    """A function of two elements, of two arrays, and of all rows of one."""

    def __init__(self, work: Callable[[Any, Any], Any], kind: type | None = None) -> None:
        """The function, and the type of what it gives."""
        self.work, self.kind = work, kind

    def __call__(self, one: Any, other: Any, out: ndarray | None = None) -> ndarray:
        """Element by element."""
        left, right, shape, kind = _together(one, other)
        found = ndarray(list(map(self.work, left, right)), shape, self.kind or kind)
        return found if out is None else out._become(found)

    def reduce(self, parts: Sequence[ndarray]) -> ndarray:
        """Of several arrays of one shape."""
        found = parts[0] if self.kind is None else parts[0].astype(self.kind)
        for part in parts[1:]:
            found = self(found, part)
        return found

    def reduceat(self, of: ndarray, firsts: ndarray, axis: int = 0) -> ndarray:
        """Of the rows from each first one to the next."""
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
    """Where something holds."""
    places = [k for k, one in enumerate(of.values) if one]
    return ndarray(places, (len(places),), int64)


def argmax(of: ndarray) -> int:
    """Where the greatest is, the first of them."""
    return of.values.index(max(of.values))


def cumsum(given: Any) -> ndarray:
    """The sums up to each."""
    of = _as_array(given)
    return ndarray(list(accumulate(of.values)), of.shape, object if of.dtype is object else int64)


def diff(of: ndarray) -> ndarray:
    """The difference of each to the next."""
    return ndarray(list(starmap(lambda one, after: after - one, pairwise(of.values))), (max(0, len(of) - 1),), of.dtype)


def bincount(of: ndarray, minlength: int = 0) -> ndarray:
    """How often each number occurs."""
    counts = [0] * max(minlength, 1 + max(of.values, default=-1))
    for one in of.values:
        counts[one] += 1
    return ndarray(counts, (len(counts),), int64)


def sort(of: ndarray) -> ndarray:
    """The least first."""
    return ndarray(sorted(of.values), of.shape, of.dtype)


def argsort(of: ndarray, kind: str = "stable") -> ndarray:
    """The places, that of the least element first; of equal ones the first."""
    assert kind == "stable"
    return ndarray(sorted(range(len(of)), key=of.values.__getitem__), of.shape, int64)


def lexsort(keys: Sequence[ndarray]) -> ndarray:
    """The places, sorted by the last key, then by the one before it."""
    rows = list(zip(*(key.values for key in reversed(keys)), strict=True))
    return ndarray(sorted(range(len(rows)), key=rows.__getitem__), (len(rows),), int64)


def searchsorted(of: ndarray, wanted: Any, side: str = "left") -> Any:
    """Where each would be put among sorted elements."""
    search = bisect_left if side == "left" else bisect_right
    if not isinstance(wanted, ndarray):
        return search(of.values, wanted)
    return ndarray([search(of.values, one) for one in wanted.values], wanted.shape, int64)


def isin(of: ndarray, among: ndarray, assume_unique: bool = False) -> ndarray:  # noqa: ARG001
    """Which are among others."""
    there = set(among.values)
    return ndarray([one in there for one in of.values], of.shape, bool_)


def setdiff1d(of: ndarray, among: ndarray, assume_unique: bool = False) -> ndarray:
    """Those that are not among others; in their order if they are unique, else sorted."""
    found = of[~isin(of, among)]
    return found if assume_unique else unique(found)  # type: ignore[no-any-return]


def unique(of: ndarray, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False) -> Any:
    """Each element once, sorted; with where it is first, where each element went, and how often it occurs."""
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
