"""The library of kernels: a shared object compiled ahead of time, for processors that it names.

`tengen.engine.kernels.ahead` builds it. It is used only if it was built from the installed sources: it
contains the digests of the files that its kernels depend on and, for files that have been edited elsewhere,
the kernels' fingerprints. The environment variable ``TENGEN_KERNELS`` asks for one kind of kernels:
``aot``, compiled ahead of time, or ``jit``, just in time.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tengen.engine.kernels.signatures import Array, Number, Numbers, Signature
from tengen.engine.kernels.source_hash import PACKAGE, fingerprints_in

FOLDER = Path(__file__).parent / "libraries"
"""The folder of the libraries."""

VARIABLE = "TENGEN_KERNELS"
"""The environment variable."""

MANIFEST_SYMBOL = "tengen_manifest"
"""The symbol of a library's manifest, a text that ends with a zero byte."""

FORMAT = "1"
"""The version of the calling convention and of the manifest."""

_V2 = {"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"}
_V3 = _V2 | {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"}
"""The features, as Linux calls them, of the levels 2 and 3 of x86-64 processors.

See the psABI, https://gitlab.com/x86-psABIs/x86-64-ABI.
"""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The origin of a library.

    Attributes:
        format: `FORMAT` of the builder.
        target: the name of the target that it was compiled for.
        compiler: the versions of the compiler.
        files: the digest of each source file that the kernels depend on, by its path in the package.
        kernels: the fingerprint of each kernel, by its name, module included.
    """

    format: str
    target: str
    compiler: str
    files: dict[str, str]
    kernels: dict[str, str]

    def to_json(self) -> str:
        """Return it as text, the same for equal manifests."""
        return json.dumps(asdict(self), sort_keys=True)


def symbol(name: str) -> str:
    """Return the name of a kernel's function in a library.

    Args:
        name: of the kernel, module included.
    """
    return f"tengen_{name.rpartition('.')[2]}"


def digest(file: Path) -> str:
    """Return the digest of a source file, the same with every kind of line ends.

    Raises:
        OSError: it cannot be read.
    """
    return hashlib.sha256(file.read_bytes().replace(b"\r\n", b"\n")).hexdigest()[:16]


class Kernels(Protocol):
    """Compiled kernels."""

    @property
    def manifest(self) -> Manifest:
        """Their origin."""

    def function(self, name: str, signature: Signature) -> Callable[..., Any]:
        """Return what calls a kernel.

        Args:
            name: the kernel's name, module included.
            signature: its types.

        Raises:
            KeyError: there is none of this name.
        """


class Library:
    """A loaded library of kernels.

    Args:
        file: the shared object.

    Raises:
        OSError: it cannot be loaded.
        ValueError: it has no manifest of this format.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._functions = ctypes.CDLL(str(file))
        text = ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(self._functions, MANIFEST_SYMBOL)))
        values = json.loads(text)
        if values.get("format") != FORMAT:
            raise ValueError(file)
        self.manifest = Manifest(**values)

    def matches(self, folder: Path | None = None) -> bool:
        """Return whether it was made from the sources of this package.

        Args:
            folder: a folder that keeps fingerprints; Tengen's cache if None.
        """
        files = self.manifest.files
        try:
            if all(digest(PACKAGE / path) == found for path, found in files.items()):
                return True
        except OSError:
            # No sources have been installed. A file that is gone has been renamed, with what it contained.
            return not any((PACKAGE / path).exists() for path in files)
        return self._has_equal_kernels(folder)

    def _has_equal_kernels(self, folder: Path | None) -> bool:
        """Return whether the kernels are the same although their files are not."""
        from tengen.engine.kernels.cache import cache_folder

        folder = folder or cache_folder()
        if folder is None:
            return False
        with suppress(OSError):
            known = fingerprints_in(folder, FORMAT)
            return all(
                known.named(*name.rsplit(".", 1)) == found for name, found in self.manifest.kernels.items()
            )
        return False

    def function(self, name: str, signature: Signature) -> Callable[..., Any]:
        """See `Kernels.function`."""
        if name not in self.manifest.kernels:
            raise KeyError(name)
        called = getattr(self._functions, symbol(name))
        called.argtypes = list(_argument_types(signature))
        result = signature.result
        called.restype = ctypes.c_int64 if isinstance(result, Number) else None
        if isinstance(result, Numbers):
            return _with_numbers(_with_results(called, result.count), signature)
        if isinstance(result, Number) and result.dtype.kind == "b":
            called.restype = ctypes.c_bool
        return _with_numbers(called, signature)


def _argument_types(signature: Signature) -> Iterator[Any]:
    for argument in signature.arguments:
        if isinstance(argument, Number):
            yield ctypes.c_int64
        else:
            yield ctypes.c_void_p
            if isinstance(argument, Array):
                yield ctypes.c_int64
    if isinstance(signature.result, Numbers):
        yield ctypes.c_void_p


_addresses: dict[int, tuple[weakref.ref[Any], np.dtype[Any], int]] = {}
"""The arrays that kernels have been called with, by `id`, with their types and addresses.

NumPy takes microseconds to tell an address, many times as long as a kernel that plays a move. An array
that has been here must not move: it cannot be resized in place.
"""


def _address(array: npt.NDArray[Any], dtype: np.dtype[Any]) -> int:
    """Return the address of an array.

    Raises:
        TypeError: it is not contiguous, or of another type.
    """
    key = id(array)
    known = _addresses.get(key)
    if known is not None and known[0]() is array and known[1] is dtype:
        return known[2]
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise TypeError(f"{array.dtype} array where a contiguous one of {dtype} is expected")
    address = array.ctypes.data
    _addresses[key] = weakref.ref(array, lambda _: _addresses.pop(key, None)), dtype, address
    return address


def _with_numbers(called: Callable[..., Any], signature: Signature) -> Callable[..., Any]:
    """Return a function that takes arrays, where `called` takes their addresses and lengths."""
    declared = [
        (None if isinstance(each, Number) else each.dtype, isinstance(each, Array))
        for each in signature.arguments
    ]

    def call(*arguments: Any) -> Any:
        numbers = []
        for (dtype, has_length), argument in zip(declared, arguments, strict=True):
            if dtype is None:
                numbers.append(int(argument))
                continue
            numbers.append(_address(argument, dtype))
            if has_length:
                numbers.append(len(argument))
        return called(*numbers)

    return call


def _with_results(called: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Return a function whose result are the numbers that `called` writes to an address."""

    def call(*numbers: int) -> tuple[int, ...]:
        results = (ctypes.c_int64 * count)()
        called(*numbers, ctypes.addressof(results))
        return tuple(results)

    return call


def host() -> tuple[str, str]:
    """Return the system and the architecture of this machine, as they stand in the names of targets."""
    import platform

    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    return system, {"amd64": "x86-64", "x86_64": "x86-64", "arm64": "aarch64"}.get(machine, machine)


def target_names() -> list[str]:
    """Return the names of the targets whose libraries run on this machine, the fastest first."""
    system, machine = host()
    if machine != "x86-64":
        return [f"{system}-{machine}"]
    features = _processor_features()
    levels = [level for level, needed in (("-v3", _V3), ("-v2", _V2)) if needed <= features]
    return [f"{system}-{machine}{level}" for level in [*levels, ""]]


def _processor_features() -> set[str]:
    """Return the features of this machine's processor; empty where they are not known."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            if line.startswith("flags"):
                return set(line.partition(":")[2].split())
    return set()


def file_of(target: str, folder: Path = FOLDER) -> Path:
    """Return the library's file for a target, in a folder."""
    suffix = {"windows": ".dll", "macos": ".dylib", "wasm32": ".wasm"}.get(target.partition("-")[0], ".so")
    return folder / f"{target}{suffix}"


def matching() -> Library | None:
    """Return the fastest library for this machine that matches the sources; None if there is none."""
    for target in target_names():
        file = file_of(target)
        if file.exists():
            with suppress(OSError, ValueError):
                library = Library(file)
                if library.matches():
                    return library
    return None


_used: list[Kernels] = []


def use(kernels: Kernels) -> None:
    """Use these kernels from now on; functions that have been called keep theirs."""
    _used[:] = [kernels]


def selected() -> Kernels | None:
    """Return the kernels in use, or the library; None if kernels are compiled just in time.

    Raises:
        TengenError: ``TENGEN_KERNELS`` asks for something unknown, or for a library that is not there.
    """
    return _used[0] if _used else _library()


@lru_cache(maxsize=1)
def _library() -> Library | None:
    """Return the library that ``TENGEN_KERNELS`` allows for; see `selected`."""
    from tengen.game.arguments import shown
    from tengen.game.errors import TengenError

    asked = os.environ.get(VARIABLE, "")
    if asked not in ("", "aot", "jit"):
        raise TengenError("error.kernels.variable", value=shown(asked))
    library = None if asked == "jit" else matching()
    if library is None and asked == "aot":
        raise TengenError("error.kernels.none")
    return library
