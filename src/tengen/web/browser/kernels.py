"""The engine's kernels in Pyodide: WebAssembly beside it in the same worker, called by Python as it runs.

The engine and the solvers run unchanged. In place of NumPy there is `tengen.web.browser.arrays`, whose
arrays lie in the kernels' memory; in place of a library of kernels the exports of ``kernels.wasm``; and in
place of threads that end a search when its time is up, a call that the kernels make about every
millisecond.

A worker sets it up in this order. Of the site it needs the folder that ``python -m
tengen.solver.build_kernels FOLDER web`` writes, and the package in Pyodide's file system::

    import { Kernels } from "../engine/kernels.js";
    import { PythonKernels } from "./python_kernels.js";

    // `read(name)` is a Promise of the ArrayBuffer of a file in that folder. `shared` is true for
    // kernels-threads.wasm, in a memory that other workers can share; it needs an isolated page.
    const kernels = await Kernels.load(read, shared);
    // `flag`: an Int32Array on a SharedArrayBuffer, in which another worker puts the number of a task that
    // is to end early; null where there is no shared memory. The task under way has the number `task`.
    pyodide.registerJsModule("tengen_kernels", { kernels: new PythonKernels(kernels, flag), parameters });
    // `parameters(name)`: the file parameters-NAME.bin as a Uint8Array, at once, without a Promise;
    // `name` is "freestyle", "standard", "renju" or "caro". It is called when a family is first needed.

and in Python, before anything that imports `numpy` or `tengen.engine`::

    import tengen_kernels
    from tengen.web.browser.kernels import install

    stop = install(tengen_kernels.kernels, lambda name: tengen_kernels.parameters(name).to_bytes())

`install` returns the signal to pass to `tengen.executors.tasks.answer`, or as ``stop`` to whatever takes
one: it is set while the flag is. A search heeds it and its limits of time within some 20 milliseconds.

An engine searches with one thread, whatever ``threads`` it has, unless helpers have been started before
Python runs, with memory that is shared: ``await pythonKernels.startHelpers(2)`` for up to three threads.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from tengen.executors import stopping
from tengen.web.browser import arrays
from tengen.web.browser.memory import Access

if TYPE_CHECKING:
    from tengen.engine.kernels.library import Manifest
    from tengen.engine.kernels.signatures import Signature


class _Uint8Array(Protocol):
    """A part of the memory."""

    def to_bytes(self) -> bytes:
        """Return a copy."""

    def assign(self, data: bytes) -> None:
        """Write all bytes."""


class PythonKernels(Protocol):
    """The object of `static/browser/python_kernels.js` that has this name there."""

    due: Callable[[], object]

    def free(self) -> int:
        """Return the number of helpers that do nothing."""

    def help(self, *numbers: int) -> int:
        """Have a helper call the kernel `fill_table` with these arguments; return which one."""

    def finish(self, number: int) -> None:
        """Wait until a helper has ended."""

    def raised(self) -> bool:
        """Return whether the flag is set."""

    def wake(self, seconds: float | None) -> None:
        """Have `due` called by a kernel once so much time has passed; never for None."""

    def manifest(self) -> str:
        """Return what the kernels were made from."""

    def place(self, size: int) -> int:
        """Take memory."""

    def part(self, address: int, size: int) -> _Uint8Array:
        """Return the bytes from an address on, until the memory grows."""

    def read(self, address: int, size: int) -> _Uint8Array:
        """Return a copy of them."""

    def clear(self, address: int, size: int) -> None:
        """Set them to zero."""

    def copy(self, to: int, source: int, size: int) -> None:
        """Copy bytes."""

    def access(self, kind: str) -> Access:
        """Return what reads and what writes a number."""

    def function(self, name: str) -> Callable[..., Any] | None:
        """Return what calls a kernel by numbers; None if there is no such kernel."""


class KernelMemory:
    """The memory of the kernels, for arrays.

    Args:
        kernels: the kernels.
    """

    def __init__(self, kernels: PythonKernels) -> None:
        self._kernels = kernels
        self.clear, self.copy = kernels.clear, kernels.copy

    def place(self, size: int) -> int:
        """See `tengen.web.browser.memory.Memory.place`."""
        try:
            return self._kernels.place(size)
        except Exception as error:  # the browser's own
            raise MemoryError(size) from error

    def read(self, address: int, size: int) -> bytes:
        """See `tengen.web.browser.memory.Memory.read`."""
        return self._kernels.read(address, size).to_bytes()

    def write(self, address: int, data: bytes) -> None:
        """See `tengen.web.browser.memory.Memory.write`."""
        if data:
            self._kernels.part(address, len(data)).assign(data)

    def access(self, kind: str) -> Access:
        """See `tengen.web.browser.memory.Memory.access`."""
        read, write = self._kernels.access(kind)
        return read, write


class WebAssemblyKernels:
    """The kernels, as `tengen.engine.kernels.library.Kernels` has them.

    Args:
        kernels: the kernels.
    """

    def __init__(self, kernels: PythonKernels) -> None:
        self._kernels = kernels

    @cached_property
    def manifest(self) -> Manifest:
        """The origin of the kernels."""
        from tengen.engine.kernels.library import Manifest

        return Manifest(**json.loads(self._kernels.manifest()))

    def function(self, name: str, signature: Signature) -> Callable[..., Any]:
        """See `tengen.engine.kernels.library.Kernels.function`."""
        from tengen.engine.kernels.library import symbol
        from tengen.engine.kernels.signatures import Numbers

        called = self._kernels.function(symbol(name))
        if called is None:
            raise KeyError(name)
        if not isinstance(signature.result, Numbers):
            return _with_numbers(called, signature)
        results = arrays.zeros(signature.result.count, arrays.int64)

        def several(*numbers: int) -> tuple[int, ...]:
            called(*numbers, results.address)
            return tuple(results.tolist())

        return _with_numbers(several, signature)


def _with_numbers(called: Callable[..., Any], signature: Signature) -> Callable[..., Any]:
    """Return a function that takes arrays, where `called` takes their addresses and lengths."""
    from tengen.engine.kernels.signatures import Array, Number

    # A function made for the signature takes a third of the time of a loop over its arguments, and many
    # kernels take less than that.
    values: dict[str, Any] = {"called": called, "checked": _checked}
    numbers = []
    for place, declared in enumerate(signature.arguments):
        if isinstance(declared, Number):
            numbers.append(f"a{place}")
            continue
        values[f"d{place}"] = declared.dtype
        fits = f"a{place}.dtype is d{place} and a{place}.contiguous"
        numbers.append(f"a{place}.address if {fits} else checked(a{place}, d{place})")
        if isinstance(declared, Array):
            numbers.append(f"a{place}.shape[0]")
    names = ", ".join(f"a{place}" for place in range(len(signature.arguments)))
    made: Callable[..., Any] = eval(f"lambda {names}: called({', '.join(numbers)})", values)
    return made


def _checked(array: Any, dtype: Any) -> int:
    """Return the address of an array.

    Raises:
        TypeError: it is not contiguous, or of another type.
    """
    if array.dtype != dtype or not array.contiguous:
        raise TypeError(array.dtype, dtype)
    address: int = array.address
    return address


class WebAssemblyHelpers:
    """The helpers of a search, as `tengen.engine.search.deepening.HelperWorkers` has them.

    Args:
        kernels: the kernels.
    """

    def __init__(self, kernels: PythonKernels) -> None:
        self._kernels = kernels
        self.free = kernels.free

    def fill_table(self, *arguments: Any) -> Callable[[], object]:
        """See `tengen.engine.search.deepening.HelperWorkers.fill_table`."""
        *records, table, first_depth = arguments
        addresses = [record.address for record in records]
        number = self._kernels.help(*addresses, table.address, len(table), first_depth)

        def wait() -> tuple[Any, ...]:
            self._kernels.finish(number)
            return arguments  # which have to stay in memory until then

        return wait


class StopFlag(threading.Event):
    """A signal that is set, too, while another worker says that the work under way is to end.

    Args:
        raised: returns whether it does.
    """

    def __init__(self, raised: Callable[[], bool]) -> None:
        super().__init__()
        self._raised = raised

    def is_set(self) -> bool:
        """Return whether it is set."""
        return super().is_set() or self._raised()


def install(kernels: PythonKernels, parameters: Callable[[str], bytes]) -> StopFlag:
    """Have the engine run on these kernels; see this module.

    Args:
        kernels: the kernels.
        parameters: returns the content of the file of parameters of a family of rules.

    Returns:
        The signal that ends the work under way.

    Raises:
        RuntimeError: NumPy has been imported already.
    """
    arrays.install(KernelMemory(kernels))
    kernels.due = stopping.poll_by(kernels.wake).poll
    from tengen.engine import tables
    from tengen.engine.kernels import library
    from tengen.engine.search import deepening

    deepening.help_by(WebAssemblyHelpers(kernels))
    library.use(WebAssemblyKernels(kernels))
    tables.use_parameter_files(parameters)
    return StopFlag(kernels.raised)
