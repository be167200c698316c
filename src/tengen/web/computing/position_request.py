"""The positions in requests, parsed into boards.

A position has rules, an optional set-up, and moves::

    {"rules": "renju", "size": 15, "fouls": null, "setup": null, "moves": "h8i9g7"}

`Position.board` validates all of it, and reports an error as one sentence. Boards are cached, because a
page requests the same position several times: for its stones, for an explanation, for a picture.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from tengen.game.board import Board
from tengen.game.notation import format_moves, parse_moves
from tengen.game.points import Colour, Point
from tengen.game.rules import MAX_SIDE, Fouls, Rules, Size, parse_size
from tengen.web.computing.board_json import SIDES
from tengen.web.transport.request_bodies import validated

KEPT = 256
"""The most boards in the cache: about ten megabytes if all have the largest size."""

MOST_STONES = MAX_SIDE * MAX_SIDE
MOST_MOVES = 2 * MOST_STONES
"""The most moves; passes put no stone, so a game may have more moves than its board has points, but not
many more."""

MOST_TEXT = 8 * MOST_STONES

Name = Annotated[StrictStr, Field(max_length=12)]
"""A point as text; the length is bounded by the longest name of a point."""

SizeText = Annotated[StrictStr, Field(max_length=12)]
"""A board size as text, as in responses: ``15x15``."""

Stones: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], Colour | None]
PositionKey: TypeAlias = tuple[Rules, Stones | None, tuple[str, ...]]
"""The key of a position: rules, the stones that were set up, and the moves by name."""


class Setup(BaseModel):
    """A set-up position: the stones and the colour to move."""

    model_config = ConfigDict(extra="forbid")

    black: list[Name] = Field(default=[], max_length=MOST_STONES)
    white: list[Name] = Field(default=[], max_length=MOST_STONES)
    turn: Literal["black", "white"] | None = None


class RulesRequest(BaseModel):
    """Rules: the name of a preset, ``mnk:M,N,K``, or all fields of rules as in a state."""

    model_config = ConfigDict(extra="forbid")

    rules: Annotated[StrictStr, Field(max_length=40)] | dict[str, Any] = "freestyle"
    size: StrictInt | tuple[StrictInt, StrictInt] | SizeText | None = None
    fouls: Fouls | None = None

    def parsed_rules(self) -> Rules:
        """Return the rules.

        Raises:
            WrongFields: the rules are invalid.
        """
        return validated(lambda: read_rules(self.rules, self.size, self.fouls))


class Position(RulesRequest):
    """A position with the moves that led to it."""

    setup: Setup | None = None
    moves: (
        Annotated[StrictStr, Field(max_length=MOST_TEXT)]
        | Annotated[list[Name], Field(max_length=MOST_MOVES)]
    ) = ""

    def board(self) -> Board:
        """Return the board after the moves, a copy that the caller may change.

        Raises:
            WrongFields: the rules, the stones or the moves are invalid.
        """
        return validated(lambda: board_of(self.key()).copy())

    def key(self) -> PositionKey:
        """Return the key of the position in the cache.

        Raises:
            TengenError: the rules or the moves are invalid.
        """
        rules = read_rules(self.rules, self.size, self.fouls)
        setup, moves = self.setup, self.moves
        stones = None
        if setup is not None:
            stones = tuple(setup.black), tuple(setup.white), SIDES.get(setup.turn or "")
        if isinstance(moves, str):
            moves = [format_moves([point], rules.width) for point in _parsed(moves, rules)]
        return rules, stones, tuple(moves)


def _parsed(moves: str, rules: Rules) -> list[Point]:
    return parse_moves(moves, rules.width, rules.height)


def read_rules(
    rules: str | dict[str, Any],
    size: Size | None = None,
    fouls: Fouls | None = None,
) -> Rules:
    """Return rules by name and size, or by their fields.

    Raises:
        RulesError: the rules are invalid.
    """
    changes: dict[str, Any] = {} if fouls is None else {"fouls": fouls}
    if isinstance(rules, str):
        return Rules.parse(rules, size, **changes)
    if size is not None:
        size = parse_size(size) if isinstance(size, str) else size
        width, height = size if isinstance(size, tuple) else (size, size)
        changes |= {"width": width, "height": height}
    return Rules.from_dict({**rules, **changes})


@lru_cache(maxsize=KEPT)
def board_of(key: PositionKey) -> Board:
    """Return the board of a position from the cache; it must not be changed."""
    rules, stones, moves = key
    board = Board(rules) if stones is None else Board.from_stones(stones[0], stones[1], stones[2], rules)
    for move in moves:
        board.push(move)
    return board
