"""An exact value as it is told, and how far the search for it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from tengen.cli.output.progress import duration
from tengen.cli.output.search_progress import WhyEnded, watched
from tengen.executors.running_search import Search
from tengen.game.board import Board
from tengen.game.points import BLACK
from tengen.solver.results import Exact, ExactProgress
from tengen.words import Message


def watched_exact(solver: Callable[..., Exact], lang: str) -> tuple[Exact, Message]:
    """What an exact search finds, and why it was over; with a line on stderr once it takes a second.

    Args:
        solver: `tengen.solve_exact` with all its arguments but ``stop``; Ctrl-C ends it with what it knows.
        lang: the language to speak.

    Raises:
        KeyboardInterrupt: Ctrl-C came twice.
        TengenError: what the search has raised.
    """
    newest: deque[ExactProgress] = deque(maxlen=1)
    why = WhyEnded()

    def sentence() -> Message:
        return progress(newest[-1]) if newest else Message("solve.exact.begun")

    search = Search.start(solver, on_report=newest.append)
    return watched(search, sentence, lang, why.stopped), why.told


def progress(now: ExactProgress) -> Message:
    """How far a search is; the time that it has taken so far is left to be filled in, as ``time``."""
    ahead = (
        Message("solve.exact.whole")
        if now.plies is None
        else Message("solve.exact.ahead", {"plies": now.plies})
    )
    values = {
        "aim": Message(f"solve.exact.aim.{now.aim}"),
        "ahead": ahead,
        "share": f"{100 * now.share:.0f}",
        "positions": f"{now.positions:,}",
    }
    if now.left is None:
        return Message("solve.exact.progress", values)
    return Message("solve.exact.estimate", values | {"left": duration(now.left)})


def told(board: Board, found: Exact, why: Message) -> Iterator[Message]:
    """The lines of an answer; `why` the search was over, where that left something open."""
    sides = Message("black"), Message("white")
    side, other = sides if board.turn == BLACK else sides[::-1]
    values: dict[str, Any] = {"colour": side, "other": other, "distance": found.distance, "why": why}
    if found.value is None:
        yield Message(f"solve.exact.{_OPEN[found.bounds]}", values)
    elif found.value == 0:
        yield Message("solve.exact.draw")
    else:
        how = "win" if found.value > 0 else "loss"
        yield Message(f"solve.exact.{how}" if found.distance else f"solve.exact.{how}.some", values)
    if found.best:
        names = " ".join(board.name(point) for point in found.best)
        yield Message(f"solve.exact.best{'' if found.complete else '.some'}", {"points": names})
    spent = {"positions": f"{found.positions:,}", "seconds": f"{found.seconds:.3f}"}
    yield Message("solve.exact.spent", spent)


_OPEN = {(-1, 1): "open", (0, 1): "open.holds", (-1, 0): "open.no_win"}
"""What is said where the search was over first, by what is left."""


def data(board: Board, found: Exact) -> dict[str, Any]:
    """The answer for a program."""
    return {
        "value": found.value,
        "best": [board.name(point) for point in found.best],
        "complete": found.complete,
        "distance": found.distance,
        "positions": found.positions,
        "bounds": list(found.bounds),
        "seconds": round(found.seconds, 6),
    }
