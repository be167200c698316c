"""Puzzles: a position of a game, and all moves that solve it.

A puzzle is of one of three kinds:

- ``"vcf"``: the side to move wins by continuous fours;
- ``"vct"``: it wins by continuous threats, fours and threes, and fours alone do not;
- ``"defence"``: the side to move cannot make a four, and must stop a win by continuous fours of the other
  side.

Solutions are proven. `tengen.study.puzzle_finder` solves every possible threat, so that each right move is
proven to win by such threats, and each wrong move proven not to. The puzzle stores the whole solution: the
right moves, the answer of the other side to each, the right moves after that, and so on. So a program that
presents puzzles needs no solver.

>>> from tengen.study.puzzle import Puzzle, PuzzleReply, PuzzleTurn
>>> from tengen.game.board import Board
>>> moves = Board.from_moves("h8a1i8c2j8o15k8g8").moves
>>> five = PuzzleReply((), None)
>>> puzzle = Puzzle(Board("freestyle").rules, moves, "vcf", PuzzleTurn({Board().point("l8"): five}, ()))
>>> puzzle.length
1
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import format_moves, parse_moves, parse_point, point_name, shorten
from tengen.game.points import BLACK, WHITE, Colour, Point
from tengen.game.rules import Rules

PuzzleKind: TypeAlias = Literal["vcf", "vct", "defence"]
KINDS: tuple[PuzzleKind, ...] = get_args(PuzzleKind)

LEVELS = 4
"""The number of levels, from 1, easy, to 4, very hard."""

_LEVEL_BITS = (3.0, 6.0, 9.0)
"""The largest difficulty, in bits, of the first, second and third level."""

_DEEPEST = 60
"""The greatest depth of a puzzle, in right moves."""


class PuzzleError(TengenError):
    """An error for a puzzle that is invalid or does not exist."""


class PuzzleReply(NamedTuple):
    """The continuation after a right move.

    Attributes:
        moves: the answer of the other side. If the puzzle is solved, the continuation up to the five, both
            sides in turn; empty after a five or a defence.
        turn: the solver's next turn; None if the puzzle is solved: no answer stops the five any more, so
            many moves win that none has to be found, or the next moves could not all be solved.
    """

    moves: tuple[Point, ...]
    turn: PuzzleTurn | None


class PuzzleTurn(NamedTuple):
    """A turn of the solver.

    Attributes:
        right: the moves that solve the puzzle, with the continuation of each.
        wrong: the other plausible candidate moves: threats that do not win, or points of the win that is to
            be stopped. In ascending order.
    """

    right: Mapping[Point, PuzzleReply]
    wrong: tuple[Point, ...]


@dataclass(frozen=True)
class Puzzle:
    """A position, and all moves that solve it.

    Attributes:
        rules: the rules.
        moves: the game up to the position, from the empty board.
        kind: the kind of the puzzle.
        turn: the first turn of the solution.
    """

    rules: Rules
    moves: tuple[Point, ...]
    kind: PuzzleKind
    turn: PuzzleTurn

    def board(self) -> Board:
        """Return a new board with the position."""
        return Board.from_moves(self.moves, self.rules)

    @property
    def solver(self) -> Colour:
        """The side to move, which has to solve the puzzle."""
        return BLACK if len(self.moves) % 2 == 0 else WHITE

    @cached_property
    def name(self) -> str:
        """An identifier of eight hexadecimal digits, stable across versions of Tengen."""
        rules = self.rules
        by = rules.name if rules.name != "custom" else json.dumps(rules.to_dict(), sort_keys=True)
        moves = format_moves(self.moves, rules.width)
        text = " ".join((by, rules.size_text, moves, self.kind))
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    @cached_property
    def length(self) -> int:
        """The least number of the solver's moves in a solution."""
        return moves_needed(self.turn)

    @cached_property
    def difficulty(self) -> float:
        """The difficulty, in bits: minus the binary logarithm of the probability of a random solution.

        A player who chooses each time uniformly among the right and wrong candidate moves solves the puzzle
        with probability 2 ** -difficulty.
        """
        return -math.log2(_chance(self.turn))

    @property
    def level(self) -> int:
        """The level of difficulty, from 1 to `LEVELS`."""
        return 1 + sum(self.difficulty > bits for bits in _LEVEL_BITS)

    def solution(self) -> tuple[Point, ...]:
        """Return a shortest solution up to the five, the moves of both sides in turn."""
        return shortest_line(self.turn)

    def to_dict(self) -> dict[str, Any]:
        """Return the puzzle as JSON-ready data; `from_dict` reads it."""
        return {
            **_rules_data(self.rules),
            "moves": format_moves(self.moves, self.rules.width),
            "kind": self.kind,
            "turn": turn_data(self.turn, self.rules.width),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, trusted: bool = False) -> Puzzle:
        """Return the puzzle of JSON-ready data.

        Every right move and every answer has to be legal. The solution itself is not checked; see
        `tengen.study.puzzle_finder.check`.

        Args:
            data: as returned by `to_dict`.
            trusted: whether to skip the check that the moves are legal.

        Raises:
            PuzzleError: a field is missing or invalid.
        """
        try:
            rules = _rules(data)
            moves = tuple(parse_moves(data["moves"], rules.width, rules.height))
            turn = _read_turn(data["turn"], rules, 0)
            if not trusted:
                _play(turn, Board.from_moves(moves, rules))
            return cls(rules, moves, _kind(data["kind"]), turn)
        except PuzzleError:
            raise
        except TengenError as error:
            raise PuzzleError("error.puzzle.wrong", reason=error.message) from error
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PuzzleError("error.puzzle.form") from error


def moves_needed(turn: PuzzleTurn) -> int:
    """Return the least number of the solver's moves from a turn on."""
    return 1 + min(map(_needed_after, turn.right.values()))


def _needed_after(reply: PuzzleReply) -> int:
    return 0 if reply.turn is None else moves_needed(reply.turn)


def shortest_line(turn: PuzzleTurn) -> tuple[Point, ...]:
    """Return a shortest line from a turn up to the five, the moves of both sides in turn."""
    point, reply = min(turn.right.items(), key=lambda move: (_needed_after(move[1]), move[0]))
    return (point, *reply.moves, *(() if reply.turn is None else shortest_line(reply.turn)))


def turn_data(turn: PuzzleTurn, width: int) -> dict[str, Any]:
    """Return a turn as JSON-ready data: the right moves with their continuations, and the wrong moves.

    ``{"right": {"h8": {"moves": "i9", "turn": {...}}, "g7": {"moves": "f6j10", "turn": null}}, "wrong":
    "a1b2"}``
    """
    return {
        "right": {
            point_name(point, width): {
                "moves": format_moves(reply.moves, width),
                "turn": None if reply.turn is None else turn_data(reply.turn, width),
            }
            for point, reply in turn.right.items()
        },
        "wrong": format_moves(turn.wrong, width),
    }


def _kind(named: object) -> PuzzleKind:
    for kind in KINDS:
        if named == kind:
            return kind
    raise PuzzleError("error.puzzle.kind", kind=shorten(str(named)), kinds=KINDS)


def _rules_data(rules: Rules) -> dict[str, Any]:
    named: dict[str, Any] = {"rules": rules.to_dict() if rules.name == "custom" else rules.name}
    return named if rules.name.startswith("mnk") else {**named, "size": [rules.width, rules.height]}


def _rules(data: Mapping[str, Any]) -> Rules:
    named = data["rules"]
    if isinstance(named, dict):
        return Rules.from_dict(named)
    size = data.get("size")
    return Rules.parse(named, None if size is None else (size[0], size[1]))


def _read_turn(data: Mapping[str, Any], rules: Rules, depth: int) -> PuzzleTurn:
    """Read a turn from JSON-ready data.

    Raises:
        TengenError: a name is not a point of the board.
        PuzzleError: a turn has no right move, or the turns are nested too deeply.
    """
    if not data["right"] or depth > _DEEPEST:
        raise PuzzleError("error.puzzle.form")
    width, height = rules.width, rules.height
    right: dict[Point, PuzzleReply] = {}
    for name, after in data["right"].items():
        turn = None if after["turn"] is None else _read_turn(after["turn"], rules, depth + 1)
        moves = tuple(parse_moves(after["moves"], width, height))
        right[parse_point(name, width, height)] = PuzzleReply(moves, turn)
    return PuzzleTurn(right, tuple(parse_moves(data["wrong"], width, height)))


def _play(turn: PuzzleTurn, board: Board) -> None:
    """Play all variations of a turn; the board is restored.

    Raises:
        TengenError: a move is illegal.
    """
    for point, reply in turn.right.items():
        for move in (point, *reply.moves):
            board.push(move)
        if reply.turn is not None:
            _play(reply.turn, board)
        for _ in (point, *reply.moves):
            board.pop()


def _chance(turn: PuzzleTurn) -> float:
    """Return the probability that moves drawn uniformly from the right and wrong moves solve the puzzle."""
    solved = sum(1.0 if reply.turn is None else _chance(reply.turn) for reply in turn.right.values())
    return solved / (len(turn.right) + len(turn.wrong))
