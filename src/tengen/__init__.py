"""Tengen (天元): five-in-a-row, whole.

>>> import tengen
>>> board = tengen.Board.from_moves("h8i9", rules="renju")
>>> board.push("g9")
>>> board.name(board.last), board.turn == tengen.WHITE
('g9', True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.game.board import Board, Outcome
from tengen.game.errors import (
    Forbidden,
    GameOver,
    IllegalMove,
    NotAllowed,
    NotationError,
    Occupied,
    OffBoard,
    RulesError,
    TengenError,
)
from tengen.game.fouls import Foul
from tengen.game.player import Branch, Choice, Explanation, GameTime, Heatmap, Limit, Part, Player, Score
from tengen.game.points import BLACK, EMPTY, PASS, WHITE
from tengen.game.rules import Rules

if TYPE_CHECKING:
    from tengen.engine.engine import Engine
    from tengen.engine.info import Info
    from tengen.formats.pictures.svg import draw
    from tengen.game.record import Record
    from tengen.game.session import Session
    from tengen.solver.exact.solve import solve, solve_exact
    from tengen.solver.results import Defences, Exact, Solution, WinningPoints
    from tengen.solver.threats.root_moves import defences, winning_points
    from tengen.solver.threats.vcf import solve_vcf
    from tengen.solver.threats.vct import solve_vct
    from tengen.study.review import Mistake, Review, ReviewedPosition, review

__version__ = "0.2.0"

__all__ = [
    "BLACK",
    "EMPTY",
    "PASS",
    "WHITE",
    "Board",
    "Branch",
    "Choice",
    "Defences",
    "Engine",
    "Exact",
    "Explanation",
    "Forbidden",
    "Foul",
    "GameOver",
    "GameTime",
    "Heatmap",
    "IllegalMove",
    "Info",
    "Limit",
    "Mistake",
    "NotAllowed",
    "NotationError",
    "Occupied",
    "OffBoard",
    "Outcome",
    "Part",
    "Player",
    "Record",
    "Review",
    "ReviewedPosition",
    "Rules",
    "RulesError",
    "Score",
    "Session",
    "Solution",
    "TengenError",
    "WinningPoints",
    "defences",
    "draw",
    "player",
    "review",
    "solve",
    "solve_exact",
    "solve_vcf",
    "solve_vct",
    "winning_points",
]

_LATER = {
    "Defences": "tengen.solver.results",
    "Engine": "tengen.engine.engine",
    "Exact": "tengen.solver.results",
    "Info": "tengen.engine.info",
    "Mistake": "tengen.study.review",
    "Record": "tengen.game.record",
    "Review": "tengen.study.review",
    "ReviewedPosition": "tengen.study.review",
    "Session": "tengen.game.session",
    "Solution": "tengen.solver.results",
    "WinningPoints": "tengen.solver.results",
    "defences": "tengen.solver.threats.root_moves",
    "draw": "tengen.formats.pictures.svg",
    "review": "tengen.study.review",
    "solve": "tengen.solver.exact.solve",
    "solve_exact": "tengen.solver.exact.solve",
    "solve_vcf": "tengen.solver.threats.vcf",
    "solve_vct": "tengen.solver.threats.vct",
    "winning_points": "tengen.solver.threats.root_moves",
}


def __getattr__(name: str) -> object:
    """Imports what is heavier only when it is asked for (PEP 562)."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    from tengen.extras import importing

    with importing():
        return getattr(importlib.import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    """What is imported later as well, so that notebooks and `help` offer it."""
    return sorted({*globals(), *__all__})


def player(spec: str) -> Player:
    """The player that a spec describes; ``tengen players`` lists them all.

    Args:
        spec: name, preset and settings, as in ``"shapes:o2"`` or ``"random,seed=7"``.

    Raises:
        SpecError: the spec names no player, or asks it for something it does not have.
    """
    from tengen.players.registry import player

    return player(spec)
