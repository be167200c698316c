"""Requests to players, each in its own thread, which Ctrl-C ends early."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import SupportsIndex, TypeVar

from tengen.executors.running_search import Search
from tengen.executors.waiting import wait_for
from tengen.game.board import Board
from tengen.game.notation import shorten
from tengen.game.opening_rules import Decision
from tengen.game.player import Choice, Player, Score
from tengen.game.session_view import SessionView
from tengen.game.tracebacks import notes
from tengen.players.calls import PlayerFailed, contained, make_player
from tengen.words import say

_T = TypeVar("_T")

ADVISER = "shapes"
"""The default player for hints if no computer plays."""

_PATIENCE = 1.0
"""Seconds of thinking before the first dot is shown, and between dots."""

_LONGEST = 200
"""The most characters of a player's text that are shown."""


def show_notes(error: BaseException) -> None:
    """Print the traceback of a player's own code, if an error has one, to stderr."""
    for note in notes(error):
        sys.stderr.write(f"{note}\n")


def adviser(session: SessionView, named: Player | None) -> Player:
    """Return the player that gives hints: `named`, or else a computer at the table, or else `ADVISER`."""
    seats = (seat.occupant for seat in session.seats.values())
    computers = [occupant for occupant in seats if not isinstance(occupant, str)]
    return named or (computers[0] if computers else make_player(ADVISER))


def to_explain(session: SessionView, named: Player | None) -> tuple[Player, Board]:
    """Return a player and the position in which to explain its choice.

    It is a computer and the position of its last move, or else an adviser and the current position.
    """
    board = session.board
    before = board.copy()
    while board.ply - before.ply < 2 and before.moves:
        before.pop()
        computer = session.occupant(before.turn)
        if not isinstance(computer, str):
            return computer, before
        if session.result is not None:
            return adviser(session, named), before
    return adviser(session, named), board


def answered(
    ask: Callable[..., Choice | str],
    decision: Decision | None,
    show: Callable[[str], object],
    lang: str,
) -> Choice | str:
    """Return a player's answer, and show dots while it thinks.

    The first Ctrl-C requests an immediate answer; the second one interrupts.

    Args:
        ask: asks the player; called in its own thread, with an event as ``stop`` that requests an immediate
            answer.
        decision: the question of the opening rule; None for a plain move.
        show: writes text to the terminal.
        lang: the language of messages.

    Raises:
        TengenError: the player raised it.
        PlayerFailed: its code raised another error, or its answer is neither a choice nor an option.
    """
    search: Search[Choice | str] = Search.start(contained, lambda stop: checked(ask(stop=stop), decision))
    return with_dots(search, show, lang)


def with_dots(search: Search[_T], show: Callable[[str], object], lang: str) -> _T:
    """Return the result of a search, and show dots while it runs.

    The first Ctrl-C requests an immediate answer; the second one interrupts.

    Args:
        search: the search.
        show: writes text to the terminal.
        lang: the language of messages.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed twice.
        Exception: the error raised by the search.
    """
    shown: list[str] = []

    def say_so(text: str) -> None:
        shown.append(text)
        show(text)

    answer = wait_for(
        search,
        lambda: say_so("." if shown else say("plain.thinking", lang)),
        lambda: say_so(say("plain.stopping", lang)),
        (_PATIENCE, _PATIENCE),
    )
    if shown:
        show("\n")
    return answer


def checked(answer: Choice | str, decision: Decision | None) -> Choice | str:
    """Check a player's answer to a question of the opening rule, or to a plain move, and return it.

    Raises:
        PlayerFailed: the answer is neither a choice nor one of the options.
    """
    if isinstance(answer, str):
        good = decision is not None and answer in decision.options
    else:
        good = (
            isinstance(answer, Choice)
            and isinstance(answer.point, SupportsIndex | str)
            and isinstance(answer.score, Score | None)
        )
    if not good:
        raise PlayerFailed("error.player.answer", answer=shorten(repr(answer), _LONGEST))
    return answer
