"""The rule numbers of the Gomocup protocol, which match runners write into game files too.

A number is a sum of flags: 1 exactly five wins, 2 continuous game, 4 renju, 8 caro. So 0 is freestyle,
1 standard, 4 renju, 8 caro in which overlines win, and 9 caro of exactly five (P. Lastovicka,
*Gomocup protocol*, version of 2023).
"""

from __future__ import annotations

from tengen.game.rules import Rules, Size

EXACTLY_FIVE, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8

USUAL_SIZE = 15

_NUMBERS = {
    # Overlines, threes and fours, fives blocked at both ends.
    ("wins", False, False, "wins"): 0,
    ("no_win", False, False, "wins"): EXACTLY_FIVE,
    ("foul", True, True, "wins"): RENJU,
    ("wins", False, False, "no_win"): CARO,
    ("no_win", False, False, "no_win"): CARO | EXACTLY_FIVE,
}
_KNOWN = EXACTLY_FIVE | RENJU | CARO


def number_of(rules: Rules) -> int | None:
    """Return the number of some rules, whatever the board and the enforcement of fouls, or None."""
    if rules.k != 5:
        return None
    return _NUMBERS.get((rules.overline, rules.double_three, rules.double_four, rules.blocked_five))


def nearest(number: int) -> int | None:
    """Return the number without the flags that are not supported, continuous games among them.

    None if the rest makes no sense: renju and caro at once, or a negative number.
    """
    known = number & _KNOWN
    return None if number < 0 or (known & RENJU and known & CARO) else known


def rules_of(number: int, size: Size | None = None) -> Rules | None:
    """Return the rules that a number names, on a board of this size; None for unknown rules.

    The flag for exactly five changes nothing in renju, where White's overlines win all the same: 5 is 4.

    Raises:
        RulesError: no such size.
    """
    exact, kind = number & EXACTLY_FIVE, number & ~EXACTLY_FIVE
    if kind == 0:
        return Rules.named("standard" if exact else "freestyle", size)
    if kind == RENJU:
        return Rules.named("renju", size)
    if kind == CARO:
        return Rules.named("caro", size, overline="no_win" if exact else "wins")
    return None
