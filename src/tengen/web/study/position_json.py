"""Positions that a browser sends, made into boards; and boards told to a browser.

A position is rules, perhaps a set-up, and moves::

    {"rules": "renju", "size": 15, "fouls": null, "setup": null, "moves": "h8i9g7"}

`Position.board` judges all of it, and what is wrong is said in one sentence. Boards are kept, because a
page asks for the same position several times: for its stones, for an explanation, for a picture.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import PASS_TEXT, format_moves, parse_moves, shorten
from tengen.game.points import BLACK, WHITE, Colour, Point
from tengen.game.rules import MAX_SIDE, Fouls, Rules
from tengen.web.games.state_json import (
    COLOURS,
    fouls_json,
    outcome_json,
    rules_json,
    setup_json,
    stones_json,
)
from tengen.web.server.http_errors import WebError, WrongFields
from tengen.web.study.threats_on_board import threats

KEPT = 256
"""Boards that are remembered: some ten megabytes, where all are as large as can be."""

MOST_STONES = MAX_SIDE * MAX_SIDE
MOST_MOVES = 2 * MOST_STONES
"""Passes make no stone, so a game may have more moves than the board has points; not many more."""

LARGE = 22 * 22
"""Points of a board on which fouls are found at once, whatever stands there."""

MOST_TEXT = 8 * MOST_STONES

SIDES: dict[str, Colour] = {name: colour for colour, name in COLOURS.items()}
"""The colours by name."""

Name = Annotated[StrictStr, Field(max_length=12)]
"""A point as text; what is longer than any point's name is not looked at."""

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

Stones: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], Colour | None]
Key: TypeAlias = tuple[Rules, Stones | None, tuple[str, ...]]
"""Rules, the stones that were set up, and the moves by name."""

_TOLD_WITH_RULES = ("name", "has_fouls", "opening_names")
"""What a state says of rules besides their fields."""


class Setup(BaseModel):
    """A set-up position: the stones and who is to move."""

    model_config = ConfigDict(extra="forbid")

    black: list[Name] = Field(default=[], max_length=MOST_STONES)
    white: list[Name] = Field(default=[], max_length=MOST_STONES)
    turn: Literal["black", "white"] | None = None


class Position(BaseModel):
    """A position with the moves that led to it.

    `rules` is the name of a preset, ``mnk:M,N,K``, or all fields of rules as a state tells them.
    """

    model_config = ConfigDict(extra="forbid")

    rules: Annotated[StrictStr, Field(max_length=40)] | dict[str, Any] = "freestyle"
    size: StrictInt | tuple[StrictInt, StrictInt] | None = None
    fouls: Fouls | None = None
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
        return judged(lambda: _kept_board(*self._key()).copy())

    def text(self) -> str:
        """What `position_json` tells of it, as JSON text.

        Raises:
            WrongFields: as `board`.
        """
        return judged(lambda: _kept_text(self._key()))

    @property
    def has_long_fouls(self) -> bool:
        """Whether to look for fouls may take seconds: on a large board, set up to make it so.

        Raises:
            WrongFields: there are no such rules.
        """
        rules = judged(lambda: read_rules(self.rules, self.size, self.fouls))
        return rules.has_fouls and rules.points > LARGE

    def _key(self) -> Key:
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


def judged(make: Callable[[], T]) -> T:
    """What `make` returns.

    Raises:
        WrongFields: in place of any error of the game's, with its sentence.
    """
    try:
        return make()
    except WebError:
        raise
    except TengenError as error:
        raise WrongFields(error.message.key, **error.message.values) from error


def read(kind: type[M], text: str | bytes) -> M:
    """What a JSON text says, as a model.

    Raises:
        WrongFields: it is no JSON object, or a field of it is wrong; the sentence says which.
    """
    return read_data(kind, _read_json(text))


def read_object(text: str) -> dict[str, Any]:
    """The JSON object that a message is.

    Raises:
        WebError: it is none.
    """
    data = _read_json(text)
    if not isinstance(data, dict):
        raise WebError("error.web.json")
    return data


def _read_json(text: str | bytes) -> object:
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WebError("error.web.json") from error
    return data


def read_data(kind: type[M], data: object) -> M:
    """What JSON data says, as a model; see `read`."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        # What follows a field's name may be the name of a type, which says nothing to a reader.
        steps = first["loc"][: 2 if first["loc"][:1] == ("setup",) else 1]
        field = ".".join(map(str, steps)) or kind.__name__.lower()
        raise WrongFields("error.web.field", field=shorten(field, 60)) from error


def read_rules(
    rules: str | dict[str, Any],
    size: int | tuple[int, int] | None = None,
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
        width, height = size if isinstance(size, tuple) else (size, size)
        changes |= {"width": width, "height": height}
    return Rules.from_dict({**told, **changes})


@lru_cache(maxsize=KEPT)
def _kept_board(rules: Rules, stones: Stones | None, moves: tuple[str, ...]) -> Board:
    """A board that is not to be changed."""
    board = Board(rules) if stones is None else Board.from_stones(stones[0], stones[1], stones[2], rules)
    for move in moves:
        board.push(move)
    return board


# What is told


def names(board: Board, points: Iterable[Point]) -> list[str]:
    """Points by name."""
    return [board.name(point) for point in points]


def threats_json(board: Board) -> dict[str, list[dict[str, Any]]]:
    """The threats that stand on a board, see `tengen.web.study.threats_on_board`."""
    return {
        COLOURS[colour]: [
            {
                "kind": threat.kind,
                "points": names(board, threat.points),
                "gains": names(board, threat.gains),
            }
            for threat in found
        ]
        for colour, found in threats(board).items()
    }


def in_turn(board: Board) -> bool:
    """Whether as many stones as were set up can have come one by one in turn, Black's first."""
    setup = board.setup
    if setup is None:
        return True
    ahead = len(setup.stones(BLACK)) - len(setup.stones(WHITE))
    return ahead == (setup.turn == WHITE)


def position_json(board: Board) -> dict[str, Any]:
    """All that is to be seen of a position.

    ``legal`` tells whether play in turn can have led to so many stones; a set-up may have any.
    """
    outcome, setup = board.outcome(), board.setup
    placed = (
        [] if setup is None else [[setup.name(p), COLOURS[c]] for c in COLOURS for p in setup.stones(c)]
    )
    all_names = [*names(board, range(board.rules.points)), PASS_TEXT]
    first = BLACK if setup is None else setup.turn
    return {
        "rules": rules_json(board.rules),
        "fouls_mode": board.rules.fouls,
        "setup": None if setup is None else setup_json(setup),
        "stones": placed + stones_json(board.moves, first, all_names),
        "numbered_from": len(placed),
        "moves": names(board, board.moves),
        "ply": board.ply,
        "turn": COLOURS[board.turn] if outcome is None else None,
        "last": None if board.last is None else board.name(board.last),
        "outcome": None if outcome is None else outcome_json(outcome, all_names),
        "fouls": fouls_json(board) if outcome is None and board.turn == BLACK else {},
        "legal": in_turn(board),
        "threats": threats_json(board),
    }


def position_text(fields: dict[str, Any]) -> str:
    """What `Position.text` gives for a position's fields; for a worker, which finds it by its name."""
    return read_data(Position, fields).text()


@lru_cache(maxsize=KEPT)
def _kept_text(key: Key) -> str:
    return json.dumps(position_json(_kept_board(*key)), separators=(",", ":"))
