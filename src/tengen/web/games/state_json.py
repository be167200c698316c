"""A session as the browser gets it: plain JSON data, points by their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from tengen.game import opening_rules
from tengen.game.board import Board, Outcome
from tengen.game.fouls import Foul
from tengen.game.notation import point_name
from tengen.game.opening_rules import FIRST, SECOND, Decision, option_message
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.words import Message

Json: TypeAlias = dict[str, Any]

COLOURS = {BLACK: "black", WHITE: "white"}


@dataclass(frozen=True, slots=True)
class Around:
    """What the browser is told of a game besides the session.

    Attributes:
        id: of the game.
        version: grows by one with every change.
        created: Unix seconds.
        updated: Unix seconds.
        pace: seconds from one computer's move to the next one's, at least.
        open: the participant whose seat waits for somebody to come by the link.
        stepping: whether a paused game of computers runs for one move.
        again: the next game, once there is one.
        notice: what everybody at the table should be told, such as why a computer has left it.
        connected: participants of whom somebody is connected.
        watchers: how many others are.
    """

    id: str
    version: int
    created: float
    updated: float
    pace: float = 0.0
    open: int | None = None
    stepping: bool = False
    again: str | None = None
    notice: Message | None = None
    connected: frozenset[int] = field(default_factory=frozenset)
    watchers: int = 0


def state_json(session: Session, around: Around) -> Json:
    """The whole state of a game, clocks as they stand now."""
    board, result, actor = session.board, session.result, session.actor
    rules, names = board.rules, _names(board.rules)
    setup = board.setup
    paused = session.paused or around.stepping
    before = _setup_stones(setup, names) if setup else []
    first = setup.turn if setup else BLACK
    playing = result is None
    return {
        "id": around.id,
        "version": around.version,
        "rules": rules_json(rules),
        "fouls_mode": rules.fouls,
        "setup": None if setup is None else setup_json(setup),
        "moves": [names[move] for move in board.moves],
        "ply": board.ply,
        "turn": COLOURS[board.turn] if playing else None,
        "stones": before + stones_json(board.moves, first, names),
        "numbered_from": len(before),
        "last": None if board.last is None else names[board.last],
        "outcome": None if result is None else outcome_json(result, names),
        "fouls": fouls_json(board) if playing and board.turn == BLACK else {},
        "claimable": session.result in (None, board.outcome()) and board.claimable() is not None,
        **_opening(session, names),
        "seats": [_seat(session, who, around, paused) for who in (FIRST, SECOND)],
        "actor": actor,
        "take_backs": {
            COLOURS[colour]: session.seats[session.player_of(colour)].take_backs for colour in COLOURS
        },
        "control": None if session.control is None else str(session.control),
        "request": None
        if session.request is None
        else {"kind": session.request.kind, "by": session.request.by},
        "paused": paused,
        "pace": around.pace,
        "thinking": actor is not None and not session.paused and session.seats[actor].occupant != HUMAN,
        "events": len(session.events),
        "created": around.created,
        "updated": around.updated,
        "watchers": around.watchers,
        "again": around.again,
        "notice": None if around.notice is None else around.notice.to_dict(),
    }


@lru_cache(maxsize=64)
def rules_json(rules: Rules) -> Json:
    """Rules with their name, whether they have fouls, and the opening rules that go with them."""
    return {
        **rules.to_dict(),
        "name": rules.name,
        "has_fouls": rules.has_fouls,
        "opening_names": list(opening_rules.available(rules)),
    }


def setup_json(setup: Board) -> Json:
    """A set-up position."""
    return {
        **{COLOURS[colour]: [setup.name(point) for point in setup.stones(colour)] for colour in COLOURS},
        "turn": COLOURS[setup.turn],
    }


def stones_json(moves: Sequence[Point], first: Colour, names: Sequence[str]) -> list[list[str]]:
    """The stones in the order in which they were put, each with its colour."""
    colours = ("black", "white") if first == BLACK else ("white", "black")
    return [[names[move], colours[number % 2]] for number, move in enumerate(moves) if move != PASS]


def outcome_json(result: Outcome, names: Sequence[str]) -> Json:
    """How a game ended."""
    return {
        "winner": None if result.winner is None else COLOURS[result.winner],
        "reason": result.reason,
        "line": [names[point] for point in result.line],
        "foul": None if result.foul is None else _foul(result.foul, names),
    }


def fouls_json(board: Board) -> Json:
    """The points forbidden to Black, each with the kind of foul and the lines that make it."""
    return _kept_fouls(board) if board.rules.has_fouls else {}


@lru_cache(maxsize=512)
def _kept_fouls(board: Board) -> Json:
    """The same, kept because a position is told of more than once; a few milliseconds each."""
    names = _names(board.rules)
    return {names[point]: _foul(foul, names) for point, foul in board.fouls().items()}


def _foul(foul: Foul, names: Sequence[str]) -> Json:
    return {"kind": foul.kind, "lines": [[names[point] for point in line] for line in foul.lines]}


def _names(rules: Rules) -> Sequence[str]:
    return _all_names(rules.width, rules.points)


@lru_cache(maxsize=64)
def _all_names(width: int, points: int) -> Sequence[str]:
    """The name of every point; the last one, which is also number -1, is the pass."""
    return [*(point_name(point, width) for point in range(points)), point_name(PASS, width)]


def _setup_stones(setup: Board, names: Sequence[str]) -> list[list[str]]:
    return [[names[point], COLOURS[colour]] for colour in COLOURS for point in setup.stones(colour)]


def _opening(session: Session, names: Sequence[str]) -> Json:
    opening, decision = session.opening, session.decision
    if opening is None or decision is None:
        return {"offered": [], "opening": None}
    return {
        "offered": [names[point] for point in opening.offered],
        "opening": {"name": opening.name, "decision": _decision(decision, names)},
    }


def _decision(decision: Decision, names: Sequence[str]) -> Json:
    return {
        "by": decision.player,
        "kind": decision.kind,
        "message": decision.message.to_dict(),
        "points": [names[point] for point in decision.points],
        "options": [
            {"value": option, "message": option_message(option).to_dict()} for option in decision.options
        ],
    }


def _seat(session: Session, who: int, around: Around, paused: bool) -> Json:
    seat, left, clock = session.seats[who], session.time_left(who), session.clock(who)
    running = who == session.actor and not paused
    return {
        "participant": who,
        "colour": COLOURS[session.colour_of(who)],
        "occupant": seat.name,
        "take_backs": seat.take_backs,
        "clock": None
        if clock is None or left is None
        else {"left": round(left, 3), "periods": clock.periods, "running": running},
        "open": around.open == who,
        "connected": who in around.connected,
    }
