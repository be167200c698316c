"""Serialisation of a game's state for the browser: JSON data with points by name."""

from __future__ import annotations

from collections.abc import Sequence

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
from tengen.web.games.game import Game


def game_state(game: Game) -> Json:
    """Return the whole state of a game, with the present times of its clocks."""
    session, settings = game.session, game.settings
    board, result, actor = session.board, session.result, session.actor
    rules, names = board.rules, point_names(board.rules)
    setup = board.setup
    paused, unaided = session.paused or settings.stepping, game.is_unaided
    before = set_up_json(setup, names)
    first = setup.turn if setup else BLACK
    playing = result is None
    # Where fouls must be claimed, players have to notice them without help.
    overlooked = unaided and rules.fouls == "claimed"
    return {
        "id": game.id,
        "version": game.version,
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
        "seats": [_seat(game, who, paused=paused) for who in (FIRST, SECOND)],
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
        "preparing": settings.preparing,
        "pace": settings.pace,
        "thinking": actor is not None and not session.paused and session.seats[actor].occupant != HUMAN,
        "events": len(session.events),
        "created": game.created,
        "updated": game.updated,
        "watchers": game.presence.watchers,
        "again": settings.again,
        "rematch": settings.rematch,
        "rated": settings.rated,
        "tournament": settings.organiser,
        "begun": game.has_begun,
        "unaided": unaided,
        "undoable": settings.before is not None,
        "notice": None if settings.notice is None else settings.notice.to_dict(),
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


def _seat(game: Game, who: int, *, paused: bool) -> Json:
    session, holder = game.session, game.settings.holders[who]
    seat, left, clock = session.seats[who], session.time_left(who), session.clock(who)
    running = who == session.actor and not paused
    return {
        "participant": who,
        "colour": COLOURS[session.colour_of(who)],
        "occupant": seat.name,
        "name": holder.name if seat.occupant == HUMAN else None,
        "rating": holder.rating if seat.occupant == HUMAN else None,
        "take_backs": seat.take_backs,
        "clock": None
        if clock is None or left is None
        else {"left": round(left, 3), "periods": clock.periods, "running": running},
        "open": game.settings.open == who,
        "connected": who in game.presence.connected,
    }
