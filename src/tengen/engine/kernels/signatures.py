"""Types of kernels: what each takes from Python, and returns.

They are declared without a compiler, because kernels that were compiled ahead of time are called where
there is none. A kernel takes numbers, arrays and records; a record is passed as an array of one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np


@dataclass(frozen=True)
class Number:
    """A number, or a truth value.

    Attributes:
        dtype: its type in NumPy: ``int64`` or ``bool``.
    """

    dtype: np.dtype[Any]


@dataclass(frozen=True)
class Numbers:
    """A result of several int64 numbers.

    Attributes:
        count: how many.
    """

    count: int


@dataclass(frozen=True)
class Array:
    """An array, contiguous in C's order.

    Attributes:
        dtype: the type of its elements.
        dimensions: their number, 1 or 2.
        width: the length of the second dimension, where it has one.
    """

    dtype: np.dtype[Any]
    dimensions: int = 1
    width: int = 0


@dataclass(frozen=True)
class Ref:
    """A record: an array of one element.

    Attributes:
        dtype: the type of the record.
    """

    dtype: np.dtype[Any]


Argument: TypeAlias = Number | Array | Ref
Result: TypeAlias = Number | Numbers | None


@dataclass(frozen=True)
class Signature:
    """The types of a kernel.

    Attributes:
        result: the type of what it returns; None for nothing.
        arguments: the types of its arguments.
    """

    result: Result
    arguments: tuple[Argument, ...]


INT64 = Number(np.dtype(np.int64))
BOOL = Number(np.dtype(np.bool_))
INT16_ARRAY = Array(np.dtype(np.int16))
INT64_ARRAY = Array(np.dtype(np.int64))


def table_of(width: int) -> Array:
    """Return the type of a transposition table: int64, shape (entries, `width`)."""
    return Array(np.dtype(np.int64), 2, width)


def signature(result: Result, *arguments: Argument) -> Signature:
    """Return the types of a kernel: those of its result and of its arguments."""
    return Signature(result, arguments)
