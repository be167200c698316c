"""Analysis output: a row for each finished depth, and a table of the best lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import TYPE_CHECKING

from tengen.cli.output import columns
from tengen.formats.describe import colour, row
from tengen.game.board import Board
from tengen.game.player import Score
from tengen.words import Message, say

if TYPE_CHECKING:
    from tengen.engine.benchmark import BenchResult
    from tengen.engine.info import Info
    from tengen.solver.warmup import Warmed

_WIDTHS = (5, 8, 6, 12, 10, 8)
_SHOWN = 8
"""The most moves of a line shown in a row during the search."""


def heading(lang: str) -> str:
    """Return the column headings."""
    keys = ("depth", "win_rate", "value", "nodes", "nps", "time")
    return _columns([say(f"analyse.{key}", lang) for key in keys], say("analyse.line", lang))


def depth_row(board: Board, info: Info, *, whole: bool = False) -> str:
    """Return the row of a result.

    Args:
        board: the position.
        info: the result.
        whole: whether to show the complete line.
    """
    cells = (
        str(info.depth),
        f"{100 * info.score.win_rate:.1f} %",
        score_text(info.score),
        str(info.nodes),
        str(info.nps),
        f"{info.seconds:.2f}",
    )
    shown = info.line if whole else info.line[:_SHOWN]
    return _columns(cells, row(board, shown) + (" ..." if len(shown) < len(info.line) else ""))


def summary(board: Board, infos: Sequence[Info], lang: str) -> str:
    """Return the complete best lines, and the best move in a sentence."""
    best = infos[0]
    mate = best.score.mate
    if mate is None:
        verdict = Message("analyse.chance", {"chance": f"{100 * best.score.win_rate:.0f}"})
    else:
        verdict = Message("analyse.win" if mate > 0 else "analyse.loss", {"plies": abs(mate)})
    values = {"colour": colour(board.turn), "point": board.name(best.point), "verdict": verdict}
    rows = [depth_row(board, info, whole=True) for info in infos]
    return "\n".join([heading(lang), *rows, say("analyse.verdict", lang, **values)])


def score_text(score: Score) -> str:
    """Format a score: centi-units with their sign, or the plies to a proven end.

    A win in five plies is ``+M5``, a loss in four ``-M4``.
    """
    if score.mate is None:
        return f"{score.value:+d}"
    return f"{'+' if score.mate > 0 else '-'}M{abs(score.mate)}"


def bench_heading(lang: str) -> str:
    """Return the column headings of ``tengen bench``."""
    keys = ("depth", "best", "", "nodes", "nps", "time")
    return _columns(
        [say(f"analyse.{key}", lang) if key else "" for key in keys], say("analyse.position", lang)
    )


def bench_row(measured: BenchResult) -> str:
    """Return the row of a position of ``tengen bench``."""
    board = measured.board
    cells = (str(measured.depth), board.name(measured.point), "", str(measured.nodes), str(measured.nps))
    return _columns((*cells, f"{measured.seconds:.2f}"), f"{board.rules.name} {board.rules.size_text}")


def bench_total(measured: Iterable[BenchResult]) -> str:
    """Return the total of ``tengen bench``, which is machine-readable and not translated."""
    from tengen.engine.benchmark import speed

    measured = list(measured)
    nodes = sum(search.nodes for search in measured)
    return f"{nodes} nodes, {speed(nodes, sum(search.seconds for search in measured))} nodes/s"


def kernels(target: str) -> Message:
    """Return the kind of kernels that run; see `tengen.engine.benchmark.kernels_in_use`."""
    if target == "jit":
        return Message("bench.kernels.jit", {"version": metadata.version("numba")})
    return Message("bench.kernels.ahead", {"target": target})


def warmed(done: Warmed, target: str) -> Message:
    """Return the result of ``tengen warmup``.

    Args:
        done: the result.
        target: the target of the kernels; see `tengen.engine.benchmark.kernels_in_use`.
    """
    values = {"count": done.functions, "seconds": f"{done.seconds:.1f}", "folder": str(done.folder)}
    if target != "jit":
        return Message("compiling.ahead", values | {"target": target})
    if done.folder is None:
        return Message("compiling.unkept", values)
    return Message("compiling.done" if done.functions else "compiling.ready", values)


def _columns(cells: Sequence[str], last: str) -> str:
    """Return a row: right-aligned numbers, and a last column of any width."""
    return columns.row([*cells, last], [*_WIDTHS, 0])
