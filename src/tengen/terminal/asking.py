"""Asking a player: beside the terminal, interruptible, and safe from whatever its code does."""

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
"""Who gives hints where nobody else is named and no computer plays."""

_PATIENCE = 1.0
"""Seconds of thinking before a dot is shown, and between dots."""

_LONGEST = 200
"""Characters of what a player said that are shown."""


class PlayerFailed(TengenError):
    """A player's own code raised something that is no `TengenError`, or gave no usable answer."""


def guarded(call: Callable[[], _T]) -> _T:
    """What `call`, which runs a player's own code, returns.

    Raises:
        PlayerFailed: it raised anything but a `TengenError`, or tried to leave the program.

    Either error has the traceback of the player's own code as a note (`tengen.game.tracebacks`).
    """
    try:
        return call()
    except TengenError as error:
        add_own_traceback(error)
        raise
    except (Exception, SystemExit) as error:  # a player may be anybody's class
        raise _failure(error) from error


def show_notes(error: BaseException) -> None:
    """Show on stderr where in a player's own code an error happened, if it did."""
    for note in notes(error):
        sys.stderr.write(f"{note}\n")


def make_player(spec: str) -> Player:
    """Return the player of a spec; see `tengen.players.spec`.

    Raises:
        SpecError: as there, or its name, which a saved game is to keep, is no text.
        PlayerFailed: its code raised something else.
    """
    made = guarded(lambda: player(spec))
    if not isinstance(guarded(lambda: made.name), str):
        raise SpecError("error.spec.protocol", spec=shorten(spec, _LONGEST))
    return made


def seated(spec: str) -> Occupant:
    """Who ``human`` or a player's spec puts on a seat."""
    return HUMAN if spec == HUMAN else make_player(spec)


def adviser(session: SessionView, named: Player | None) -> Player:
    """Who gives hints: whoever is named, or else a computer at the table, or else `ADVISER`."""
    seats = (seat.occupant for seat in session.seats.values())
    computers = [occupant for occupant in seats if not isinstance(occupant, str)]
    return named or (computers[0] if computers else make_player(ADVISER))


def to_explain(session: SessionView, named: Player | None) -> tuple[Player, Board]:
    """Whose move to explain, a computer's last one or else an adviser's, and where it was made."""
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
    """What a player answers, with dots while it thinks; Ctrl-C asks it to answer now, twice ends.

    Args:
        ask: asks the player; run in a thread of its own, with the event for an answer now as ``stop``.
        decision: what the opening rule asks of it, if it does.
        show: writes text to the terminal.
        lang: the language to speak.

    Raises:
        TengenError: what the player raised.
        PlayerFailed: its code raised anything else, or its answer is neither a choice nor an option.
    """
    search: Search[Choice | str] = Search.start(contained, lambda stop: checked(ask(stop=stop), decision))
    return with_dots(search, show, lang)


def with_dots(search: Search[_T], show: Callable[[str], object], lang: str) -> _T:
    """What a search brings, with dots while it takes; Ctrl-C asks it to answer now, twice ends.

    Args:
        search: what is waited for.
        show: writes text to the terminal.
        lang: the language to speak.

    Raises:
        KeyboardInterrupt: Ctrl-C came twice.
        Exception: what the work has raised.
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
    """What a search brings. Ctrl-C has it answer now, twice ends the waiting.

    Args:
        search: what is waited for.
        waiting: called after each pause.
        stopping: called when it has been asked to answer now.
        pauses: seconds of the first pause and of the others.

    Raises:
        KeyboardInterrupt: Ctrl-C came twice.
        Exception: what the work has raised.
    """
    events: SimpleQueue[str] = SimpleQueue()  # safe to put into from where a signal is handled
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
    """The work of a search that runs a player's own code, beside whoever waits for it.

    Raises:
        TengenError: what the player raised.
        PlayerFailed: it raised anything else.
    """
    try:
        return call(stop)
    except TengenError as error:
        add_own_traceback(error)
        raise
    except BaseException as error:  # no Ctrl-C comes here: the player itself has raised this
        raise _failure(error) from error


def explained(player: Player, board: Board, *, stop: threading.Event) -> tuple[Choice, Explanation]:
    """A player's choice and why; if it is stopped, the choice that its explanation has come to."""
    why = explanation(player, board.copy(), None, stop)
    if stop.is_set() and why.weights:
        return Choice(max(why.weights, key=lambda point: why.weights[point])), why
    choice = player.choose(board.copy(), None, stop)
    # What an outside program has to say, it says while it chooses.
    return choice, why if why.weights else explanation(player, board.copy(), None, stop)


def _failure(error: BaseException) -> PlayerFailed:
    failed = PlayerFailed("error.player", reason=shorten(f"{type(error).__name__}: {error}", _LONGEST))
    return add_own_traceback(failed, error)


def checked(answer: Choice | str, decision: Decision | None) -> Choice | str:
    """The answer of a player to what the opening rule asks, or to a plain move.

    Raises:
        PlayerFailed: it is neither a choice nor one of the options.
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
