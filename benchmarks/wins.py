"""Whether wins by threats hold: each is replayed on the board, with every defence tried at every move.

``python -m benchmarks.wins --quick`` takes 20 positions. The positions are the won ones of
`benchmarks.tactics`, those that the solver wins by fours and threes with `NODES` nodes. Its line is played
out; after each move of the winner every reply that the rules allow is made, the solver is asked again with
`AGAIN` nodes, and what it shows is played by the rules of `tengen.game` to its end. A win holds where every
one of these ends in a win.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from benchmarks.tactics import DATA
from benchmarks.threats import position
from tengen import Board, Limit, solve_vct
from tengen.engine.warmup import warm_up
from tengen.game.points import Point

COUNT = 100
NODES = 100_000
AGAIN = 1_000_000


@dataclass(frozen=True, slots=True)
class Replayed:
    """A win that was played out.

    Attributes:
        rules: their name.
        plies: of the line.
        defences: that were tried.
        escaped: those after which no win was shown, as moves from the position.
        seconds: how long it took.
    """

    rules: str
    plies: int
    defences: int
    escaped: tuple[str, ...]
    seconds: float


def replayed(board: Board) -> Replayed | None:
    """What becomes of the win of the side to move; None where the solver finds none."""
    began, attacker, begun = time.perf_counter(), board.turn, board.ply
    found = solve_vct(board, Limit(nodes=NODES))
    if found.winner is None:
        return None
    board, tried, escaped = board.copy(), 0, []
    for number, point in enumerate(found.line):
        board.push(point)
        if number % 2 or board.outcome() is not None:
            continue
        for reply in board.legal_points():
            tried += 1
            board.push(reply)
            if not _wins(board, attacker):
                escaped.append(" ".join(map(board.name, board.moves[begun:])))
            board.pop()
    if not _won(board, attacker):
        escaped.append(" ".join(map(board.name, found.line)))
    seconds = time.perf_counter() - began
    return Replayed(board.rules.name, found.length, tried, tuple(escaped), seconds)


def _wins(board: Board, attacker: int) -> bool:
    """Whether the solver shows a win that can be played out; a foul that loses is one."""
    if board.outcome() is not None:
        return _won(board, attacker)
    found = solve_vct(board, Limit(nodes=AGAIN), attacker)
    return found.winner == attacker and _won(_after(board, found.line), attacker)


def _after(board: Board, line: Sequence[Point]) -> Board:
    after = board.copy()
    for point in line:
        after.push(point)
    return after


def _won(board: Board, attacker: int) -> bool:
    outcome = board.outcome()
    return outcome is not None and outcome.winner == attacker


def replays(rows: Sequence[dict[str, Any]]) -> Iterator[Replayed]:
    """The wins among some rows, one after the other."""
    for row in rows:
        one = replayed(position(row))
        if one is not None:
            yield one


def told(wins: Sequence[Replayed]) -> str:
    """A line about some wins."""
    hold = sum(not one.escaped for one in wins)
    plies = max((one.plies for one in wins), default=0)
    return (
        f"  {hold} of {len(wins)} wins hold, {plies} plies at most; "
        f"{sum(one.defences for one in wins):,} defences tried, "
        f"{sum(len(one.escaped) for one in wins)} not beaten; {sum(one.seconds for one in wins):,.0f} s"
    )


def main(count: int = COUNT) -> None:
    warm_up()
    rows = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
    wins = list(islice(replays(rows), count))
    for one in wins:
        for line in one.escaped:
            print(f"  not beaten ({one.rules}): {line}")
    print(told(wins), flush=True)


if __name__ == "__main__":
    main(20 if "--quick" in sys.argv[1:] else COUNT)
