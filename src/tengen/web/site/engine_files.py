"""The engine's kernels as WebAssembly, and its parameters."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from tengen import extras
from tengen.engine.kernels.source_hash import PACKAGE, raw_digest
from tengen.game.notation import shorten
from tengen.user_folders import cache_folder
from tengen.web.site.errors import SiteError

_SOURCES = ("engine", "game", "solver")
"""The rooms that kernels come from."""


def engine_files() -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of what the engine in a page loads.

    It takes half a minute to compile, and is kept in Tengen's cache until the sources change.

    Raises:
        MissingPackage: Numba is not installed.
        SiteError: the kernels cannot be compiled; the sentence has the reason.
    """
    sources = "-".join(raw_digest(PACKAGE / room) for room in _SOURCES)
    folder = cache_folder() / f"web-kernels-{sources}"
    if not folder.is_dir():
        _build(folder)
    for file in sorted(folder.iterdir()):
        yield file.name, file.read_bytes()


def _build(folder: Path) -> None:
    with extras.importing("site"):
        if find_spec("numba") is None:
            raise ModuleNotFoundError(name="numba")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as beside:
        built = Path(beside, "built")
        # In a process of its own, whatever has been compiled in this one.
        command = [sys.executable, "-m", "tengen.solver.build_kernels", str(built), "web"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = done.stderr.strip().rpartition("\n")[2]
            raise SiteError("error.site.kernels", reason=shorten(reason, 200))
        try:
            built.rename(folder)
        except OSError:
            if not folder.is_dir():  # another process was faster otherwise
                raise
