"""The question to a computer player for its move, and the work of answering it.

Workers import this without anything of the server.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TypeAlias

from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.opening_policy import decide
from tengen.game.opening_rules import Opening
from tengen.game.player import Choice, Limit
from tengen.web.computing.cached_players import cached_player

PlayerAnswer: TypeAlias = "Choice | str"
"""A move, or the option chosen in an opening."""


class NoAnswer(TengenError):
    """A player's failure to give a usable answer."""


@dataclass(frozen=True, slots=True)
class MoveQuestion:
    """A question to a player; it can be pickled and sent to another process.

    Attributes:
        spec: the player's spec.
        board: the position.
        opening: the opening, if it asks for the decision; else None.
        limit: the limit of the search; None for the player's default.
    """

    spec: str
    board: Board
    opening: Opening | None = None
    limit: Limit | None = None


def answer(question: MoveQuestion, *, stop: threading.Event) -> PlayerAnswer:
    """Return a player's answer; this is the work of a search, executed in a worker.

    Raises:
        TengenError: raised by the player.
        NoAnswer: the answer is neither a move nor an option of the opening.
    """
    player = cached_player(question.spec)
    if question.opening is None:
        return _checked(player.choose(question.board, question.limit, stop), None)
    decision = decide(player, question.opening, question.limit, stop)
    return _checked(decision if isinstance(decision, str) else Choice(decision), question.opening)


def _checked(reply: object, opening: Opening | None) -> PlayerAnswer:
    decision = None if opening is None else opening.decision
    if isinstance(reply, str):
        if decision is not None and reply in decision.options:
            return reply
    elif isinstance(reply, Choice):
        return reply
    raise NoAnswer("error.player.answer", answer=shorten(repr(reply)))
