"""Which rules the engine plays, and on which boards."""

from __future__ import annotations

from tengen.game.errors import RulesError
from tengen.game.rules import Rules
from tengen.words import Message

SMALLEST, LARGEST = 5, 22
"""Sides of the boards the engine plays on."""


def misfit(rules: Rules) -> Message | None:
    """Why the engine does not play by some rules: the first condition that fails, or None where it plays.

    Where overlines win, two fours or threes that are fouls would have to be counted in rows of six and
    more, of which its patterns know nothing.
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
    """Whether the engine plays by some rules: five in a row on a square board, without passing."""
    return misfit(rules) is None


def check_rules(rules: Rules) -> None:
    """Refuse what the engine does not play.

    Raises:
        RulesError: with the condition that fails.
    """
    if (reason := misfit(rules)) is not None:
        raise RulesError("error.engine.rules", size=rules.size_text, reason=reason)
