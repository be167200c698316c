"""Puzzles: a position of a game, and every move that solves it.

A puzzle is of one of three kinds:

- ``"vcf"``: the side to move wins by continuous fours;
- ``"vct"``: it wins by continuous threats, fours and threes, and fours alone do not;
- ``"defence"``: it has no four to make, and stops a win by continuous fours of the other side.

What is right is no opinion. `tengen.study.puzzle_finder` lets the solver settle every threat that could be
made, so that each right move is proven to win, and each wrong one proven not to, by such threats. All of it
is kept with the puzzle: the moves that are right, the answer of the other side to each, the moves that are
right after that, and so on. So whoever shows a puzzle needs no solver.

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
"""Puzzles are of level 1, easy, to 4, very hard."""

_LEVEL_BITS = (3.0, 6.0, 9.0)
"""Up to how many bits a puzzle is of the first, second and third level."""

_DEEPEST = 60
"""Right moves of a puzzle, one after another, at most."""


class PuzzleError(TengenError):
    """A puzzle that cannot be read, or is not there."""


class PuzzleReply(NamedTuple):
    """What follows a right move.

    Attributes:
        moves: the answer of the other side. If the puzzle is solved, how it goes on up to the five, in
            turn; nothing after a five, or after a defence.
        turn: the solver's next turn; None if the puzzle is solved: no answer stops the five any more, so
            many moves win that none has to be found, or it is not known of each whether it does.
    """

    moves: tuple[Point, ...]
    turn: PuzzleTurn | None


class PuzzleTurn(NamedTuple):
    """The solver's turn.

    Attributes:
        right: the moves that solve the puzzle, and what follows each.
        wrong: the other moves that somebody who knows what is asked would think of: threats that do not
            win, or points of the win that is to be stopped. In order.
    """

    right: Mapping[Point, PuzzleReply]
    wrong: tuple[Point, ...]


@dataclass(frozen=True)
class Puzzle:
    """A position, and every move that solves it.

    Attributes:
        rules: the rules.
        moves: the game up to the position, from the empty board.
        kind: what is asked for.
        turn: what solves it.
    """

    rules: Rules
    moves: tuple[Point, ...]
    kind: PuzzleKind
    turn: PuzzleTurn

    def board(self) -> Board:
        """The position, the caller's own."""
        return Board.from_moves(self.moves, self.rules)

    @property
    def solver(self) -> Colour:
        """Who is to move and has something to find."""
        return BLACK if len(self.moves) % 2 == 0 else WHITE

    @cached_property
    def name(self) -> str:
        """Eight letters and digits, the same for the same puzzle in every version of Tengen."""
        rules = self.rules
        by = rules.name if rules.name != "custom" else json.dumps(rules.to_dict(), sort_keys=True)
        moves = format_moves(self.moves, rules.width)
        text = " ".join((by, rules.size_text, moves, self.kind))
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    @cached_property
    def length(self) -> int:
        """How many moves of the solver's it takes at least."""
        return moves_needed(self.turn)

    @cached_property
    def difficulty(self) -> float:
        """How unlikely it is to be solved by chance, in bits.

        Somebody who plays one of the moves that come to mind at random, right or wrong, each time with the
        same chance, solves it with a chance of 2 ** -difficulty.
        """
        return -math.log2(_chance(self.turn))

    @property
    def level(self) -> int:
        """How difficult it is, from 1 to `LEVELS`."""
        return 1 + sum(self.difficulty > bits for bits in _LEVEL_BITS)

    def solution(self) -> tuple[Point, ...]:
        """The moves of both sides in turn, by a shortest way, up to the five."""
        return shortest_line(self.turn)

    def about(self) -> dict[str, Any]:
        """What a list of puzzles says of it, JSON-ready: nothing that gives it away."""
        told = {"kind": self.kind, "level": self.level, "length": self.length}
        return {"name": self.name, **_rules_data(self.rules), **told}

    def to_dict(self) -> dict[str, Any]:
        """The puzzle as JSON-ready data; `from_dict` reads it."""
        return {
            **_rules_data(self.rules),
            "moves": format_moves(self.moves, self.rules.width),
            "kind": self.kind,
            "turn": turn_data(self.turn, self.rules.width),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, trusted: bool = False) -> Puzzle:
        """The puzzle of such data.

        Every right move and every answer has to be legal; that they are right is not looked at, see
        `tengen.study.puzzle_finder.check`.

        Args:
            data: as `to_dict` gives it.
            trusted: whether the moves are known to be legal, and are not played.

        Raises:
            PuzzleError: something is missing, or is not as it has to be.
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
    """How many moves of the solver's a turn and those after it take at least."""
    return 1 + min(map(_needed_after, turn.right.values()))


def _needed_after(reply: PuzzleReply) -> int:
    return 0 if reply.turn is None else moves_needed(reply.turn)


def shortest_line(turn: PuzzleTurn) -> tuple[Point, ...]:
    """The moves of both sides from a turn on, by a shortest way, up to the five."""
    point, reply = min(turn.right.items(), key=lambda move: (_needed_after(move[1]), move[0]))
    return (point, *reply.moves, *(() if reply.turn is None else shortest_line(reply.turn)))


def turn_data(turn: PuzzleTurn, width: int) -> dict[str, Any]:
    """A turn as JSON-ready data: the right moves by name, with what follows, and the wrong ones.

    ``{"right": {"h8": {"moves": "i9", "turn": {...}}, "g7": {"moves": "f6j10", "turn": null}},
    "wrong": "a1b2"}``
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
    """The turn of such data.

    Raises:
        TengenError: what names no points of the board.
        PuzzleError: no right move, or far too many one after another.
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
    """Play all that a turn leads to; the board comes back as it was.

    Raises:
        TengenError: moves that the rules do not allow.
    """
    for point, reply in turn.right.items():
        for move in (point, *reply.moves):
            board.push(move)
        if reply.turn is not None:
            _play(reply.turn, board)
        for _ in (point, *reply.moves):
            board.pop()


def _chance(turn: PuzzleTurn) -> float:
    """The chance that moves drawn from the right and the wrong ones solve it."""
    solved = sum(1.0 if reply.turn is None else _chance(reply.turn) for reply in turn.right.values())
    return solved / (len(turn.right) + len(turn.wrong))
