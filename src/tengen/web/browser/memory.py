"""Memory that arrays lie in and kernels work on: its interface, and the heap that arrays take it from.

Addresses are numbers, those that kernels get. In a page the memory is that of the kernels' module
(`tengen.web.browser.kernels`).
"""

from __future__ import annotations

from bisect import bisect
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

ALIGNMENT = 64
"""Bytes to which all blocks are aligned: a cache line."""

_CHUNK = 1 << 20
"""Bytes that the heap takes at least at a time."""

Access: TypeAlias = tuple[Callable[[int], Any], Callable[[int, Any], object]]
"""Two functions, which read a number at an address, and write it there."""


class Memory(Protocol):
    """Memory with addresses."""

    def place(self, size: int) -> int:
        """Return the address of so many further bytes, aligned; they stay taken.

        Raises:
            MemoryError: there are not so many.
        """

    def read(self, address: int, size: int) -> bytes:
        """Return the bytes from an address on."""

    def write(self, address: int, data: bytes) -> None:
        """Write bytes from an address on."""

    def clear(self, address: int, size: int) -> None:
        """Write zeros from an address on."""

    def copy(self, to: int, source: int, size: int) -> None:
        """Copy bytes from one address to another; they may overlap."""

    def access(self, kind: str) -> Access:
        """Return what reads and what writes a number of a type, by its name, such as ``int64``."""


class Block:
    """A part of the heap, which is free again when nothing holds it any more.

    Attributes:
        address: of its first byte.
        size: in bytes.
    """

    __slots__ = ("_released", "address", "size")

    def __init__(self, address: int, size: int, released: deque[tuple[int, int]]) -> None:
        self.address = address
        self.size = size
        self._released = released

    def __del__(self) -> None:
        self._released.append((self.address, self.size))


class Heap:
    """Blocks of a memory: the first part that is large enough is taken, and neighbours are joined again.

    Args:
        memory: the memory, of which nothing is given back.

    Attributes:
        memory: the memory.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._free: list[tuple[int, int]] = []
        # Blocks may be collected at any time, in the middle of `take` too.
        self._released: deque[tuple[int, int]] = deque()

    @property
    def free(self) -> list[tuple[int, int]]:
        """The address and the size of each free part, in order."""
        while self._released:
            self._join(*self._released.popleft())
        return self._free

    def take(self, size: int) -> Block:
        """Return a block of so many bytes, all zeros.

        Raises:
            MemoryError: there is no room for it.
        """
        size = max(-(-size // ALIGNMENT), 1) * ALIGNMENT
        free = self.free
        place = next((place for place, part in enumerate(free) if part[1] >= size), None)
        if place is None:
            more = max(size, _CHUNK)
            self._join(self.memory.place(more), more)
            place = next(place for place, part in enumerate(free) if part[1] >= size)
        address, length = free[place]
        free[place : place + 1] = [(address + size, length - size)] if length > size else []
        self.memory.clear(address, size)
        return Block(address, size, self._released)

    def _join(self, address: int, size: int) -> None:
        """Add a free part, as one with those that it touches."""
        free = self._free
        place = bisect(free, (address, size))
        if place < len(free) and address + size == free[place][0]:
            size += free.pop(place)[1]
        if place and sum(free[place - 1]) == address:
            before, length = free[place - 1]
            free[place - 1] = before, length + size
        else:
            free.insert(place, (address, size))
