"""Pictures as files, whose extensions give their formats."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from tengen.formats.files import FileError, shown, write_whole
from tengen.game.arguments import wrong


def save_picture(path: str | os.PathLike[str], formats: Mapping[str, Callable[[], bytes]]) -> None:
    """Write a picture to a file.

    Args:
        path: the file; one of its name is replaced.
        formats: the functions that draw the picture, by extension.

    Raises:
        FileError: it cannot be written, or its extension is another one.
        ArgumentError: `path` is no path.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise wrong("path", path, "argument.path")
    draw = formats.get(Path(path).suffix.lower())
    if draw is None:
        raise FileError("error.file.extension", file=shown(Path(path)), extensions=tuple(formats))
    write_whole(Path(path), draw())
