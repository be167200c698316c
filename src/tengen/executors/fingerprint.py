"""A fingerprint of the package: two checkouts of one version differ if their code does."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]

_KINDS = ("py", "json", "jsonl", "npz", "txt")
"""The extensions of code, and of data on which moves and results depend."""


@cache
def fingerprint() -> str:
    """The version and, in brackets, the beginning of a hash over the code and data of the package.

    It is taken once: a process goes on running the code that it has loaded, whatever happens to the files.
    """
    digest = hashlib.sha256()
    for path in sorted(path for kind in _KINDS for path in _PACKAGE.rglob(f"*.{kind}")):
        text = path.read_bytes().replace(b"\r\n", b"\n")  # as git checks out on Windows
        digest.update(f"{path.relative_to(_PACKAGE).as_posix()}\n{len(text)}\n".encode())
        digest.update(text)
    # Not imported: a package imports nothing from the rooms above.
    version = sys.modules[__name__.partition(".")[0]].__version__
    return f"{version} ({digest.hexdigest()[:8]})"
