"""The folder that keeps the machine code of kernels that were compiled just in time."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from tengen import user_folders
from tengen.engine.kernels.source_hash import PACKAGE, VERSION, fingerprints_in

MONTH = 30 * 24 * 3600
"""Seconds after which what nobody has used is removed."""

_imported = time.time()
"""The time at which the compiled functions are imported, more or less."""

_opening = threading.Lock()


def cache_folder() -> Path | None:
    """Return the folder of the compiled functions, created at the first call; None if it is read-only."""
    with _opening:
        return _created(user_folders.cache_folder())


@lru_cache(maxsize=4)
def _created(parent: Path) -> Path | None:
    folder = parent / "kernels"
    probe = folder / f".{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    _remove_old(folder)
    for former in parent.glob("kernels-*"):
        # Earlier versions had a folder for each state of the sources, of some 100 MB.
        shutil.rmtree(former, ignore_errors=True)
    return folder


def _remove_old(folder: Path) -> None:
    """Remove what other versions have compiled, if nobody has used it for a month."""
    month_ago = time.time() - MONTH
    for file in folder.iterdir():
        with suppress(OSError):
            if file.stat().st_mtime < month_ago:
                file.unlink()


def fingerprint(function: Callable[..., Any], base: str = VERSION) -> str | None:
    """Return the fingerprint of a function; None where nothing is to be kept for it.

    Args:
        function: a module-level function of the package.
        base: what belongs to the fingerprint besides the source.
    """
    folder = cache_folder()
    if folder is None:
        return None
    try:
        return None if _is_edited() else fingerprints_in(folder, base).of(function)
    except OSError:  # no sources
        return None


@lru_cache(maxsize=1)
def _is_edited() -> bool:
    """Return whether a source was changed after it was imported: then it is not what will be compiled."""
    return any(_imported < file.stat().st_mtime <= time.time() for file in PACKAGE.rglob("*.py"))
