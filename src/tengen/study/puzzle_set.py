"""Sets of puzzles: those that come with Tengen, and users' files.

A file is JSON lines (`tengen.formats.json_lines`). The first line names the format, ``{"format": "tengen
puzzles", "version": 1}``; each other line is a puzzle, see `tengen.study.puzzle.Puzzle.to_dict`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from tengen.formats.files import shown
from tengen.formats.json_lines import json_lines
from tengen.game.rules import Rules
from tengen.study.puzzle import Puzzle, PuzzleError

FORMAT = "tengen puzzles"
VERSION = 1
HEAD = {"format": FORMAT, "version": VERSION}
"""The first line of a file."""

_SHIPPED = Path(__file__).with_name("puzzles.jsonl")


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Puzzle]:
    """Return the puzzles that come with Tengen by name, in the order of their file, easier ones first."""
    return MappingProxyType({puzzle.name: puzzle for puzzle in _puzzles(_SHIPPED, trusted=True)})


def select(
    puzzles: Iterable[Puzzle],
    rules: Rules | None = None,
    kind: str | None = None,
    level: int | None = None,
) -> Iterator[Puzzle]:
    """Yield the puzzles with the given rules and board size, kind and level; None matches any."""
    for puzzle in puzzles:
        fits = rules in (None, puzzle.rules) and kind in (None, puzzle.kind)
        if fits and level in (None, puzzle.level):
            yield puzzle


def read_puzzles(path: str | Path) -> list[Puzzle]:
    """Read the puzzles of a file, in order.

    Raises:
        FileError: the file cannot be read.
        PuzzleError: the file is not a file of puzzles, or a line is not a puzzle.
    """
    return list(_puzzles(path))


def _puzzles(path: str | Path, *, trusted: bool = False) -> Iterator[Puzzle]:
    lines = json_lines(path)
    _, head = next(lines, (0, {}))
    if head.get("format") != FORMAT:
        raise PuzzleError("error.puzzle.format", file=shown(path))
    if head.get("version") != VERSION:
        raise PuzzleError("error.puzzle.version", file=shown(path), version=VERSION)
    for number, data in lines:
        try:
            yield Puzzle.from_dict(data, trusted=trusted)
        except PuzzleError as error:
            raise PuzzleError(
                "error.puzzle.line", file=shown(path), line=number, reason=error.message
            ) from error
