"""The memory of this process, for arrays that kernels compiled for it work on."""

from __future__ import annotations

import ctypes
from typing import Any

from tengen.web.browser.memory import ALIGNMENT, Access


class ProcessMemory:
    """The memory of this process."""

    def __init__(self) -> None:
        self._blocks: list[Any] = []

    def place(self, size: int) -> int:
        """See `Memory.place`."""
        block = ctypes.create_string_buffer(size + ALIGNMENT)
        self._blocks.append(block)
        return -(-ctypes.addressof(block) // ALIGNMENT) * ALIGNMENT

    def read(self, address: int, size: int) -> bytes:
        """See `Memory.read`."""
        return ctypes.string_at(address, size)

    def write(self, address: int, data: bytes) -> None:
        """See `Memory.write`."""
        ctypes.memmove(address, data, len(data))

    def clear(self, address: int, size: int) -> None:
        """See `Memory.clear`."""
        ctypes.memset(address, 0, size)

    def copy(self, to: int, source: int, size: int) -> None:
        """See `Memory.copy`."""
        ctypes.memmove(to, source, size)

    def access(self, kind: str) -> Access:
        """See `Memory.access`."""
        names = {"float32": "c_float", "float64": "c_double"}
        at = getattr(ctypes, names.get(kind, f"c_{kind}")).from_address

        def read(address: int) -> Any:
            return at(address).value

        def write(address: int, number: Any) -> None:
            at(address).value = number

        return read, write
