"""The engine's kernels in WebAssembly, called from Python by the runtime wasmtime.

`use` puts them in place of the native ones, for `pytest --kernels=wasm`. Records and tables lie in the
memory that all threads share, each with an instance of its own; other arrays are copied there for a call,
and back.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import wasmtime
import wasmtime._ffi as ffi
from filelock import FileLock

from tengen.engine.board import records
from tengen.engine.kernels import library, lowering
from tengen.engine.kernels.library import MANIFEST_SYMBOL, Library, Manifest, _address, symbol
from tengen.engine.kernels.signatures import Array, Number, Numbers, Signature
from tengen.solver.build_kernels import kernels_for_web

_PAGE = 1 << 16
_BYTES = 1 << 31
_STACK_BYTES = 1 << 20


def built(folder: Path) -> WebAssemblyLibrary:
    """The kernels, from a folder that keeps from run to run what the engine in a page loads."""
    file = folder / "kernels-threads.wasm"
    with FileLock(folder / "lock"):
        if file.exists():
            with suppress(ValueError):
                found = WebAssemblyLibrary(file)
                wanted = {each.name for each in kernels_for_web()}
                if found.matches() and wanted == found.manifest.kernels.keys():
                    return found
        command = [sys.executable, "-m", "tengen.solver.build_kernels", str(folder), "web"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return WebAssemblyLibrary(file)


class _SharedMemory(wasmtime.SharedMemory):
    """A memory that instances can import: wasmtime 50 passes the address of its pointer instead of it."""

    def _as_extern(self) -> Any:
        union = ffi.wasmtime_extern_union(sharedmemory=self.ptr())
        return ffi.wasmtime_extern_t(ffi.WASMTIME_EXTERN_SHAREDMEMORY, union)


class WebAssemblyLibrary(Library):
    """A module of kernels, and its memory."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._engine = wasmtime.Engine(_config())
        self._module = wasmtime.Module.from_file(self._engine, str(file))
        kind = wasmtime.MemoryType(wasmtime.Limits(_BYTES // _PAGE, 1 << 16), shared=True)
        self._memory = _SharedMemory(self._engine, kind)
        self._start = ctypes.cast(self._memory.data_ptr(), ctypes.c_void_p).value or 0
        self._instances = threading.local()
        self._lock = threading.RLock()
        self._top = 0
        self._free: dict[int, list[int]] = {}
        store, exports = self._instance()
        self._top = exports["__heap_base"].value(store)
        text = ctypes.string_at(self._start + exports[MANIFEST_SYMBOL].value(store))
        self.manifest = Manifest(**json.loads(text))

    def _instance(self) -> tuple[Any, Any]:
        """This thread's instance, with a stack of its own."""
        if not hasattr(self._instances, "exports"):
            store = wasmtime.Store(self._engine)
            nothing = wasmtime.Func(store, wasmtime.FuncType([], []), lambda: None)  # the kernels' poll
            imports: dict[str, Any] = {"memory": self._memory, lowering.POLL: nothing}
            instance = wasmtime.Instance(
                store, self._module, [imports[each.name or ""] for each in self._module.imports]
            )
            exports: Any = dict(instance.exports(store))
            if self._top:
                self._instances.stack = self.zeros(_STACK_BYTES)
                exports["__stack_pointer"].set_value(
                    store, self._place(self._instances.stack) + _STACK_BYTES
                )
            self._instances.store, self._instances.exports = store, exports
        return self._instances.store, self._instances.exports

    def zeros(self, size: int) -> npt.NDArray[np.uint8]:
        """Take memory, until nobody holds the array any more."""
        length = -(-size // 64) * 64
        with self._lock:
            free = self._free.setdefault(length, [])
            if not free:
                free.append(-(-self._top // 64) * 64)
                self._top = free[-1] + length
                assert self._top <= _BYTES, "the memory is full"
            place = free.pop()
        block = (ctypes.c_uint8 * length).from_address(self._start + place)
        ctypes.memset(block, 0, length)
        weakref.finalize(block, free.append, place)
        return np.frombuffer(memoryview(block), np.uint8)[:size]

    def _place(self, array: npt.NDArray[Any]) -> int:
        """Return the address of an array in the memory."""
        return int(array.ctypes.data) - self._start

    def _copy(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return a copy of an array that lies in the memory."""
        copy = self.zeros(array.nbytes).view(array.dtype).reshape(array.shape)
        copy[...] = array
        return copy

    def function(self, name: str, signature: Signature) -> Callable[..., Any]:
        """Return what calls a kernel."""
        if name not in self.manifest.kernels:
            raise KeyError(name)
        result, kinds, function = signature.result, signature.arguments, symbol(name)

        def call(*arguments: Any) -> Any:
            numbers: list[int] = []
            copies = []
            for declared, argument in zip(kinds, arguments, strict=True):
                if isinstance(declared, Number):
                    numbers.append(int(argument))
                else:
                    place = _address(argument, declared.dtype) - self._start
                    if not 0 <= place < _BYTES:
                        copy = self._copy(argument)
                        copies.append((argument, copy))
                        place = self._place(copy)
                    numbers.extend((place, len(argument))[: 1 + isinstance(declared, Array)])
            several = self.zeros(8 * result.count).view(np.int64) if isinstance(result, Numbers) else None
            numbers.extend([] if several is None else [self._place(several)])
            store, exports = self._instance()
            returned = _called(store, exports[function], numbers)
            for argument, copy in copies:
                if argument.flags.writeable:
                    argument[...] = copy
            if several is not None:
                return tuple(several.tolist())
            if isinstance(result, Number):
                return bool(returned) if result.dtype.kind == "b" else returned
            return None

        return call


def _called(store: Any, function: Any, numbers: list[int]) -> int:
    """Call a function that takes and returns whole numbers; wasmtime's own way takes ten times as long."""
    values = (ffi.wasmtime_val_raw_t * (len(numbers) + 1))()
    for value, number in zip(values, numbers, strict=False):
        value.i64 = number
    trap = ctypes.POINTER(ffi.wasm_trap_t)()
    error = ffi.wasmtime_func_call_unchecked(
        store._context(), ctypes.byref(function._func), values, len(values), ctypes.byref(trap)
    )
    if error or trap:
        raise RuntimeError("a kernel has failed in WebAssembly")
    return int(values[0].i64)


def _config() -> wasmtime.Config:
    config = wasmtime.Config()
    config.shared_memory = True
    return config


def use(folder: Path) -> WebAssemblyLibrary:
    """Use these kernels in this process, and their memory for records and tables."""
    # These have to be imported before anything that imports names of them.
    from tengen.engine.search import table
    from tengen.engine.threats import pn_table

    found = built(folder)

    def new_record(kind: np.dtype[Any]) -> records.Record:
        return found.zeros(kind.itemsize).view(kind)

    def copy_of(record: records.Record) -> records.Record:
        copy = new_record(record.dtype)
        copy[0] = record[0]
        return copy

    def new_table(megabytes: int) -> npt.NDArray[np.int64]:
        entries: int = 1 << ((megabytes << 20) // 16).bit_length() - 1
        return found.zeros(16 * entries).view(np.int64).reshape(-1, 2)

    replaced = {
        id(records.new_record): new_record,
        id(records.copy_of): copy_of,
        id(table.new_table): new_table,
        id(pn_table.new_pn_table): new_table,
    }
    for module in [module for name, module in sys.modules.items() if name.startswith("tengen.")]:
        for name, value in list(vars(module).items()):
            if id(value) in replaced:
                setattr(module, name, replaced[id(value)])
    library.use(found)
    return found
