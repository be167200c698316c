"""Positions that a client sends, made into boards.

A position is rules, perhaps a set-up, and moves::

    {"rules": "renju", "size": 15, "fouls": null, "setup": null, "moves": "h8i9g7"}

`Position.board` checks all of it, and what is wrong is said in one sentence. Boards are remembered, because
a page asks for the same position several times: for its stones, for an explanation, for a picture.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from tengen.game.board import Board
from tengen.game.notation import format_moves, parse_moves
from tengen.game.points import Colour, Point
from tengen.game.rules import MAX_SIDE, Fouls, Rules, Size, parse_size
from tengen.web.server.board_json import SIDES
from tengen.web.server.request_bodies import validated

KEPT = 256
"""Boards that are remembered: some ten megabytes, where all are as large as can be."""

MOST_STONES = MAX_SIDE * MAX_SIDE
MOST_MOVES = 2 * MOST_STONES
"""Passes make no stone, so a game may have more moves than the board has points; not many more."""

MOST_TEXT = 8 * MOST_STONES

Name = Annotated[StrictStr, Field(max_length=12)]
"""A point as text; what is longer than any point's name is not looked at."""

SizeText = Annotated[StrictStr, Field(max_length=12)]
"""A size as answers write it, ``15x15``."""

Stones: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], Colour | None]
PositionKey: TypeAlias = tuple[Rules, Stones | None, tuple[str, ...]]
"""Rules, the stones that were set up, and the moves by name."""

_TOLD_WITH_RULES = ("name", "has_fouls", "opening_names")
"""What a state says of rules besides their fields."""


class Setup(BaseModel):
    """A set-up position: the stones and who is to move."""

    model_config = ConfigDict(extra="forbid")

    black: list[Name] = Field(default=[], max_length=MOST_STONES)
    white: list[Name] = Field(default=[], max_length=MOST_STONES)
    turn: Literal["black", "white"] | None = None


class RulesRequest(BaseModel):
    """Rules: the name of a preset, ``mnk:M,N,K``, or all fields of rules as a state tells them."""

    model_config = ConfigDict(extra="forbid")

    rules: Annotated[StrictStr, Field(max_length=40)] | dict[str, Any] = "freestyle"
    size: StrictInt | tuple[StrictInt, StrictInt] | SizeText | None = None
    fouls: Fouls | None = None

    def parsed_rules(self) -> Rules:
        """The rules.

        Raises:
            WrongFields: there are no such rules.
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
        """The board after the moves; the caller's own, to be played on.

        Raises:
            WrongFields: rules, stones or moves that cannot be.
        """
        return validated(lambda: board_of(self.key()).copy())

    def key(self) -> PositionKey:
        """What the position is, to be looked up by."""
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
    """Rules by name and size, or by their fields.

    Raises:
        RulesError: there are no such rules.
    """
    changes: dict[str, Any] = {} if fouls is None else {"fouls": fouls}
    if isinstance(rules, str):
        return Rules.parse(rules, size, **changes)
    told = {name: value for name, value in rules.items() if name not in _TOLD_WITH_RULES}
    if size is not None:
        size = parse_size(size) if isinstance(size, str) else size
        width, height = size if isinstance(size, tuple) else (size, size)
        changes |= {"width": width, "height": height}
    return Rules.from_dict({**told, **changes})


@lru_cache(maxsize=KEPT)
def board_of(key: PositionKey) -> Board:
    """The board of a position, remembered and so not to be changed."""
    rules, stones, moves = key
    board = Board(rules) if stones is None else Board.from_stones(stones[0], stones[1], stones[2], rules)
    for move in moves:
        board.push(move)
    return board
