"""The position of a command: moves or a board in any notation, from arguments, a file or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tengen.cli.errors import CliError
from tengen.cli.printing import LANGUAGE, print_line, print_problem
from tengen.game.board import Board
from tengen.game.points import BLACK, WHITE
from tengen.game.record import Record
from tengen.game.rules import Rules, parse_size
from tengen.words import Message, say

if TYPE_CHECKING:
    from tengen.formats.common import ReadResult

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


def read_record(
    words: Sequence[str] | None,
    rules: str | None = None,
    size: str | None = None,
    game: int | None = None,
    encoding: str | None = None,
) -> Record:
    """Read the game given by arguments, under the requested rules; see `read_board`."""
    from tengen.formats.record_builder import under

    record, chosen = _read(words, rules, size, None, game, encoding)
    return record if record.rules == chosen else under(record, chosen)


def read_board(
    words: Sequence[str] | None,
    rules: str | None = None,
    size: str | None = None,
    usual: str | None = None,
    *,
    game: int | None = None,
    move: int | None = None,
    encoding: str | None = None,
    **overrides: Any,
) -> Board:
    """Read the position given by arguments; assumptions are reported on stderr.

    Args:
        words: the arguments: moves or a board in any notation that `tengen.formats.pasted_text` reads, a
            file name, or ``-`` for standard input.
        rules: the requested rules; if None those of the text, or freestyle.
        size: the requested board size.
        usual: the default rules if neither an option nor the text names rules with fouls.
        game: the number of the game in a file, from 1; if None the first, and others are reported.
        move: the number of the last move to play, from 0; all if None.
        encoding: the encoding of a file's text; detected if None.
        overrides: overridden fields of the rules.

    Raises:
        TengenError: the text cannot be read, there is no such game or move, or a move is illegal.
    """
    record, chosen = _read(words, rules, size, usual, game, encoding, **overrides)
    line = record.main_line()
    if move is not None and move > len(line):
        raise CliError("error.cli.move", move=move, moves=len(line))
    setup = record.setup
    board = Board(chosen)
    if setup.turn != board.turn or any(setup.position):
        board = Board.from_stones(setup.stones(BLACK), setup.stones(WHITE), setup.turn, chosen)
    for node in line[:move]:
        if node.point is not None:
            board.push(node.point)
    return board


def _read(
    words: Sequence[str] | None,
    rules: str | None,
    size: str | None,
    usual: str | None,
    number: int | None,
    encoding: str | None,
    **overrides: Any,
) -> tuple[Record, Rules]:
    """Read a game, and return it with the rules to replay it by."""
    from tengen.formats.any_format import read_source

    text = " ".join(words or ())
    chosen = rules_from(rules or usual, size, **overrides)
    if not text.strip():
        return Record(chosen), chosen
    sides = None if size is None else (chosen.width, chosen.height)
    asked = None if rules is size is None else chosen
    if text == STANDARD_INPUT:
        games = read_standard_input(asked, sides, encoding)
    else:
        games = read_source(text, asked, sides, encoding)
    record = _chosen_game(games, number)
    found = record.rules
    if size is not None and found.size_text != chosen.size_text:
        raise CliError("error.cli.read_size", size=chosen.size_text, found=found.size_text)
    if rules is not None or (usual is not None and not found.has_fouls):
        found = replace(chosen, width=found.width, height=found.height)
    given = {field: value for field, value in overrides.items() if value is not None}
    return record, replace(found, **given)


def _chosen_game(games: ReadResult, number: int | None) -> Record:
    """Return the game of this number, and report the problems of reading."""
    count = len(games.records)
    if number is not None and number > count:
        raise CliError("error.cli.game", game=number, games=count)
    for problem in games.problems:
        print_problem(problem.game if count > 1 else 0, problem.message, problem.missing)
    if count > 1 and number is None:
        _print_notice(Message("cli.read.first", {"count": count}))
    return games.records[(number or 1) - 1]


def read_standard_input(
    rules: Rules | None = None, size: tuple[int, int] | None = None, encoding: str | None = None
) -> ReadResult:
    """Read the games on standard input; see `tengen.formats.any_format.read_source`."""
    from tengen.formats.any_format import read_source
    from tengen.formats.common import MAX_BYTES, FormatError

    stream, most = getattr(sys.stdin, "buffer", None), MAX_BYTES + 1
    data = sys.stdin.read(most).encode("utf-8", "replace") if stream is None else stream.read(most)
    try:
        return read_source(data, rules, size, encoding)
    except FormatError as error:
        name = Message("cli.standard_input")
        raise FormatError("error.format.file", file=name, reason=error.message) from error


def _print_notice(message: Message) -> None:
    print_line(f"tengen: {say(message, LANGUAGE.get())}", sys.stderr)
