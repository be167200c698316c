"""The rules and boards that the engine plays."""

from __future__ import annotations

from tengen.game.board import Board
from tengen.game.errors import GameOver, RulesError
from tengen.game.rules import Rules
from tengen.words import Message

SMALLEST, LARGEST = 5, 22
"""Sides of the boards the engine plays on."""


def misfit(rules: Rules) -> Message | None:
    """Return the first condition of the engine that some rules fail; None if it plays them.

    If overlines win, double fours and double threes that are fouls would have to be counted in rows of six
    and more, which patterns do not describe.
    """
    if rules.width != rules.height:
        return Message("engine.misfit.square", {"size": rules.size_text})
    if not SMALLEST <= rules.width <= LARGEST:
        values = {"size": rules.size_text, "least": SMALLEST, "most": LARGEST}
        return Message("engine.misfit.size", values)
    if rules.k != 5:
        return Message("engine.misfit.k", {"k": rules.k})
    if rules.passing:
        return Message("engine.misfit.passing")
    if rules.overline == "wins" and (rules.double_three or rules.double_four):
        return Message("engine.misfit.overline")
    return None


def plays(rules: Rules) -> bool:
    """Return whether the engine plays some rules: five in a row on a square board, without passing."""
    return misfit(rules) is None


def check_rules(rules: Rules) -> None:
    """Refuse rules that the engine does not play.

    Raises:
        RulesError: with the condition that fails.
    """
    if (reason := misfit(rules)) is not None:
        raise RulesError("error.engine.rules", size=rules.size_text, reason=reason)


def check_analysable(board: Board) -> None:
    """Refuse a position that the engine cannot analyse.

    Raises:
        RulesError: the engine does not play the rules or the board.
        GameOver: the game is over.
    """
    check_rules(board.rules)
    if board.outcome() is not None or not board.legal_points():
        raise GameOver("error.game_over.choose")
