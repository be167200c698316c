"""How the engine's functions are compiled, and where the result is kept.

The first use compiles for some twenty seconds; what comes of it is kept in the user's cache folder, in a
folder of its own for every state of the sources: Numba looks only at a function's own file, and would go on
using what was compiled from a helper's former text.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba import njit

_FOLDER = "TENGEN_CACHE"
"""The environment variable that names another folder."""


_NOT_COMPILED = {
    "__init__",
    "benchmark",
    "bridge",
    "deepening",
    "engine",
    "handicap",
    "info",
    "timing",
    "warmup",
}
"""Modules that no compiled function takes anything from."""


def cache_folder() -> Path | None:
    """Where compiled functions are kept; None where nothing can be written."""
    folder = _user_folder() / f"kernels-{_fingerprint()}"
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


def _fingerprint() -> str:
    """A short name for the sources, Numba and Python as they are."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        if source.stem not in _NOT_COMPILED:
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


FOLDER = cache_folder()
if FOLDER is not None:
    numba.config.CACHE_DIR = str(FOLDER)


def is_cold() -> bool:
    """Whether the functions have to be compiled first, which takes a while."""
    return FOLDER is None or next(FOLDER.rglob("*.nbc"), None) is None


OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "nogil": True,
    "_nrt": False,
    "cache": FOLDER is not None,
}
"""For every compiled function: C's division, no interpreter lock held, kept on disk.

Nor does Numba's runtime count who refers to an array: whoever calls from Python keeps the arrays, and
the engine's functions make none. Counting took a tenth of the search's time.
"""

inlined = njit(forceinline=True, **OPTIONS)
"""For small helpers."""
