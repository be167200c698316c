"""The files that commands write: none replaces a file that is read, or one that took long to compute.

A command declares with the reader of an option or argument that it writes the file (`Writing`), and all of
them are checked here, before the command runs. ``docs/command-line.md`` states the rule.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tengen.cli.errors import CliError
from tengen.cli.option_values import Writing
from tengen.cli.positions import STANDARD_INPUT

_SEPARATORS = re.compile(r"[\s,=:]+")
"""Characters that surround the name of a file in an argument, as in ``prover:file=win.proof``."""

_HEAD = 4096
_RESUMED = re.compile(rb'SQLite format 3\0|\{"format": ?"tengen (games|tuning)", ?"version": ?\d+, ?"\w')
_COMPUTED = re.compile(
    _RESUMED.pattern
    + rb'|tengen proof \d|\{"format": ?"tengen (puzzles|exact|training|quiet wins)"'
    + rb"|(#.*\n)*# made by: tengen openings"
)
"""The beginnings of Tengen's own files that hold computed results, and of those that ``--resume`` takes."""


class OutputFile(NamedTuple):
    """A file that a command is to write.

    Attributes:
        text: its name, as it was given.
        writing: the treatment of a file that is there.
    """

    text: str
    writing: Writing

    @property
    def path(self) -> Path:
        """The path."""
        return Path(self.text).expanduser()


def check_outputs(
    outputs: Iterable[OutputFile], inputs: Iterable[str], *, resumes: bool, resumed: bool
) -> None:
    """Check the files that a command is to write.

    Args:
        outputs: the files.
        inputs: all other arguments of the command, which may name files that it reads.
        resumes: whether the command can resume a former run.
        resumed: whether it does.

    Raises:
        CliError: a file is also read, is written twice, or holds what would be lost.
    """
    outputs, words = list(outputs), list(inputs)
    for place, output in enumerate(outputs):
        path = output.path
        if any(_are_same(path, other.path) for other in outputs[:place]):
            raise CliError("error.output.twice", file=_shown(path))
        if output.writing is Writing.REPLACES:
            check_replaceable(path, words)
        else:
            _check_unread(path, words)
        kept = output.writing is Writing.KEEPS
        if kept or (output.writing is Writing.KEEPS_UNLESS_RESUMED and not resumed):
            _check_free(path, resumes=resumes)


def check_replaceable(path: Path, inputs: Iterable[str]) -> None:
    """Check that a command that replaces files may write this one.

    Args:
        path: the file to be written.
        inputs: the arguments that may name files that the command reads.

    Raises:
        CliError: the command reads the file, or the file holds computed results.
    """
    _check_unread(path, inputs)
    if path.is_file() and _COMPUTED.match(_head(path)):
        raise CliError("error.output.results", file=_shown(path))


def _check_unread(path: Path, inputs: Iterable[str]) -> None:
    if path.is_file() and any(_is_named(path, word) for word in inputs):
        raise CliError("error.output.read", file=_shown(path))


def _check_free(path: Path, *, resumes: bool) -> None:
    """Check that no file would be replaced; an empty one may be."""
    from tengen.formats.files import targets

    for file in targets(path):
        if file.is_file() and file.stat().st_size:
            resumable = resumes and _RESUMED.match(_head(file))
            raise CliError("error.arena.exists" if resumable else "error.output.exists", file=_shown(file))


def _is_named(path: Path, word: str) -> bool:
    """Return whether an argument names this file."""
    if word == STANDARD_INPUT:
        with suppress(OSError, ValueError):
            return os.path.samestat(os.fstat(sys.stdin.fileno()), path.stat())
        return False
    return any(_is_same_file(path, part) for part in _parts(word))


def _parts(word: str) -> Iterator[str]:
    yield word
    yield from (part for part in _SEPARATORS.split(word) if part)


def _is_same_file(path: Path, text: str) -> bool:
    try:
        return path.samefile(Path(text).expanduser())
    except (OSError, ValueError, RuntimeError):  # there is no such file, or it cannot be one
        return False


def _are_same(path: Path, other: Path) -> bool:
    """Return whether two files to be written are the same; pipes and devices take several."""
    if path.exists() and not path.is_file():
        return False
    return path.resolve() == other.resolve() or _is_same_file(path, str(other))


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:  # whoever uses it reports this
        return b""


def _shown(path: str | Path) -> str:
    from tengen.formats.files import shown

    return shown(path)
