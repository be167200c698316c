"""A small stand-in for NumPy: what the engine and the solvers use of it between their kernels.

Where NumPy is not there, `install` puts this module in its place, before anything of the engine is
imported. Arrays and records have NumPy's names, layouts and meaning, but numbers that are read are Python's
own. What is not needed is not here, and using it raises an error: there are no calculations with whole
arrays, no selection by lists, and nothing is broadcast but single numbers.

All arrays lie in one memory (`tengen.web.browser.memory`), where kernels find them by their addresses.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from math import prod
from types import ModuleType
from typing import Any

from tengen.web.browser.array_types import (
    Shape,
    as_shape,
    bool_,
    dtype,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    read_from,
    steps_of,
    uint8,
    uint16,
    uint32,
    uint64,
)
from tengen.web.browser.memory import Block, Heap, Memory

__all__ = [
    "array",
    "bool_",
    "dtype",
    "float32",
    "float64",
    "frombuffer",
    "int8",
    "int16",
    "int32",
    "int64",
    "ndarray",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "void",
    "zeros",
]


class void:  # noqa: N801 - NumPy's name
    """A record: one element of an array, or a field of another record."""

    __slots__ = ("address", "block", "dtype")

    def __init__(self, block: Block, address: int, kind: dtype) -> None:
        self.block = block
        self.address = address
        self.dtype = kind

    def __getitem__(self, name: str) -> Any:
        """Return a number, or a view of an array or of a record."""
        offset, base, shape, steps = self.dtype.places[name]
        if shape:
            return ndarray(self.block, self.address + offset, base, shape, steps)
        if base.read is None:
            return void(self.block, self.address + offset, base)
        return base.read(self.address + offset)

    def __setitem__(self, name: str, value: Any) -> None:
        """Set a field."""
        offset, base, shape, steps = self.dtype.places[name]
        if shape:
            _assign(ndarray(self.block, self.address + offset, base, shape, steps), value)
        else:
            _put(base, self.address + offset, value)


class _Flags:
    """An array's flags.

    Attributes:
        c_contiguous: whether its elements lie one after the other, in C's order.
        writeable: true.
    """

    def __init__(self, *, contiguous: bool) -> None:
        self.c_contiguous = contiguous
        self.writeable = True


class _Address:
    """The address of an array, as NumPy gives it.

    Attributes:
        data: the address.
    """

    def __init__(self, address: int) -> None:
        self.data = address


class ndarray:  # noqa: N801, PLW1641 - NumPy's name; as there, there is no hash
    """An array, or a view of a part of one.

    Attributes:
        block: the part of the heap that it keeps.
        address: of its first element.
        dtype: the type of its elements.
        shape: its lengths.
        strides: bytes from one element to the next in each dimension.
        contiguous: whether its elements lie one after the other, in C's order.
    """

    __slots__ = ("__weakref__", "address", "block", "contiguous", "dtype", "shape", "strides")

    def __init__(
        self,
        block: Block,
        address: int,
        kind: dtype,
        shape: Shape,
        strides: Shape,
        *,
        contiguous: bool = True,
    ) -> None:
        self.block = block
        self.address = address
        self.dtype = kind
        self.shape = shape
        self.strides = strides
        self.contiguous = contiguous

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def flags(self) -> _Flags:
        """See `_Flags`."""
        return _Flags(contiguous=self.contiguous)

    @property
    def ctypes(self) -> _Address:
        """See `_Address`."""
        return _Address(self.address)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if len(self.shape) == 1 and self.dtype.code:
            return iter(self.tolist())
        return (self[place] for place in range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Refuse to compare: NumPy compares element by element."""
        raise TypeError("this stand-in for NumPy compares no arrays")

    def __getitem__(self, key: Any) -> Any:
        """Return an element, a view of a part, or a view of a field of all elements."""
        if key.__class__ is int and len(self.shape) == 1:
            length = self.shape[0]
            if not -length <= key < length:
                raise IndexError(key)
            return self._element(self.address + (key if key >= 0 else key + length) * self.strides[0])
        if isinstance(key, str):
            offset, base, shape, steps = self.dtype.places[key]
            return _view(
                self.block, self.address + offset, base, (*self.shape, *shape), (*self.strides, *steps)
            )
        part = self._part(key)
        return part if part.shape else self._element(part.address)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Set an element, or all elements of a part."""
        part = self[key] if isinstance(key, str) else self._part(key)
        if part.shape:
            _assign(part, value)
        else:
            alone = isinstance(value, ndarray) and value.size == 1
            _put(self.dtype, part.address, value.reshape(-1)[0] if alone else value)

    def _element(self, address: int) -> Any:
        read = self.dtype.read
        return void(self.block, address, self.dtype) if read is None else read(address)

    def _part(self, key: Any) -> ndarray:
        """Return the view that numbers and slices select; without dimensions if it is one element."""
        keys = list(key) if isinstance(key, tuple) else [key]
        if Ellipsis in keys:
            place = keys.index(Ellipsis)
            keys[place : place + 1] = [slice(None)] * (len(self.shape) - len(keys) + 1)
        if len(keys) > len(self.shape):
            raise IndexError(key)
        address, shape, strides = self.address, [], []
        for each, length, stride in zip(keys, self.shape, self.strides, strict=False):
            if isinstance(each, int):
                if not -length <= each < length:
                    raise IndexError(key)
                address += each % length * stride
            elif isinstance(each, slice):
                chosen = range(length)[each]
                address += chosen.start * stride if chosen else 0
                shape.append(len(chosen))
                strides.append(stride * chosen.step)
            else:
                raise TypeError(
                    f"this stand-in for NumPy selects by whole numbers and slices, not {each!r}"
                )
        shape.extend(self.shape[len(keys) :])
        strides.extend(self.strides[len(keys) :])
        return _view(self.block, address, self.dtype, tuple(shape), tuple(strides))

    def _addresses(self) -> Iterator[int]:
        """Yield the address of each element, in C's order."""
        addresses = [self.address]
        for length, stride in zip(self.shape, self.strides, strict=True):
            addresses = [address + stride * place for address in addresses for place in range(length)]
        return iter(addresses)

    def _numbers(self) -> list[Any]:
        """Return all numbers, in C's order."""
        if not self.dtype.code:
            raise TypeError("this stand-in for NumPy lists no records")
        if self.contiguous:
            return list(struct.unpack(f"<{self.size}{self.dtype.code}", self.tobytes()))
        return [self._element(address) for address in self._addresses()]

    def tolist(self) -> Any:
        """Return the numbers as lists in lists."""
        numbers = self._numbers()
        for length in reversed(self.shape[1:]):
            count = len(numbers) // length if length else prod(self.shape[:-1])
            numbers = [numbers[length * place : length * (place + 1)] for place in range(count)]
        return numbers

    def tobytes(self) -> bytes:
        """Return the bytes of all elements, in C's order."""
        read, size = _heap().memory.read, self.dtype.itemsize
        if self.contiguous:
            return read(self.address, self.nbytes)
        return b"".join(read(address, size) for address in self._addresses())

    def any(self) -> bool:
        """Return whether a number is not 0."""
        return any(self._numbers())

    def sum(self) -> Any:
        """Return the sum of all numbers."""
        return sum(self._numbers())

    def fill(self, value: float) -> None:
        """Set all elements to a number."""
        if value == 0 and self.contiguous:
            _heap().memory.clear(self.address, self.nbytes)
        else:
            _assign(self, value)

    def copy(self) -> ndarray:
        """Return a copy."""
        made = zeros(self.shape, self.dtype)
        _assign(made, self)
        return made

    def view(self, kind: Any) -> ndarray:
        """Return the same bytes as elements of another type, the last dimension longer or shorter."""
        new = dtype(kind)
        if not self.contiguous or self.shape[-1] * self.dtype.itemsize % new.itemsize:
            raise ValueError(f"no view of {self.dtype!r} as {new!r}")
        shape = (*self.shape[:-1], self.shape[-1] * self.dtype.itemsize // new.itemsize)
        return ndarray(self.block, self.address, new, shape, steps_of(shape, new.itemsize))

    def reshape(self, *shape: Any) -> ndarray:
        """Return a view of other lengths; one of them may be -1."""
        lengths = list(as_shape(shape[0]) if len(shape) == 1 else shape)
        if -1 in lengths:
            lengths[lengths.index(-1)] = self.size // -prod(lengths) if prod(lengths) else 0
        if not self.contiguous or prod(lengths) != self.size:
            raise ValueError(f"no view of shape {self.shape} with shape {tuple(lengths)}")
        return ndarray(
            self.block,
            self.address,
            self.dtype,
            tuple(lengths),
            steps_of(tuple(lengths), self.dtype.itemsize),
        )


def _view(block: Block, address: int, kind: dtype, shape: Shape, strides: Shape) -> ndarray:
    """Return a view, and find out whether it is contiguous."""
    step, contiguous = kind.itemsize, True
    for length, stride in zip(reversed(shape), reversed(strides), strict=True):
        contiguous = contiguous and (length == 1 or stride == step)
        step *= length
    return ndarray(block, address, kind, shape, strides, contiguous=contiguous or step == 0)


def _put(kind: dtype, address: int, value: Any) -> None:
    """Write a number, or copy a record."""
    if kind.write is not None:
        kind.write(address, value)
        return
    if not isinstance(value, void) or value.dtype != kind:
        raise TypeError(f"no record of the same type: {value!r}")
    _heap().memory.copy(address, value.address, kind.itemsize)


def _assign(to: ndarray, value: Any) -> None:
    """Set all elements, from an array or lists of the same shape, or all to one number."""
    memory = _heap().memory
    if isinstance(value, ndarray) and value.dtype == to.dtype and value.shape == to.shape:
        memory.write(to.address, value.tobytes()) if to.contiguous else _put_all(to, value.tobytes())
        return
    if isinstance(value, (int, float)):
        numbers: Any = [value] * to.size
    else:
        numbers, shape = _flattened(value)
        if shape != to.shape:
            raise ValueError(f"shape {shape} where {to.shape} is expected")
    data = _packed(numbers, to.dtype)
    memory.write(to.address, data) if to.contiguous else _put_all(to, data)


def _put_all(to: ndarray, data: bytes) -> None:
    """Write the elements of an array that is not contiguous."""
    write, size = _heap().memory.write, to.dtype.itemsize
    for place, address in enumerate(to._addresses()):  # noqa: SLF001
        write(address, data[place * size : (place + 1) * size])


def _packed(numbers: Sequence[Any], kind: dtype) -> bytes:
    if not kind.code:
        raise TypeError(f"{kind!r} holds records, not numbers")
    if kind.kind in "iu":
        numbers = [int(number) for number in numbers]
    return struct.pack(f"<{len(numbers)}{kind.code}", *numbers)


def _flattened(value: Any) -> tuple[list[Any], Shape]:
    """Return all numbers of lists in lists, and their shape."""
    if isinstance(value, ndarray):
        return value._numbers(), value.shape  # noqa: SLF001
    if not isinstance(value, Iterable):
        return [value], ()
    parts = [_flattened(part) for part in value]
    shapes = {shape for _, shape in parts} or {()}
    if len(shapes) > 1:
        raise ValueError("lists of different lengths")
    return [number for numbers, _ in parts for number in numbers], (len(parts), *shapes.pop())


def zeros(shape: int | Sequence[int], dtype: Any = float64) -> ndarray:
    """Return an array of zeros."""
    kind, lengths = _dtype(dtype), as_shape(shape)
    block = _heap().take(prod(lengths) * kind.itemsize)
    return ndarray(block, block.address, kind, lengths, steps_of(lengths, kind.itemsize))


def array(value: Any, dtype: Any = None) -> ndarray:
    """Return an array of the numbers in lists or in another array; int64 or float64 if no type is given."""
    numbers, shape = _flattened(value)
    if dtype is None:
        dtype = float64 if any(isinstance(number, float) for number in numbers) else int64
    made = zeros(shape, dtype)
    _heap().memory.write(made.address, _packed(numbers, made.dtype))
    return made


def frombuffer(data: bytes | bytearray | memoryview, dtype: Any) -> ndarray:
    """Return an array of the elements that bytes hold; unlike NumPy's it is a copy."""
    kind, content = _dtype(dtype), bytes(data)
    if len(content) % kind.itemsize:
        raise ValueError(f"{len(content)} bytes hold no whole number of {kind!r}")
    made = zeros(len(content) // kind.itemsize, kind)
    _heap().memory.write(made.address, content)
    return made


_dtype = dtype

_used: list[Heap] = []


def _heap() -> Heap:
    """Return the heap that arrays are taken from.

    Raises:
        RuntimeError: `use` has not been called.
    """
    if not _used:
        raise RuntimeError("no memory for arrays has been chosen")
    return _used[0]


def use(memory: Memory) -> Heap:
    """Take arrays from a memory from now on, and none that were made before; return its heap."""
    _used[:] = [Heap(memory)]
    read_from(memory)
    return _used[0]


class _Typing(ModuleType):
    """The stand-in for `numpy.typing`.

    Attributes:
        NDArray: the type of arrays, for annotations.
        ArrayLike: anything.
    """

    NDArray: Any = dtype
    ArrayLike = Any


typing = _Typing("numpy.typing")
"""What ``import numpy.typing`` finds."""


def __getattr__(name: str) -> Any:
    """Refuse what is not here."""
    raise AttributeError(f"this stand-in for NumPy has no {name}")


def install(memory: Memory) -> Heap:
    """Put this module in NumPy's place, with arrays in a memory, and return its heap.

    Raises:
        RuntimeError: NumPy has been imported already.
    """
    if sys.modules.get("numpy") not in (None, sys.modules[__name__]):
        raise RuntimeError("NumPy has been imported already")
    sys.modules["numpy"] = sys.modules[__name__]
    sys.modules["numpy.typing"] = typing
    return use(memory)
