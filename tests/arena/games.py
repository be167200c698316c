"""Finished games for the tests of what is made of them, without playing any."""

from __future__ import annotations

from tengen import BLACK, WHITE, Rules
from tengen.arena.results import PlayedGame, PlayedMove
from tengen.game import notation

FREESTYLE = Rules.named("freestyle")
WON = "h8a1i8a2j8a3k8a4l8"
"""Black makes five on row 8 while White looks on from the corner."""


def played(number=0, black="a", white="b", points=1.0, end="five", rules=FREESTYLE, detail=""):
    """A game with the usual moves, whoever won it by whatever."""
    winner = {1.0: BLACK, 0.5: None, 0.0: WHITE}[points]
    moves = notation.parse_moves(WON, rules.width, rules.height)
    opening, rest = tuple(moves[:2]), [PlayedMove(point, 0.25) for point in moves[2:]]
    return PlayedGame(number, rules, black, white, opening, tuple(rest), winner, end, detail)
