"""Just-in-time compilation of declared functions by Numba, and the cache of their machine code.

The first use compiles, for half a minute and more where it is the whole engine, and
`tengen.engine.kernels.compile_events` reports it. The machine code is kept in the user's cache folder under
the fingerprint of each function (`tengen.engine.kernels.source_hash`), so that an edit compiles only what
it changes. Nothing is compiled, and none of Numba's settings is changed, by an import.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import from_dtype, njit, typeof, types
from numba.core import caching, event
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, cpu_target

from tengen.engine.kernels.cache import MONTH, cache_folder, fingerprint
from tengen.engine.kernels.compile_events import report_compilation
from tengen.engine.kernels.signatures import Argument, Array, Number, Numbers, Result, Signature
from tengen.engine.kernels.source_hash import VERSION

OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "nogil": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
"""For every compiled function: C's division, no interpreter lock held, nothing for C to call.

Nor does Numba's runtime count references to arrays: callers from Python keep the arrays, and the engine's
functions make none. Counting took a tenth of the search's time.
"""

_BASE = f"{VERSION} {numba.__version__} {llvmlite.__version__} {OPTIONS}"
"""What belongs to the fingerprint of machine code besides the source."""


class _CompileListener(event.Listener):  # type: ignore[misc]
    """Reports each function of Tengen that Numba compiles.

    See https://numba.readthedocs.io/en/stable/developer/event_api.html.
    """

    def on_start(self, happening: Any) -> None:
        """Report a function that is about to be compiled."""
        function = happening.data["dispatcher"].py_func
        if function.__module__.startswith("tengen."):
            name = f"{function.__module__}.{function.__name__}"
            report_compilation(name, kept=cache_folder() is not None)

    def on_end(self, happening: Any) -> None:
        """Do nothing: only the start is reported."""


event.register("numba:compile", _CompileListener())


class _Locator(caching._CacheLocator):  # type: ignore[misc]  # noqa: SLF001 - Numba has no public name for it
    """The locator of a function's files for Numba: a folder, and a stamp that identifies stale files."""

    def __init__(self, file: str, folder: Path, fingerprint: str) -> None:
        self._py_file = file
        self._folder = folder
        self._fingerprint = fingerprint

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return the fingerprint, instead of a hash of the file that the function stands in."""
        return self._fingerprint

    def get_disambiguator(self) -> str:
        """Return the fingerprint, which tells versions of a function apart in the names of files."""
        return self._fingerprint


class _CacheFiles(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """The files of one function, called by its whole name and its fingerprint."""

    def __init__(self, function: Callable[..., Any]) -> None:
        folder, code = cache_folder(), fingerprint(function, _BASE)
        assert folder is not None
        assert code is not None
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(function.__code__.co_filename, folder, code)
        self._filename_base = self.get_filename_base(
            f"{function.__module__}.{function.__qualname__}", getattr(sys, "abiflags", "")
        )


class _OpenedCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function, with our own names for its files."""

    _impl_class = _CacheFiles


class _KernelCache(caching._Cache):  # type: ignore[misc]  # noqa: SLF001
    """The cache of a function, opened when it is first compiled: an import creates no folder."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _opened(self) -> Any:
        kept = fingerprint(self._function, _BASE) is not None
        return _OpenedCache(self._function) if kept else caching.NullCache()

    @property
    def cache_path(self) -> str | None:
        """The folder; None where nothing is kept."""
        path: str | None = self._opened.cache_path
        return path

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the machine code for a signature; None if it is not there."""
        loaded = self._opened.load_overload(sig, target_context)
        if loaded is not None:
            self._mark_used()
        return loaded

    def _mark_used(self) -> None:
        index = Path(self._opened._cache_file._index_path)  # noqa: SLF001
        day_ago = time.time() - MONTH / 30
        for file in index.parent.glob(f"{index.stem}.*") if index.stat().st_mtime < day_ago else ():
            with suppress(OSError):
                file.touch()

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for a signature."""
        self._opened.save_overload(sig, data)

    def enable(self) -> None:
        """Use the cache."""
        self._opened.enable()

    def disable(self) -> None:
        """Leave the cache alone."""
        self._opened.disable()

    def flush(self) -> None:
        """Forget what is kept."""
        self._opened.flush()


class _KernelDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A compiled function of declared types."""

    declared: Any
    """The only signature that it is compiled for."""

    def build(self) -> None:
        """Compile it, or load it from the cache, unless that has been done."""
        with global_compiler_lock:
            if not self.overloads:
                super().compile(self.declared)
                self.disable_compile()  # other types are converted to those declared, or refused

    def compile(self, sig: Any) -> Any:
        """Compile it for its own types, whatever those of a first call are; Numba calls this."""
        with global_compiler_lock:
            if self.is_compiling:  # a call of itself is Numba's to resolve
                return super().compile(sig)
            self.build()
            return next(iter(self.overloads.values())).entry_point


def dispatcher(
    function: Callable[..., Any], options: dict[str, Any], signature: Signature | None = None
) -> Any:
    """Return Numba's dispatcher of a declared function, which compiles it when it is first called.

    Args:
        function: the function.
        options: its own options.
        signature: the types of a kernel; None for a function that is compiled for the types of each call.
    """
    made = njit(**OPTIONS | options)(function)
    if isinstance(made, CPUDispatcher):  # not so with NUMBA_DISABLE_JIT
        made._cache = _KernelCache(function)  # noqa: SLF001 - as `enable_caching` does, but later
        if signature is not None:
            made.__class__ = _KernelDispatcher
            made.declared = _numba_signature(signature)
    return made


def intrinsic_type(function: Callable[..., Any]) -> Any:
    """Return Numba's type of a declared intrinsic, after importing the module that builds it."""
    builder = getattr(importlib.import_module(f"{function.__module__}_llvm"), function.__name__)
    # The module may be imported while a function is being compiled.
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(builder)


def _numba_signature(signature: Signature) -> Any:
    """Return Numba's signature for the types of a kernel."""
    return _numba_type(signature.result)(*map(_numba_type, signature.arguments))


def _numba_type(declared: Argument | Result) -> Any:
    """Return Numba's type for a declared one."""
    if declared is None:
        return types.void
    if isinstance(declared, Number):
        return from_dtype(declared.dtype)
    if isinstance(declared, Numbers):
        return types.UniTuple(types.int64, declared.count)
    dimensions = declared.dimensions if isinstance(declared, Array) else 1
    return typeof(np.zeros((1,) * dimensions, declared.dtype))
