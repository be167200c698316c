"""Requests to players, each in its own thread.

They can be interrupted, and errors in a player's own code are contained.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import SupportsIndex, TypeVar

from tengen.executors.running_search import Search
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.opening_rules import Decision
from tengen.game.player import Choice, Explanation, Player, Score, explanation
from tengen.game.session_state import HUMAN, Occupant
from tengen.game.session_view import SessionView
from tengen.game.tracebacks import add_own_traceback, notes
from tengen.players.registry import player
from tengen.players.spec import SpecError
from tengen.terminal.ctrl_c import first_ctrl_c
from tengen.words import say

_T = TypeVar("_T")

ADVISER = "shapes"
"""The default player for hints if no computer plays."""

_PATIENCE = 1.0
"""Seconds of thinking before the first dot is shown, and between dots."""

_LONGEST = 200
"""The most characters of a player's text that are shown."""


class PlayerFailed(TengenError):
    """An error for a player whose code failed.

    It raised something other than a `TengenError`, or returned no valid answer.
    """


def guarded(call: Callable[[], _T]) -> _T:
    """Return the result of `call`, which runs a player's own code.

    Both kinds of errors have the traceback of the player's own code as a note (`tengen.game.tracebacks`).

    Raises:
        TengenError: the player raised it.
        PlayerFailed: the player raised another error, or tried to exit the program.
    """
    try:
        return call()
    except TengenError as error:
        add_own_traceback(error)
        raise
    except (Exception, SystemExit) as error:  # a player may be any class
        raise _failure(error) from error


def show_notes(error: BaseException) -> None:
    """Print the traceback of a player's own code, if an error has one, to stderr."""
    for note in notes(error):
        sys.stderr.write(f"{note}\n")


def make_player(spec: str) -> Player:
    """Return the player of a spec; see `tengen.players.spec`.

    Raises:
        SpecError: the spec is invalid, or the player's name, which a saved game stores, is not a string.
        PlayerFailed: the player's code raised another error.
    """
    made = guarded(lambda: player(spec))
    if not isinstance(guarded(lambda: made.name), str):
        raise SpecError("error.spec.protocol", spec=shorten(spec, _LONGEST))
    return made


def seated(spec: str) -> Occupant:
    """Return the occupant of a seat for ``human`` or a player's spec."""
    return HUMAN if spec == HUMAN else make_player(spec)


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


def wait_for(
    search: Search[_T],
    waiting: Callable[[], object],
    stopping: Callable[[], object],
    pauses: tuple[float, float],
) -> _T:
    """Wait for a search and return its result.

    The first Ctrl-C requests an immediate answer; the second one interrupts.

    Args:
        search: the search.
        waiting: called after each pause.
        stopping: called when an immediate answer has been requested.
        pauses: the first pause and the following pauses, in seconds.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed twice.
        Exception: the error raised by the search.
    """
    events: SimpleQueue[str] = SimpleQueue()  # reentrant: signal handlers may put
    search.when_done(lambda: events.put("done"))
    pause = pauses[0]
    with first_ctrl_c(lambda: events.put("ctrl-c")):
        while True:
            try:
                event = events.get(timeout=pause)
            except Empty:
                waiting()
                pause = pauses[1]
                continue
            if event == "done":
                return search.result()
            search.hurry()
            stopping()


def contained(call: Callable[[threading.Event], _T], *, stop: threading.Event) -> _T:
    """Run a player's own code as the work function of a search.

    Raises:
        TengenError: the player raised it.
        PlayerFailed: the player raised another error.
    """
    try:
        return call(stop)
    except TengenError as error:
        add_own_traceback(error)
        raise
    except BaseException as error:  # not Ctrl-C, which only reaches the main thread
        raise _failure(error) from error


def explained(player: Player, board: Board, *, stop: threading.Event) -> tuple[Choice, Explanation]:
    """Return a player's choice and its explanation.

    If stopped, it is the best choice of the explanation so far.
    """
    why = explanation(player, board.copy(), None, stop)
    if stop.is_set() and why.weights:
        return Choice(max(why.weights, key=lambda point: why.weights[point])), why
    choice = player.choose(board.copy(), None, stop)
    # An external program explains its choice only while it chooses.
    return choice, why if why.weights else explanation(player, board.copy(), None, stop)


def _failure(error: BaseException) -> PlayerFailed:
    failed = PlayerFailed("error.player", reason=shorten(f"{type(error).__name__}: {error}", _LONGEST))
    return add_own_traceback(failed, error)


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
