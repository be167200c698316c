"""Sentences about a session, for both terminal interfaces."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from tengen.formats import describe
from tengen.game.diagram import STONES
from tengen.game.notation import PASS_TEXT, shorten
from tengen.game.opening_rules import FIRST, option_message
from tengen.game.player import Choice
from tengen.game.points import BLACK, WHITE
from tengen.game.regular_openings import regular_opening
from tengen.game.rules import NAMES
from tengen.game.session_state import HUMAN, Event
from tengen.game.session_view import SessionView
from tengen.players.names import player_name
from tengen.words import Message

_LONGEST_NAME = 200
"""The most characters of a player's name that are shown."""


def humans(session: SessionView) -> list[int]:
    """Return the participants who are human."""
    return [who for who, seat in session.seats.items() if seat.occupant == HUMAN]


def computer_to_act(session: SessionView) -> bool:
    """Return whether a computer is to act now."""
    return session.actor is not None and session.seats[session.actor].occupant != HUMAN


def who(session: SessionView, participant: int) -> Message | str:
    """Return the name of a participant: a computer's name, or "you" for the only human."""
    occupant = session.seats[participant].occupant
    if not isinstance(occupant, str):
        name = player_name(str(occupant.name))
        return name if isinstance(name, Message) else shorten(name, _LONGEST_NAME)
    if len(humans(session)) == 1:
        return Message("terminal.you")
    return Message("terminal.player", {"number": participant})


def title(session: SessionView) -> Message:
    """Return the title of a game: the rules, the board size, and the length of a row."""
    rules = session.rules
    name = Message(f"rules.{rules.name}" if rules.name in NAMES else "rules.custom")
    return Message("terminal.title", {"rules": name, "size": rules.size_text, "k": rules.k})


def terms(session: SessionView) -> Iterator[Message]:
    """Yield the further terms of a game: the opening rule, and the treatment of fouls."""
    rules, opening = session.rules, session.opening
    if opening is not None:
        yield Message("terminal.opening", {"name": Message(f"opening.{opening.name}")})
    if rules.has_fouls and rules.fouls != "forbidden":
        yield Message(f"terminal.fouls.{rules.fouls}")


def seats(session: SessionView) -> Message:
    """Return the players of both colours."""
    return Message(
        "terminal.seats",
        {
            "seats": [
                Message(
                    "terminal.seat",
                    {
                        "colour": describe.colour(colour),
                        "sign": STONES[colour],
                        "who": who(session, session.player_of(colour)),
                    },
                )
                for colour in (BLACK, WHITE)
            ]
        },
    )


def regular(session: SessionView) -> Message | None:
    """Return the name of the regular opening of the first three stones, directly after the third."""
    board = session.board
    if session.opening is None or board.ply != 3:
        return None
    code = regular_opening(board)
    if not code:
        return None
    return Message("terminal.regular", {"code": code, "name": Message(f"opening.regular.{code}")})


def clock(session: SessionView, participant: int) -> Message | str:
    """Return a participant's current clock time; empty if there is no clock."""
    running = session.clock(participant)
    if running is None:
        return ""
    seconds = math.ceil(running.left(0.0))
    values = {"left": f"{seconds // 60}:{seconds % 60:02}", "periods": running.periods}
    in_period = running.main == 0 and running.periods > 0
    return Message("terminal.clock.period" if in_period else "terminal.clock", values)


def answer(session: SessionView, given: Choice | str) -> Message:
    """Return the announcement of a computer's answer, before it is applied."""
    decision = session.decision
    values: dict[str, object] = {"colour": describe.colour(session.board.turn)}
    if decision is not None:
        values["who"] = who(session, decision.player)
    if isinstance(given, str):
        return Message("terminal.chose", values | {"option": option_message(given)})
    values["point"] = session.board.name(session.board.point(given.point))
    if decision is not None:
        return Message(f"terminal.opening.{decision.kind}", values)
    passed = values["point"] == PASS_TEXT
    return Message("terminal.passed" if passed else "terminal.played", values)


def hint(session: SessionView, given: Choice | str) -> Message:
    """Return the text of a hint."""
    if isinstance(given, str):
        return Message("terminal.hint.option", {"option": given, "text": option_message(given)})
    return Message("terminal.hint", {"point": session.board.name(session.board.point(given.point))})


def taken_back(session: SessionView, events: Iterable[Event]) -> Iterator[Message]:
    """Yield sentences about the moves that have been taken back, from the events."""
    for event in events:
        if event.kind == "take_back":
            key = "terminal.taken_back.unlimited" if event.data["left"] is None else "terminal.taken_back"
            colour = describe.colour(session.colour_of(event.by or FIRST))
            yield Message(key, {"colour": colour, **event.data})


def verdict(session: SessionView) -> Message | None:
    """Return whether the only human has won or lost; None if the game is not over."""
    people, result = humans(session), session.result
    if len(people) != 1 or result is None or result.winner is None:
        return None
    won = session.colour_of(people[0]) == result.winner
    return Message("terminal.you_win" if won else "terminal.you_lose")
