"""Asking a player: beside the terminal, interruptible, and safe from whatever its code does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import SupportsIndex, TypeVar

from tengen.game.errors import TengenError
from tengen.game.opening_rules import Decision
from tengen.game.player import Choice, Player, Score
from tengen.players.registry import SpecError, player
from tengen.terminal.describe import one_line
from tengen.words import say

_T = TypeVar("_T")
_PATIENCE = 1.0
"""Seconds of thinking before a dot is shown, and between dots."""


class PlayerFailed(TengenError):
    """A player's own code raised something that is no `TengenError`, or gave no usable answer."""


def guarded(call: Callable[[], _T]) -> _T:
    """What `call`, which runs a player's own code, returns.

    Raises:
        PlayerFailed: it raised anything but a `TengenError`, or tried to leave the program.
    """
    try:
        return call()
    except TengenError:
        raise
    except (Exception, SystemExit) as error:  # a player may be anybody's class
        raise _failure(error) from error


def make_player(spec: str) -> Player:
    """The player of a spec; see `tengen.players.registry`.

    Raises:
        SpecError: as there, or its name, which a saved game is to keep, is no text.
        PlayerFailed: its code raised something else.
    """
    made = guarded(lambda: player(spec))
    if not isinstance(guarded(lambda: made.name), str):
        raise SpecError("error.spec.protocol", spec=one_line(spec))
    return made


def answered(
    ask: Callable[[threading.Event], Choice | str],
    decision: Decision | None,
    show: Callable[[str], object],
    lang: str,
) -> Choice | str:
    """What a player answers, with dots while it thinks; Ctrl-C asks it to answer now, twice ends.

    Args:
        ask: asks the player; run in a thread of its own, with the event to set for an answer now.
        decision: what the opening rule asks of it, if it does.
        show: writes text to the terminal.
        lang: the language to speak.

    Raises:
        TengenError: what the player raised.
        PlayerFailed: its code raised anything else, or its answer is neither a choice nor an option.
    """
    stop, done = threading.Event(), threading.Event()
    answers: list[Choice | str] = []
    failures: list[TengenError] = []

    def work() -> None:
        try:
            answers.append(guarded(lambda: _checked(ask(stop), decision)))
        except TengenError as error:
            failures.append(error)
        except BaseException as error:  # no Ctrl-C comes here: the player itself has raised this
            failures.append(_failure(error))
        finally:
            done.set()

    threading.Thread(target=work, daemon=True).start()
    waited = False
    # Not by joining the thread: in Python 3.11 a Ctrl-C meanwhile makes it look ended.
    while not done.is_set():
        try:
            while not done.wait(_PATIENCE):
                show("." if waited else say("plain.thinking", lang))
                waited = True
        except KeyboardInterrupt:
            if stop.is_set():
                raise
            stop.set()
            show(say("plain.stopping", lang))
            waited = True
    if waited:
        show("\n")
    if failures:
        raise failures[0]
    return answers[0]


def _failure(error: BaseException) -> PlayerFailed:
    return PlayerFailed("error.player", reason=one_line(f"{type(error).__name__}: {error}"))


def _checked(answer: Choice | str, decision: Decision | None) -> Choice | str:
    if isinstance(answer, str):
        good = decision is not None and answer in decision.options
    else:
        good = (
            isinstance(answer, Choice)
            and isinstance(answer.point, SupportsIndex | str)
            and isinstance(answer.score, Score | None)
        )
    if not good:
        raise PlayerFailed("error.player.answer", answer=one_line(repr(answer)))
    return answer
