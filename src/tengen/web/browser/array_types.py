"""Types of the elements of arrays, under NumPy's names; see `tengen.web.browser.arrays`."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeAlias

from tengen.web.browser.memory import Memory

Shape: TypeAlias = tuple[int, ...]


class _Scalar:
    """A type of numbers, which makes Python's own numbers.

    Attributes:
        kind: NumPy's letter for the kind of numbers.
        code: the letter of `struct`.
    """

    code: str
    kind: str

    def __new__(cls, number: Any = 0) -> Any:
        """Return a number as Python has it."""
        return float(number) if cls.kind == "f" else bool(number) if cls.kind == "b" else int(number)


def _scalar(name: str, kind: str, code: str) -> type[_Scalar]:
    return type(name, (_Scalar,), {"kind": kind, "code": code})


int8 = _scalar("int8", "i", "b")
int16 = _scalar("int16", "i", "h")
int32 = _scalar("int32", "i", "i")
int64 = _scalar("int64", "i", "q")
uint8 = _scalar("uint8", "u", "B")
uint16 = _scalar("uint16", "u", "H")
uint32 = _scalar("uint32", "u", "I")
uint64 = _scalar("uint64", "u", "Q")
float32 = _scalar("float32", "f", "f")
float64 = _scalar("float64", "f", "d")
bool_ = _scalar("bool", "b", "?")

_SCALARS = {
    kind.__name__: kind
    for kind in (int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, bool_)
}


class dtype:  # noqa: N801 - NumPy's name
    """The type of an array's elements: numbers, a record, or an array of either in a record.

    Args:
        spec: a type; a type of numbers or its name; a type and a shape; the fields of a packed record,
            name, type and perhaps shape of each; or ``names``, ``formats``, ``offsets`` and ``itemsize``.

    Attributes:
        name: of a type of numbers.
        kind: NumPy's letter for the kind of numbers; ``V`` for all else.
        itemsize: bytes.
        names: of a record's fields, in order; None for other types.
        fields: the type and the offset of each; None for other types.
        shape: of an array.
        base: the type of an array's elements; the type itself if it is none.
        code: the letter of `struct` for a number.
        places: offset, base, shape and steps of each field of a record.
        read: what reads a number from an address of the memory in use; None for all but numbers.
        write: what writes it.
    """

    __slots__ = (
        "base",
        "code",
        "fields",
        "itemsize",
        "kind",
        "name",
        "names",
        "places",
        "read",
        "shape",
        "write",
    )

    name: str
    kind: str
    itemsize: int
    names: tuple[str, ...] | None
    fields: dict[str, tuple[dtype, int]] | None
    shape: Shape
    base: dtype
    code: str
    places: dict[str, tuple[int, dtype, Shape, Shape]]
    read: Callable[[int], Any] | None
    write: Callable[[int, Any], object] | None

    def __new__(cls, spec: Any) -> dtype:
        """Return the type; there is one object for each type of numbers."""
        if isinstance(spec, dtype):
            return spec
        name = spec if isinstance(spec, str) else getattr(spec, "__name__", "")
        if name in _SCALARS:
            return _TYPES[name]
        if isinstance(spec, tuple):
            base, shape = dtype(spec[0]), as_shape(spec[1])
            return _new_type(base.itemsize * prod(shape), shape=shape, base=base) if shape else base
        if isinstance(spec, list):
            kinds = [dtype((kind, *shape) if shape else kind) for _, kind, *shape in spec]
            offsets = [sum(kind.itemsize for kind in kinds[:place]) for place in range(len(kinds))]
            names = [name for name, *_ in spec]
            return _record_type(names, kinds, offsets, sum(kind.itemsize for kind in kinds))
        if isinstance(spec, dict):
            kinds = [dtype(kind) for kind in spec["formats"]]
            return _record_type(spec["names"], kinds, spec["offsets"], spec["itemsize"])
        raise TypeError(f"no type of this stand-in for NumPy: {spec!r}")

    def __class_getitem__(cls, _: Any) -> type[dtype]:
        """Return the class, for annotations."""
        return cls

    def __eq__(self, other: object) -> bool:
        """Compare the layouts."""
        if self is other or not isinstance(other, dtype):
            return self is other
        mine = self.kind, self.names, self.fields, self.shape, self.itemsize, self.code
        return mine == (other.kind, other.names, other.fields, other.shape, other.itemsize, other.code)

    def __hash__(self) -> int:
        return hash((self.kind, self.names, self.shape, self.itemsize))

    def __repr__(self) -> str:
        return f"dtype({self.name or self.names or (self.base, self.shape)!r})"


_TYPES: dict[str, dtype] = {}


def as_shape(shape: Any) -> Shape:
    """Return a shape, which may be given as a single length."""
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _new_type(itemsize: int, **attributes: Any) -> dtype:
    made = object.__new__(dtype)
    made.itemsize = itemsize
    made.name, made.kind, made.code, made.shape = "", "V", "", ()
    made.names = made.fields = None
    made.base, made.places, made.read, made.write = made, {}, None, None
    for key, value in attributes.items():
        setattr(made, key, value)
    return made


def _record_type(
    names: Sequence[str], kinds: Sequence[dtype], offsets: Sequence[int], itemsize: int
) -> dtype:
    fields = {name: (kind, offset) for name, kind, offset in zip(names, kinds, offsets, strict=True)}
    made = _new_type(itemsize, names=tuple(names), fields=fields)
    for name, (kind, offset) in fields.items():
        made.places[name] = offset, kind.base, kind.shape, steps_of(kind.shape, kind.base.itemsize)
    return made


for _name, _kind in _SCALARS.items():
    _TYPES[_name] = _new_type(struct.calcsize(_kind.code), name=_name, kind=_kind.kind, code=_kind.code)


def steps_of(shape: Shape, itemsize: int) -> Shape:
    """Return the bytes from one element to the next in each dimension, in C's order."""
    steps, step = [], itemsize
    for length in reversed(shape):
        steps.append(step)
        step *= length
    return tuple(reversed(steps))


def read_from(memory: Memory) -> None:
    """Read and write numbers in a memory from now on."""
    for name, kind in _TYPES.items():
        kind.read, kind.write = memory.access(name)
