"""How the engine's functions are compiled, and where the result is kept.

Nothing is compiled by an import. The first use compiles, for half a minute and more where it is the whole
engine, and `tengen.engine.kernels.compile_events` says so; what comes of it is kept in the user's cache
folder, in a folder of its own for every state of the sources: Numba looks only at a function's own file,
and would go on using what was compiled from a helper's former text. Numba's own settings stay as they are:
functions of other people in the same process are kept wherever those say.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import njit
from numba.core import caching, event
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from tengen.engine.kernels import compile_events

_FOLDER = "TENGEN_CACHE"
"""The environment variable that names another folder."""

PACKAGE = Path(__file__).parents[2]

_COMPILED = re.compile(
    r"^from tengen\.engine\.kernels\.jit import .*\b(OPTIONS|inlined|kernel)\b", re.MULTILINE
)
_IMPORT = re.compile(r"^from (?P<module>tengen[\w.]*) import (?P<names>\([^)]*\)|.*)$", re.MULTILINE)


def cache_folder() -> Path | None:
    """Where compiled functions are kept; None where nothing can be written."""
    folder = _user_folder() / f"kernels-{fingerprint()}"
    probe = folder / f".{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    _forget_old(folder)
    return folder


def _forget_old(folder: Path) -> None:
    """Remove what other versions have compiled, if nobody has used it for a month."""
    month_ago = time.time() - 30 * 24 * 3600
    for other in folder.parent.glob("kernels-*"):
        with suppress(OSError):
            if other != folder and other.stat().st_mtime < month_ago:
                shutil.rmtree(other, ignore_errors=True)


def _user_folder() -> Path:
    asked = os.environ.get(_FOLDER)
    if asked:
        return Path(asked)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "tengen"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tengen"


def sources(package: Path = PACKAGE) -> list[Path]:
    """The files that the compiled functions come from, and all that those take anything from.

    A constant of the game is compiled into the functions, and would be used as it was for ever.
    """
    candidates = (file for room in ("engine", "solver") for file in package.glob(f"{room}/**/*.py"))
    found = {file for file in candidates if _COMPILED.search(file.read_text("utf-8"))}
    left = list(found)
    while left:
        new = {file for file in _imported(package, left.pop().read_text("utf-8")) if file.exists()} - found
        found |= new
        left.extend(new)
    return sorted(found)


def _imported(package: Path, text: str) -> Iterator[Path]:
    """The files of the package that a module imports from when it is loaded."""
    for match in _IMPORT.finditer(text):
        module = package.parent.joinpath(*match["module"].split("."))
        yield module.with_suffix(".py")
        yield module / "__init__.py"
        yield from (module / f"{name}.py" for name in re.findall(r"\w+", match["names"]))


def fingerprint(package: Path = PACKAGE) -> str:
    """A short name for the sources, Numba and Python as they are."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in sources(package):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


FOLDER = cache_folder()
compile_events.announce(kept=FOLDER is not None)


class KernelLocator(  # Numba has a public name only for the one folder of all functions in the process.
    caching._SourceFileBackedLocatorMixin,  # type: ignore[misc]  # noqa: SLF001
    caching._CacheLocator,  # type: ignore[misc]  # noqa: SLF001
):
    """Tells Numba where Tengen's functions are kept; those of others go where they would without it."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        assert FOLDER is not None  # otherwise nothing is kept
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno
        self._folder = FOLDER / self.get_suitable_cache_subpath(py_file)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> KernelLocator | None:
        """The locator for a function; None where it is not one of Tengen's."""
        if FOLDER is None or PACKAGE not in Path(py_file).parents:
            return None
        locator: KernelLocator | None = super().from_function(py_func, py_file)
        return locator

    def get_cache_path(self) -> str:
        """The folder for a function."""
        return str(self._folder)


_kept = caching.CompileResultCacheImpl
_kept._locator_classes = [KernelLocator, *_kept._locator_classes]  # noqa: SLF001


def is_cold() -> bool:
    """Whether the functions have to be compiled first, which takes a while."""
    return FOLDER is None or next(FOLDER.rglob("*.nbc"), None) is None


def kept_array(
    name: str, shape: tuple[int, ...], kind: type[np.generic], make: Callable[[], npt.NDArray[Any]]
) -> npt.NDArray[Any]:
    """An array that takes a while to be worked out, kept beside the compiled functions once it has been.

    Args:
        name: of the file, without its ending; what it depends on is in it.
        shape: of the array.
        kind: of its numbers.
        make: works it out.

    Returns:
        The array, not to be written to. One that is damaged where it was kept is worked out anew.
    """
    file = None if FOLDER is None else FOLDER / f"{name}.table"
    size = math.prod(shape) * np.dtype(kind).itemsize
    kept = None if file is None else _intact(file, size)
    if kept is not None:
        return np.frombuffer(kept, kind, offset=_DIGEST).reshape(shape)
    with event.trigger_event(compile_events.WORKED_OUT, name):
        made = make()
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
    """A digest, and so many bytes that it is the digest of; None where the file does not hold that."""
    try:
        data = file.read_bytes()
    except OSError:
        return None
    body = memoryview(data)[_DIGEST:]
    return data if len(body) == size and hashlib.sha256(body).digest() == data[:_DIGEST] else None


OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "nogil": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
    "cache": FOLDER is not None,
}
"""For every compiled function: C's division, no interpreter lock held, nothing for C to call, kept on disk.

Nor does Numba's runtime count who refers to an array: whoever calls from Python keeps the arrays, and
the engine's functions make none. Counting took a tenth of the search's time.
"""


class _Inlined(CPUDispatcher):  # type: ignore[misc]
    """A compiled function that only compiled functions call."""

    def __call__(self, *_: Any) -> Any:
        """Refuse a call from Python, which would end in memory that is not there."""
        raise TypeError(f"{self.__name__} can be called from compiled functions only")


def inlined(function: Callable[..., Any]) -> Any:
    """Make a small helper of compiled functions, compiled into each of them.

    Python cannot call it: what a call from there needs would be a quarter of the compiler's work.
    """
    helper = njit(forceinline=True, no_cpython_wrapper=True, **OPTIONS)(function)
    if isinstance(helper, CPUDispatcher):  # not so with NUMBA_DISABLE_JIT
        helper.__class__ = _Inlined
    return helper


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function of declared types, compiled when it is first called, or by `build`."""

    _signature: Any

    def build(self) -> Any:
        """Compile it, or load it from the cache, unless that has been done.

        Returns:
            What runs it.
        """
        with global_compiler_lock:
            if not self.overloads:
                super().compile(self._signature)
                self.disable_compile()  # other types are converted to those declared, or refused
            return next(iter(self.overloads.values())).entry_point

    def compile(self, sig: Any) -> Any:
        """Compile it for its own types, whatever those of a first call are; Numba calls this."""
        with global_compiler_lock:
            # While it is being compiled, a call of itself is Numba's to resolve.
            return super().compile(sig) if self.is_compiling else self.build()


def kernel(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make a compiled function that says what it takes and returns, for callers from Python.

    Numba compiles functions with a signature while their module is imported. Here that waits for the first
    call, so that an import takes no time.

    Args:
        signature: the types of its result and its arguments, such as ``types.int64(types.int64)``.
    """

    def declared(function: Callable[..., Any]) -> Any:
        made = njit(**OPTIONS)(function)
        if isinstance(made, CPUDispatcher):  # not so with NUMBA_DISABLE_JIT
            made.__class__ = Kernel
            made._signature = signature  # noqa: SLF001 - of the class above
        return made

    return declared


def build(*kernels: Any) -> None:
    """Compile some kernels, or load them from the cache, without calling them."""
    for each in kernels:
        if isinstance(each, Kernel):  # not so with NUMBA_DISABLE_JIT
            each.build()
