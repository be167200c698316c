"""Output of exact values, and the progress of their search."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from tengen.cli.output.progress import duration
from tengen.cli.output.search_progress import EndReason, watched
from tengen.executors.running_search import Search
from tengen.formats.describe import colour
from tengen.game.board import Board
from tengen.game.points import opponent
from tengen.solver.results import Exact, ExactProgress
from tengen.words import Message


def watched_exact(solver: Callable[..., Exact], lang: str) -> tuple[Exact, Message]:
    """Run an exact search, and show its progress on stderr after one second.

    Args:
        solver: `tengen.solve_exact` with all its arguments except ``stop``; Ctrl-C ends it with the results
            so far.
        lang: the language of messages.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed twice.
        TengenError: the search raised it.
    """
    newest: deque[ExactProgress] = deque(maxlen=1)
    why = EndReason()

    def sentence() -> Message:
        return progress(newest[-1]) if newest else Message("solve.exact.begun")

    search = Search.start(solver, on_report=newest.append)
    return watched(search, sentence, lang, why.stopped), why.message


def progress(now: ExactProgress) -> Message:
    """Return the progress of a search; the elapsed time is filled in later, as ``time``."""
    ahead = (
        Message("solve.exact.whole")
        if now.plies is None
        else Message("solve.exact.ahead", {"plies": now.plies})
    )
    values = {
        "aim": Message(f"solve.exact.aim.{now.aim}"),
        "ahead": ahead,
        "share": f"{100 * now.share:.0f}",
        "positions": now.positions,
    }
    if now.left is None:
        return Message("solve.exact.progress", values)
    return Message("solve.exact.estimate", values | {"left": duration(now.left)})


def messages(board: Board, found: Exact, why: Message) -> Iterator[Message]:
    """Yield the lines of the answer.

    `why` is the reason for the end of a search without a complete answer.
    """
    side, other = colour(board.turn), colour(opponent(board.turn))
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
    spent = {"positions": found.positions, "seconds": f"{found.seconds:.3f}"}
    yield Message("solve.exact.spent", spent)


_OPEN = {(-1, 1): "open", (0, 1): "open.holds", (-1, 0): "open.no_win"}
"""The messages for searches that ended early, by the remaining bounds."""
