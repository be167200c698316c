"""The bounds of the solvers' arguments, and their checks.

Command lines and web pages check what they are asked for by this module, so it imports neither NumPy nor
the engine.
"""

from __future__ import annotations

from tengen.engine.board.playable import check_rules
from tengen.game.arguments import MOST_NODES, is_colour, is_whole, shown
from tengen.game.errors import RulesError, TengenError
from tengen.game.notation import shorten
from tengen.game.points import Colour
from tengen.game.rules import Rules

THREATS = ("fours", "threes", "any")
"""The sets of threats: each holds the one before it."""

THREAT_MEMORY = 64
"""Default size of the transposition table of a threat search, in megabytes."""

EXACT_MEMORY = 256
"""Default size of the transposition table of the exact search, in megabytes."""

MOST_MEMORY = 1 << 17
"""Largest transposition table, in megabytes."""

MOST_EXACT_POINTS = 64
"""Points of the largest board that the exact search solves."""

MOST_CANDIDATES = 50
"""Most candidate moves in a position where threats alone do not win."""

ALL_NODES = MOST_NODES
"""A number of nodes that no search ever reaches."""

NEVER = 1 << 30
"""Infinity among proof and disproof numbers: the aim cannot be reached."""


def check_memory(megabytes: int) -> None:
    """Check the size of a transposition table.

    Raises:
        TengenError: fewer than one megabyte, more than `MOST_MEMORY`, or no whole number.
    """
    if not (isinstance(megabytes, int) and is_whole(megabytes) and 1 <= megabytes <= MOST_MEMORY):
        raise TengenError("error.solve.memory", value=shown(megabytes), most=MOST_MEMORY)


def check_threats(threats: str) -> None:
    """Check the name of a set of threats.

    Raises:
        TengenError: it is none of `THREATS`.
    """
    if not (isinstance(threats, str) and threats in THREATS):
        text = shorten(threats) if isinstance(threats, str) else shown(threats)
        raise TengenError("error.solve.threats", threats=text, names=THREATS)


def attacker_of(colour: Colour | None, default: Colour) -> Colour:
    """Return the attacker: the colour given, or the default if None.

    Raises:
        TengenError: the value is no colour.
    """
    if colour is None:
        return default
    if not is_colour(colour):
        raise TengenError("error.solve.colour", colour=shown(colour))
    return colour


def check_threat_rules(rules: Rules, key: str = "error.solve.rules") -> None:
    """Check that wins by threats are searched under these rules: those that the engine plays.

    Args:
        rules: the rules.
        key: the sentence that points to the exact search, where that takes the rules.

    Raises:
        RulesError: with the condition that fails.
    """
    try:
        check_rules(rules)
    except RulesError as error:
        if not solves(rules):
            raise
        raise RulesError(key, problem=error.message) from None


def check_exact_rules(rules: Rules) -> None:
    """Check that the exact search solves games of these rules.

    Raises:
        RulesError: the board is too large, a row of k does not always win, or a free point may not always
            be played on. The message names the condition that fails.
    """
    if rules.points > MOST_EXACT_POINTS:
        raise RulesError(
            "error.solve.size", size=rules.size_text, points=rules.points, most=MOST_EXACT_POINTS
        )
    longest = max(rules.width, rules.height)
    if rules.overline != "wins" and longest > rules.k:
        raise RulesError("error.solve.overline", k=rules.k)
    if rules.blocked_five != "wins" and longest >= rules.k + 2:
        raise RulesError("error.solve.blocked", k=rules.k)
    if rules.double_three or rules.double_four:
        raise RulesError("error.solve.fouls")
    if rules.passing:
        raise RulesError("error.solve.passing")


def solves(rules: Rules) -> bool:
    """Return whether the exact search solves games of these rules; see `check_exact_rules`."""
    try:
        check_exact_rules(rules)
    except RulesError:
        return False
    return True
