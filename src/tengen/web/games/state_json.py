"""Serialisation of a game's state for the browser: JSON data with points by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tengen.game.opening_rules import FIRST, SECOND, Decision, option_message
from tengen.game.points import BLACK
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.web.computing.board_json import (
    COLOURS,
    Json,
    fouls_json,
    outcome_json,
    point_names,
    rules_json,
    set_up_json,
    setup_json,
    stones_json,
)
from tengen.web.games.left_alone import has_begun
from tengen.words import Message


@dataclass(frozen=True, slots=True)
class RoomView:
    """The part of a game's state that is not in its session.

    Attributes:
        id: the game's id.
        version: a number that grows by one with every change.
        created: the time of creation, in Unix seconds.
        updated: the time of the last change, in Unix seconds.
        pace: the minimum number of seconds between the moves of computers.
        open: the participant whose seat is open to the first visitor who joins by the link; None for none.
        stepping: whether a paused game between computers runs for one move.
        preparing: whether the clocks wait until the engine is ready.
        again: the id of the next game; None before there is one.
        notice: a notice for all clients, such as the reason why a computer has left; None for none.
        connected: the participants with a connected client.
        watchers: the number of connected spectators.
        names: the names of the human players, by participant; players without a name may be omitted.
        rematch: the participant who offers a rematch; None for none.
        rated: the rating pool of the game; None for an unrated game.
        ratings: the human players' ratings before the game, by participant.
        tournament: the id of the game's tournament; None outside tournaments.
        unaided: whether the game is running and forbids help.
        undoable: whether a change of seats can be undone.
    """

    id: str
    version: int
    created: float
    updated: float
    pace: float = 0.0
    open: int | None = None
    stepping: bool = False
    preparing: bool = False
    again: str | None = None
    notice: Message | None = None
    connected: frozenset[int] = field(default_factory=frozenset)
    watchers: int = 0
    names: Mapping[int, str | None] = field(default_factory=dict)
    rematch: int | None = None
    rated: str | None = None
    ratings: Mapping[int, Json | None] = field(default_factory=dict)
    tournament: str | None = None
    unaided: bool = False
    undoable: bool = False


def state_json(session: Session, view: RoomView) -> Json:
    """Return the whole state of a game, with the present times of its clocks."""
    board, result, actor = session.board, session.result, session.actor
    rules, names = board.rules, point_names(board.rules)
    setup = board.setup
    paused = session.paused or view.stepping
    before = set_up_json(setup, names)
    first = setup.turn if setup else BLACK
    playing = result is None
    # Where fouls must be claimed, players have to notice them without help.
    overlooked = view.unaided and rules.fouls == "claimed"
    return {
        "id": view.id,
        "version": view.version,
        **rules_json(rules),
        "setup": None if setup is None else setup_json(setup),
        "moves": [names[move] for move in board.moves],
        "ply": board.ply,
        "turn": COLOURS[board.turn] if playing else None,
        "stones": before + stones_json(board.moves, first, names),
        "numbered_from": len(before),
        "last": None if board.last is None else names[board.last],
        "outcome": None if result is None else outcome_json(result, names),
        "fouls": fouls_json(board) if playing and board.turn == BLACK and not overlooked else {},
        "claimable": not overlooked
        and session.result in (None, board.outcome())
        and board.claimable() is not None,
        **_opening(session, names),
        "opening_rule": session.opening_name,
        "seats": [_seat(session, who, view, paused) for who in (FIRST, SECOND)],
        "actor": actor,
        "take_backs": {
            COLOURS[colour]: session.seats[session.player_of(colour)].take_backs for colour in COLOURS
        },
        "take_backs_each": session.take_backs,
        "control": None if session.control is None else str(session.control),
        "request": None
        if session.request is None
        else {"kind": session.request.kind, "by": session.request.by},
        "paused": paused,
        "preparing": view.preparing,
        "pace": view.pace,
        "thinking": actor is not None and not session.paused and session.seats[actor].occupant != HUMAN,
        "events": len(session.events),
        "created": view.created,
        "updated": view.updated,
        "watchers": view.watchers,
        "again": view.again,
        "rematch": view.rematch,
        "rated": view.rated,
        "tournament": view.tournament,
        "begun": has_begun(session),
        "unaided": view.unaided,
        "undoable": view.undoable,
        "notice": None if view.notice is None else view.notice.to_dict(),
    }


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


def _seat(session: Session, who: int, view: RoomView, paused: bool) -> Json:
    seat, left, clock = session.seats[who], session.time_left(who), session.clock(who)
    running = who == session.actor and not paused
    return {
        "participant": who,
        "colour": COLOURS[session.colour_of(who)],
        "occupant": seat.name,
        "name": view.names.get(who) if seat.occupant == HUMAN else None,
        "rating": view.ratings.get(who) if seat.occupant == HUMAN else None,
        "take_backs": seat.take_backs,
        "clock": None
        if clock is None or left is None
        else {"left": round(left, 3), "periods": clock.periods, "running": running},
        "open": view.open == who,
        "connected": who in view.connected,
    }
