"""Which rules the engine plays, and on which boards."""

from __future__ import annotations

from tengen.game.errors import RulesError
from tengen.game.rules import Rules

SMALLEST, LARGEST = 5, 22
"""Sides of the boards the engine plays on."""


def plays(rules: Rules) -> bool:
    """Whether the engine plays by some rules: five in a row on a square board, without passing.

    Where overlines win, two fours or threes that are fouls would have to be counted in rows of six and
    more, of which its patterns know nothing.
    """
    square = rules.width == rules.height and SMALLEST <= rules.width <= LARGEST
    counted = rules.overline != "wins" or not (rules.double_three or rules.double_four)
    return square and rules.k == 5 and not rules.passing and counted


def check_rules(rules: Rules) -> None:
    """Refuse what the engine does not play.

    Raises:
        RulesError: `plays` says that it does not.
    """
    if not plays(rules):
        raise RulesError("error.engine.rules", least=SMALLEST, most=LARGEST, size=rules.size_text)
