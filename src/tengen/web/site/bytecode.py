"""Python modules compiled for the browser, where Node is at hand: they load in a fraction of the time."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tengen.web.site.packages import tar

_SCRIPT = Path(__file__).with_name("bytecode.mjs")
_PATIENCE = 300

_MIGRATIONS = "tengen/web/database/migrations/"
"""Modules that stay as they are: Alembic looks for sources."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """Files, with the Python modules among them compiled.

    Attributes:
        files: the contents by path.
        started: the names of the modules and packages that Python imports at its start; none where Node
            is not at hand, and all modules are as they were.
    """

    files: dict[str, bytes]
    started: frozenset[str] = frozenset()


def bytecode(files: Mapping[str, bytes], pyodide: Path) -> Compiled:
    """Return files with the Python modules among them compiled; all as they are where Node is not at hand.

    Args:
        files: the contents of files, by path.
        pyodide: the folder of Pyodide, which compiles them: the versions of Python must be the same.
    """
    node = shutil.which("node")
    if node is None:
        return Compiled(dict(files))
    kept = {name: data for name, data in files.items() if name.startswith(_MIGRATIONS)}
    with TemporaryDirectory() as folder:
        sources, target = Path(folder, "sources.tar"), Path(folder, "target.tar")
        sources.write_bytes(tar({name: data for name, data in files.items() if name not in kept}))
        command = [node, str(_SCRIPT), str(pyodide), str(sources), str(target)]
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=_PATIENCE)
        except (OSError, subprocess.TimeoutExpired):
            return Compiled(dict(files))
        if done.returncode:
            return Compiled(dict(files))
        with tarfile.open(target) as archive:
            compiled = {entry.name: _content(archive, entry) for entry in archive}
        return Compiled(compiled | kept, frozenset(json.loads(done.stdout)))


def _content(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(entry)
    return b"" if file is None else file.read()
