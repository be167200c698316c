"""The decorators of compiled functions, and the cache that keeps their machine code.

- `kernel` declares a function for callers from Python, with its types. `kernels` lists all of these for
  whoever compiles them in advance.
- `compiled` makes a function that Python and other compiled functions call, for the types of each call.
- `inlined` makes a helper that only compiled functions call.

An import compiles nothing, creates no folder and changes none of Numba's settings. The first use compiles,
for half a minute and more where it is the whole engine, and `tengen.engine.kernels.compile_events` reports
it. The machine code is kept in the user's cache folder under the fingerprint of each function
(`tengen.engine.kernels.source_hash`), so that an edit compiles only what it changes.
"""

from __future__ import annotations

import hashlib
import math
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, njit, typeof, types
from numba.core import caching, event
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from tengen import user_folders
from tengen.engine.kernels import compile_events
from tengen.engine.kernels.signatures import Argument, Array, Number, Numbers, Result, Signature
from tengen.engine.kernels.source_hash import PACKAGE, VERSION, fingerprints_in

_FOLDER = "TENGEN_CACHE"
"""The environment variable that names another folder."""

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

_INLINED: dict[str, Any] = {"forceinline": True, "no_cpython_wrapper": True}
"""For helpers, in addition. A wrapper for Python would be a quarter of the compiler's work."""

_BASE = f"{VERSION} {OPTIONS} {_INLINED}"

_MONTH = 30 * 24 * 3600
"""Seconds after which what nobody has used is removed."""

_imported = time.time()
"""The time at which the compiled functions are imported, more or less."""

_opening = threading.Lock()


def cache_folder() -> Path | None:
    """Return the folder of the compiled functions, created at the first call; None if it is read-only."""
    with _opening:
        asked = os.environ.get(_FOLDER)
        return _created(Path(asked) if asked else user_folders.cache_folder())


@lru_cache(maxsize=4)
def _created(user_folder: Path) -> Path | None:
    folder = user_folder / "kernels"
    probe = folder / f".{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError:
        compile_events.announce(kept=False)
        return None
    _remove_old(folder)
    for former in user_folder.glob("kernels-*"):
        # Earlier versions had a folder for each state of the sources, of some 100 MB.
        shutil.rmtree(former, ignore_errors=True)
    compile_events.announce(kept=True)
    return folder


def _remove_old(folder: Path) -> None:
    """Remove what other versions have compiled, if nobody has used it for a month."""
    month_ago = time.time() - _MONTH
    for file in folder.iterdir():
        with suppress(OSError):
            if file.stat().st_mtime < month_ago:
                file.unlink()


def _fingerprint(function: Callable[..., Any]) -> str | None:
    """Return the fingerprint of a function; None if it cannot be told, and nothing is to be kept for it."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        return None if _is_edited() else fingerprints_in(folder, _BASE).of(function)
    except OSError:  # no sources
        return None


@lru_cache(maxsize=1)
def _is_edited() -> bool:
    """Return whether a source was changed after it was imported: then it is not what will be compiled."""
    return any(_imported < file.stat().st_mtime <= time.time() for file in PACKAGE.rglob("*.py"))


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
        folder, fingerprint = cache_folder(), _fingerprint(function)
        assert folder is not None
        assert fingerprint is not None
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(function.__code__.co_filename, folder, fingerprint)
        self._filename_base = self.get_filename_base(_name_of(function), getattr(sys, "abiflags", ""))


class _OpenedCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function, with our own names for its files."""

    _impl_class = _CacheFiles


class _KernelCache(caching._Cache):  # type: ignore[misc]  # noqa: SLF001
    """The cache of a function, opened when it is first compiled: an import creates no folder."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _opened(self) -> Any:
        kept = _fingerprint(self._function) is not None
        return _OpenedCache(self._function) if kept else caching.NullCache()

    @property
    def cache_path(self) -> str | None:
        """The folder; None where nothing is kept."""
        path: str | None = self._opened.cache_path
        return path

    @property
    def is_kept(self) -> bool:
        """Whether there is a file for the function."""
        index = getattr(getattr(self._opened, "_cache_file", None), "_index_path", None)
        return index is not None and Path(index).exists()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the machine code for a signature; None if it is not there."""
        loaded = self._opened.load_overload(sig, target_context)
        if loaded is not None:
            self._mark_used()
        return loaded

    def _mark_used(self) -> None:
        index = Path(self._opened._cache_file._index_path)  # noqa: SLF001
        day_ago = time.time() - _MONTH / 30
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


def _name_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def kept_array(
    name: str,
    shape: tuple[int, ...],
    kind: type[np.generic],
    make: Callable[..., npt.NDArray[Any]],
    *arguments: Any,
) -> npt.NDArray[Any]:
    """Return an array that takes a while to compute, kept beside the compiled functions once it was.

    Args:
        name: the name of the file without its ending, which has to tell different arguments apart.
        shape: the shape of the array.
        kind: the type of its numbers.
        make: computes it; a module-level function, whose fingerprint becomes part of the file's name.
        arguments: the arguments of `make`.

    Returns:
        The array, not to be written to. One whose file is damaged is computed again.
    """
    folder, fingerprint = cache_folder(), _fingerprint(make)
    file = None if folder is None or fingerprint is None else folder / f"{name}-{fingerprint}.table"
    size = math.prod(shape) * np.dtype(kind).itemsize
    kept = None if file is None else _intact(file, size)
    if kept is not None:
        return np.frombuffer(kept, kind, offset=_DIGEST).reshape(shape)
    with event.trigger_event(compile_events.WORKED_OUT, name):
        made = make(*arguments)
    if file is not None:
        data = np.ascontiguousarray(made, kind).tobytes()
        # Written under another name first: two processes may do this at once.
        part = file.with_suffix(f".{os.getpid()}.part")
        with suppress(OSError):
            part.write_bytes(hashlib.sha256(data).digest() + data)
            part.replace(file)
    return made


_DIGEST = hashlib.sha256().digest_size


def _intact(file: Path, size: int) -> bytes | None:
    """Return a digest and `size` bytes that it is the digest of; None if the file does not hold that."""
    try:
        data = file.read_bytes()
        file.touch()
    except OSError:
        return None
    body = memoryview(data)[_DIGEST:]
    return data if len(body) == size and hashlib.sha256(body).digest() == data[:_DIGEST] else None


class _Inlined(CPUDispatcher):  # type: ignore[misc]
    """A compiled function that only compiled functions call."""

    def __call__(self, *_: Any) -> Any:
        """Refuse a call from Python, which would end in memory that is not there."""
        raise TypeError(f"{self.__name__} can be called from compiled functions only")


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function of declared types, compiled when it is first called, or by `build`.

    Attributes:
        name: the module and the function.
        signature: the types of its result and its arguments.
        seconds: the time that it adds to the compilation of everything, on some machine.
        large: whether it is compiled in a process of its own.
    """

    name: str
    signature: Any
    seconds: float
    large: bool

    @property
    def is_kept(self) -> bool:
        """Whether there is machine code of it in the cache."""
        kept: bool = self._cache.is_kept
        return kept

    def build(self) -> Any:
        """Compile it, or load it from the cache, unless that has been done.

        Returns:
            What runs it.
        """
        with global_compiler_lock:
            if not self.overloads:
                super().compile(self.signature)
                self.disable_compile()  # other types are converted to those declared, or refused
            return next(iter(self.overloads.values())).entry_point

    def compile(self, sig: Any) -> Any:
        """Compile it for its own types, whatever those of a first call are; Numba calls this."""
        with global_compiler_lock:
            # While it is being compiled, a call of itself is Numba's to resolve.
            return super().compile(sig) if self.is_compiling else self.build()


_kernels: list[Kernel] = []


def kernels() -> tuple[Kernel, ...]:
    """Return all kernels of the modules that have been imported, each after those that it calls."""
    return tuple(_kernels)


def compiled(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make a compiled function that Python can call, too; compiled for the types of each call.

    Args:
        function: the function.
        options: more of Numba's options than `OPTIONS`, such as ``fastmath``, or ``_nrt`` for a function
            that makes arrays.
    """
    if function is None:
        return partial(compiled, **options)
    made = njit(**OPTIONS | options)(function)
    if isinstance(made, CPUDispatcher):  # not so with NUMBA_DISABLE_JIT
        made._cache = _KernelCache(function)  # noqa: SLF001 - as `enable_caching` does, but later
    return made


def inlined(function: Callable[..., Any]) -> Any:
    """Make a small helper of compiled functions, compiled into each of them; Python cannot call it."""
    helper = compiled(function, **_INLINED)
    if isinstance(helper, CPUDispatcher):
        helper.__class__ = _Inlined
    return helper


def kernel(
    signature: Signature, *, seconds: float = 0.3, large: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """Make a compiled function that declares its types, for callers from Python, and list it.

    Numba compiles functions with a signature while their module is imported. Here that waits for the first
    call, so that an import takes no time.

    Args:
        signature: the types of its result and its arguments.
        seconds: the time that it adds to the compilation of everything, on some machine.
        large: whether it takes long to compile, so that this is done in a process of its own.
    """

    def declared(function: Callable[..., Any]) -> Any:
        made = compiled(function)
        if isinstance(made, CPUDispatcher):
            made.__class__ = Kernel
            made.name, made.signature = _name_of(function), _numba_signature(signature)
            made.seconds, made.large = seconds, large
            _kernels.append(made)
        return made

    return declared


def _numba_signature(signature: Signature) -> Any:
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


def build(*functions: Any) -> None:
    """Compile some kernels, or load them from the cache, without calling them."""
    for each in functions:
        if isinstance(each, Kernel):  # not so with NUMBA_DISABLE_JIT
            each.build()


def is_cold() -> bool:
    """Return whether a large kernel has to be compiled first, of the modules that have been imported."""
    return any(each.large and not each.is_kept for each in kernels())
