"""Calls of players' own code, whose errors are contained.

A player may be any class, and fail in any way. What it raises becomes a `TengenError` of one sentence, with
the traceback of the player's own code as a note (`tengen.game.tracebacks`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.player import Choice, Explanation, Player, explanation
from tengen.game.session_state import HUMAN, Occupant
from tengen.game.tracebacks import add_own_traceback
from tengen.players.registry import player
from tengen.players.spec import SpecError

_T = TypeVar("_T")

_LONGEST = 200
"""The most characters of a player's text that are shown."""


class PlayerFailed(TengenError):
    """An error for a player whose code failed.

    It raised something other than a `TengenError`, or returned no valid answer.
    """


def guarded(call: Callable[[], _T]) -> _T:
    """Return the result of `call`, which runs a player's own code.

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
