"""Positions: requests for them, and their description.

A client names rules, an optional set-up, and moves::

    {"rules": "renju", "size": 15, "fouls": null, "setup": null, "moves": "h8i9g7"}

`PositionRequest.board` checks all of it. Boards are cached, because a page requests the same position
several times: for its stones, for an explanation, for a picture.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, TypeAlias

from pydantic import Field, StrictInt, StrictStr

from tengen.game.board import Board, Outcome
from tengen.game.notation import format_moves, parse_moves
from tengen.game.points import BLACK, WHITE, Colour
from tengen.game.rules import MAX_SIDE, Fouls, Rules, Size, parse_size
from tengen.schemas.base import Schema
from tengen.schemas.board import (
    FoulData,
    OutcomeData,
    SetupData,
    Stone,
    fouls_of,
    played_stones,
    setup_stones,
)
from tengen.schemas.points import COLOURS, SIDES, ColourName, named, point_names
from tengen.schemas.rules import WithRules, rules_fields
from tengen.study.threats_on_board import Threat, ThreatKind, threats

KEPT = 256
"""The most boards in the cache: about ten megabytes if all have the largest size."""

MOST_STONES = MAX_SIDE * MAX_SIDE
MOST_MOVES = 2 * MOST_STONES
"""The most moves; passes put no stone, so a game may have more moves than its board has points, but not
many more."""

MOST_TEXT = 8 * MOST_STONES

PointText = Annotated[StrictStr, Field(max_length=12)]
"""A point as text; the length is bounded by the longest name of a point."""

SizeText = Annotated[StrictStr, Field(max_length=12)]
"""A board size as text, as in responses: ``15x15``."""

SizeRequest: TypeAlias = StrictInt | tuple[StrictInt, StrictInt] | SizeText
"""A board size: a side, both sides, or a text."""

Stones: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], Colour | None]
PositionKey: TypeAlias = tuple[Rules, Stones | None, tuple[str, ...]]
"""The key of a position: rules, the stones that were set up, and the moves by name."""


class SetupRequest(Schema):
    """A set-up position: the stones and the colour to move."""

    black: tuple[PointText, ...] = Field(default=(), max_length=MOST_STONES)
    white: tuple[PointText, ...] = Field(default=(), max_length=MOST_STONES)
    turn: ColourName | None = None


class RulesRequest(Schema):
    """Rules: the name of a preset, ``mnk:M,N,K``, or all fields of rules as in a state."""

    rules: Annotated[StrictStr, Field(max_length=40)] | dict[str, Any] = "freestyle"
    size: SizeRequest | None = None
    fouls: Fouls | None = None

    def parsed_rules(self) -> Rules:
        """Return the rules.

        Raises:
            RulesError: the rules are invalid.
        """
        return read_rules(self.rules, self.size, self.fouls)


class PositionRequest(RulesRequest):
    """A position with the moves that led to it."""

    setup: SetupRequest | None = None
    moves: (
        Annotated[StrictStr, Field(max_length=MOST_TEXT)]
        | Annotated[tuple[PointText, ...], Field(max_length=MOST_MOVES)]
    ) = ""

    def board(self) -> Board:
        """Return the board after the moves, a copy that the caller may change.

        Raises:
            TengenError: the rules, the stones or the moves are invalid.
        """
        return board_of(self.key()).copy()

    def key(self) -> PositionKey:
        """Return the key of the position in the cache.

        Raises:
            TengenError: the rules or the moves are invalid.
        """
        rules = self.parsed_rules()
        setup, moves = self.setup, self.moves
        stones = None
        if setup is not None:
            stones = setup.black, setup.white, SIDES.get(setup.turn or "")
        if isinstance(moves, str):
            points = parse_moves(moves, rules.width, rules.height)
            moves = tuple(format_moves([point], rules.width) for point in points)
        return rules, stones, moves


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


class BoardData(WithRules):
    """A board after some moves: the base of positions and game states."""

    setup: SetupData | None
    """The position before the first move; null for an empty board."""
    moves: tuple[str, ...]
    ply: int
    """The number of moves."""
    turn: ColourName | None
    """The side to move; null after the end."""
    stones: tuple[Stone, ...]
    """The stones in the order of play, those set up first."""
    numbered_from: int
    """The index of move 1 in `stones`."""
    last: str | None
    outcome: OutcomeData | None
    fouls: dict[str, FoulData]
    """The points forbidden to Black, where Black is to move."""


def board_fields(board: Board, result: Outcome | None) -> dict[str, Any]:
    """Return the fields of `BoardData`.

    Args:
        board: the board.
        result: the outcome of the game, which may be none of the board's, such as a resignation.
    """
    names, setup = point_names(board.rules), board.setup
    placed = setup_stones(setup, names)
    first = BLACK if setup is None else setup.turn
    return {
        **rules_fields(board.rules),
        "setup": None if setup is None else SetupData.of(setup),
        "moves": tuple(names[move] for move in board.moves),
        "ply": board.ply,
        "turn": COLOURS[board.turn] if result is None else None,
        "stones": placed + played_stones(board.moves, first, names),
        "numbered_from": len(placed),
        "last": None if board.last is None else names[board.last],
        "outcome": None if result is None else OutcomeData.of(board.rules, result),
        "fouls": fouls_of(board) if result is None and board.turn == BLACK else {},
    }


class ThreatData(Schema):
    """A winning row, or a threat to make one."""

    kind: ThreatKind
    points: tuple[str, ...]
    """The stones of the row, in order along the line."""
    gains: tuple[str, ...]
    """The empty points where one more stone carries out the threat."""

    @classmethod
    def of(cls, rules: Rules, threat: Threat) -> ThreatData:
        """Return a threat on a board with these rules as data."""
        return cls(kind=threat.kind, points=named(rules, threat.points), gains=named(rules, threat.gains))


class PositionData(BoardData):
    """A position with its result, fouls and threats."""

    legal: bool
    """True if alternate play with Black first can lead to these numbers of stones."""
    threats: dict[ColourName, tuple[ThreatData, ...]]

    @classmethod
    def of(cls, board: Board) -> PositionData:
        """Return a position as data."""
        found = {
            COLOURS[colour]: tuple(ThreatData.of(board.rules, threat) for threat in several)
            for colour, several in threats(board).items()
        }
        return cls(**board_fields(board, board.outcome()), legal=_in_turn(board), threats=found)


def _in_turn(board: Board) -> bool:
    """Return whether the numbers of set-up stones are possible in alternate play with Black first."""
    setup = board.setup
    if setup is None:
        return True
    ahead = len(setup.stones(BLACK)) - len(setup.stones(WHITE))
    return ahead == (setup.turn == WHITE)
