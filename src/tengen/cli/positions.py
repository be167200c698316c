"""The position of a command: moves or a board in any notation, from arguments, a file or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.cli.errors import CliError
from tengen.cli.printing import LANGUAGE, print_line
from tengen.game.board import Board
from tengen.game.points import BLACK, WHITE
from tengen.game.rules import Rules, parse_size
from tengen.words import Message, say

if TYPE_CHECKING:
    from tengen.formats.common import ReadResult
    from tengen.game.record import Record

STANDARD_INPUT = "-"


def rules_from(name: str | None, size: str | None, **overrides: Any) -> Rules:
    """Return rules by name, freestyle by default; overrides that are None are ignored.

    Raises:
        RulesError: the rules do not exist.
    """
    given = {field: value for field, value in overrides.items() if value is not None}
    return Rules.parse(
        "freestyle" if name is None else name, None if size is None else parse_size(size), **given
    )


def read_board(
    words: Sequence[str] | None,
    rules: str | None = None,
    size: str | None = None,
    usual: str | None = None,
    **overrides: Any,
) -> Board:
    """Read the position given by arguments; assumptions are reported on stderr.

    Args:
        words: the arguments: moves or a board in any notation that `tengen.formats.pasted_text` reads, a
            file name, or ``-`` for standard input.
        rules: the requested rules; if None those of the text, or freestyle.
        size: the requested board size.
        usual: the default rules if neither an option nor the text names rules with fouls.
        overrides: overridden fields of the rules.

    Raises:
        TengenError: the text cannot be read, or a move is illegal.
    """
    text = " ".join(words or ())
    chosen_by_option = rules is not None or size is not None
    chosen = rules_from(rules or usual, size, **overrides)
    if not text.strip():
        return Board(chosen)
    games = _games(
        text, chosen if chosen_by_option else None, None if size is None else (chosen.width, chosen.height)
    )
    for problem in games.problems:
        _print_notice(problem.message)
    if len(games.records) > 1:
        _print_notice(Message("cli.read.first", {"count": len(games.records)}))
    record = games.records[0]
    found = record.rules
    if size is not None and found.size_text != chosen.size_text:
        raise CliError("error.cli.read_size", size=chosen.size_text, found=found.size_text)
    if rules is not None or (usual is not None and not found.has_fouls):
        found = replace(chosen, width=found.width, height=found.height)
    found = replace(found, **{field: value for field, value in overrides.items() if value is not None})
    return _replayed(record, found)


def _games(text: str, rules: Rules | None, size: tuple[int, int] | None) -> ReadResult:
    from tengen.formats import files, pasted_text
    from tengen.formats.common import MAX_BYTES

    if text == STANDARD_INPUT:
        return pasted_text.read_file(standard_input(MAX_BYTES + 1), rules)
    if _is_file(text):
        return files.read_file(text, size)
    return pasted_text.read_text(text, rules)


def _replayed(record: Record, rules: Rules) -> Board:
    """Return the final board of a game, possibly under other rules than the record's."""
    setup = record.setup
    board = Board(rules)
    if setup.turn != board.turn or any(setup.position):
        board = Board.from_stones(setup.stones(BLACK), setup.stones(WHITE), setup.turn, rules)
    for node in record.main_line():
        if node.point is not None:
            board.push(node.point)
    return board


def _is_file(text: str) -> bool:
    try:
        return Path(text).expanduser().is_file()
    except (OSError, ValueError, RuntimeError):
        return False


def standard_input(most: int) -> bytes:
    """Read standard input, at most the first `most` bytes."""
    stream = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read(most).encode("utf-8", "replace") if stream is None else stream.read(most)


def _print_notice(message: Message) -> None:
    print_line(f"tengen: {say(message, LANGUAGE.get())}", sys.stderr)
