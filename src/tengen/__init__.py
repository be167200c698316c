"""Tengen (天元): five-in-a-row, whole.

>>> import tengen
>>> board = tengen.Board.from_moves("h8i9", rules="renju")
>>> board.push("g9")
>>> board.name(board.last), board.turn == tengen.WHITE
('g9', True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.extras import imported_later, public_names
from tengen.formats.pictures.notebook import draw_in_notebooks as _draw_in_notebooks
from tengen.game.board import Board, Outcome
from tengen.game.errors import (
    ArgumentError,
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
from tengen.game.record import Record
from tengen.game.rules import Rules

if TYPE_CHECKING:
    from tengen.arena.contest_run import ContestStopped
    from tengen.arena.match_runner import MatchResult, match
    from tengen.engine.engine import Engine
    from tengen.engine.info import Info
    from tengen.formats.any_format import FormatWarning, read, to_text, write
    from tengen.formats.common import FormatError
    from tengen.formats.files import FileError
    from tengen.formats.pictures.svg import draw
    from tengen.formats.pictures.svg_themes import PictureError
    from tengen.game.session import Session
    from tengen.players.external.external_player import External, external
    from tengen.players.external.gomocup_game import ProgramError
    from tengen.players.spec import SpecError
    from tengen.solver.exact.solve import solve, solve_exact
    from tengen.solver.results import Defences, Exact, Solution, WinningPoints
    from tengen.solver.threats.root_moves import defences, winning_points
    from tengen.solver.threats.vcf import solve_vcf
    from tengen.solver.threats.vct import solve_vct
    from tengen.study.annotation import annotate
    from tengen.study.review import Mistake, Review, ReviewedPosition, review

__version__ = "0.2.0"

__all__ = [
    "BLACK",
    "EMPTY",
    "PASS",
    "WHITE",
    "ArgumentError",
    "Board",
    "Branch",
    "Choice",
    "ContestStopped",
    "Defences",
    "Engine",
    "Exact",
    "Explanation",
    "External",
    "FileError",
    "Forbidden",
    "FormatError",
    "FormatWarning",
    "Foul",
    "GameOver",
    "GameTime",
    "Heatmap",
    "IllegalMove",
    "Info",
    "Limit",
    "MatchResult",
    "Mistake",
    "NotAllowed",
    "NotationError",
    "Occupied",
    "OffBoard",
    "Outcome",
    "Part",
    "PictureError",
    "Player",
    "ProgramError",
    "Record",
    "Review",
    "ReviewedPosition",
    "Rules",
    "RulesError",
    "Score",
    "Session",
    "Solution",
    "SpecError",
    "TengenError",
    "WinningPoints",
    "annotate",
    "defences",
    "draw",
    "external",
    "match",
    "player",
    "read",
    "review",
    "solve",
    "solve_exact",
    "solve_vcf",
    "solve_vct",
    "to_text",
    "winning_points",
    "write",
]

_LATER = {
    "ContestStopped": "tengen.arena.contest_run",
    "Defences": "tengen.solver.results",
    "Engine": "tengen.engine.engine",
    "Exact": "tengen.solver.results",
    "External": "tengen.players.external.external_player",
    "FileError": "tengen.formats.files",
    "FormatError": "tengen.formats.common",
    "FormatWarning": "tengen.formats.any_format",
    "Info": "tengen.engine.info",
    "MatchResult": "tengen.arena.match_runner",
    "Mistake": "tengen.study.review",
    "PictureError": "tengen.formats.pictures.svg_themes",
    "ProgramError": "tengen.players.external.gomocup_game",
    "Review": "tengen.study.review",
    "ReviewedPosition": "tengen.study.review",
    "Session": "tengen.game.session",
    "Solution": "tengen.solver.results",
    "SpecError": "tengen.players.spec",
    "WinningPoints": "tengen.solver.results",
    "annotate": "tengen.study.annotation",
    "defences": "tengen.solver.threats.root_moves",
    "draw": "tengen.formats.pictures.svg",
    "external": "tengen.players.external.external_player",
    "match": "tengen.arena.match_runner",
    "read": "tengen.formats.any_format",
    "review": "tengen.study.review",
    "solve": "tengen.solver.exact.solve",
    "solve_exact": "tengen.solver.exact.solve",
    "solve_vcf": "tengen.solver.threats.vcf",
    "solve_vct": "tengen.solver.threats.vct",
    "to_text": "tengen.formats.any_format",
    "winning_points": "tengen.solver.threats.root_moves",
    "write": "tengen.formats.any_format",
}


_draw_in_notebooks()


def __getattr__(name: str) -> object:
    """Imports what is heavier only when it is asked for (PEP 562)."""
    return imported_later(__name__, _LATER, name)


def __dir__() -> list[str]:
    """The public names, those that are imported later as well, so that notebooks and `help` offer them."""
    return public_names(globals(), __all__)


def player(spec: str) -> Player:
    """The player that a spec describes; ``tengen players`` lists them all.

    Args:
        spec: name, preset and settings, as in ``"shapes:o2"`` or ``"random,seed=7"``.

    Raises:
        SpecError: the spec names no player, or asks it for something it does not have.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("a1b1a2b2", "tictactoe")
        >>> for spec in ("random,seed=7", "lines", "minimax,depth=3", "level:2"):
        ...     player = tengen.player(spec)
        ...     print(player.name, board.name(player.choose(board).point))
        random,seed=7 b3
        lines:open a3
        minimax,depth=3 a3
        level:2 a3
        >>> tengen.player("minimax,depth=0")
        Traceback (most recent call last):
            ...
        tengen.words.TengenError: player parameter depth is 0: expected a whole number of at least 1
    """
    from tengen.players.registry import player

    return player(spec)
