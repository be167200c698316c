"""The user's folders for Tengen: one for data, and one for what can be computed anew."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from platformdirs import PlatformDirs

_NAME = "Tengen" if sys.platform in ("win32", "darwin") else "tengen"

_FOLDERS = PlatformDirs(_NAME, appauthor=False, opinion=False)


def data_folder() -> Path:
    """Return the folder for application data, ``~/.local/share/tengen`` on Linux."""
    return _FOLDERS.user_data_path


def cache_folder() -> Path:
    """Return the folder for the cache: that of ``TENGEN_CACHE``, or ``~/.cache/tengen`` on Linux.

    On macOS, too, a folder of that name is used if there is one: earlier versions have made it.
    """
    given = os.environ.get("TENGEN_CACHE")
    if given:
        return Path(given).expanduser()
    former = Path("~/.cache/tengen").expanduser()
    return former if sys.platform == "darwin" and former.is_dir() else _FOLDERS.user_cache_path
