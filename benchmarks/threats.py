"""What the solver of threats proves with a given number of nodes, and in a given time.

By nodes as many positions are searched at once as there are processors; by time one, so that none takes
another's. The positions are those of `benchmarks.tactics`: wins, and positions after a losing move, that
another program has proven at 100,000 nodes, by whatever moves. So 100 % is not to be reached by threats
alone; where the solver proves that there is no win by fours and threes, a quiet move is needed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from benchmarks.command_line import parser
from benchmarks.tactics import DATA
from tengen import Board, Limit, Rules, solve_vct
from tengen.solver.warmup import warm_up

NODES = (12_000, 100_000, 300_000, 1_000_000)
SECONDS = (0.1, 1.0, 10.0)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of one position.

    Attributes:
        rules: their name.
        won: whether a win was proven.
        none: whether it was proven that there is none by threats.
        nodes: stones put down.
        seconds: how long it took.
    """

    rules: str
    won: bool
    none: bool
    nodes: int
    seconds: float


def position(row: dict[str, Any]) -> Board:
    """The position of a row that is won for the side to move."""
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], row["size"]))
    if row["kind"] == "avoid":
        board.push(row["loses"])
    return board


def solved(row: dict[str, Any], limit: Limit) -> Answer:
    """What `tengen.solve_vct` says."""
    found = solve_vct(position(row), limit)
    none = found.proven and found.winner is None
    return Answer(row["rule"], found.winner is not None, none, found.nodes, found.seconds)


def told(limit: str, answers: Sequence[Answer]) -> str:
    """A line about the answers to all positions."""
    won, none = sum(one.won for one in answers), sum(one.none for one in answers)
    names = sorted({one.rules for one in answers})
    each = ", ".join(f"{rules} {sum(one.won for one in answers if one.rules == rules)}" for rules in names)
    speed = sum(one.nodes for one in answers) / sum(one.seconds for one in answers)
    percent = 100 * won / len(answers)
    return (
        f"  {limit:>15} a position: {won} of {len(answers)}, {percent:.0f} % ({each}); "
        f"none by threats {none}; {speed:,.0f} nodes/s, slowest {max(one.seconds for one in answers):.2f} s"
    )


def sample(rows: Sequence[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """So many of some rows, evenly spread; all where there are not more."""
    count = min(count, len(rows))
    return [rows[number * len(rows) // count] for number in range(count)]


def by_nodes(rows: Sequence[dict[str, Any]], limits: Sequence[int]) -> None:
    """A line for each number of nodes."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        for nodes in limits:
            answers = list(processes.map(solved, rows, [Limit(nodes=nodes)] * len(rows), chunksize=4))
            print(told(f"{nodes:,} nodes", answers), flush=True)


def by_time(rows: Sequence[dict[str, Any]], limits: Sequence[float]) -> None:
    """A line for each time."""
    for seconds in limits:
        answers = [solved(row, Limit(seconds=seconds)) for row in rows]
        print(told(f"{seconds:g} s", answers), flush=True)


def main(
    nodes: Sequence[int] = NODES, seconds: Sequence[float] = SECONDS, count: int | None = None
) -> None:
    warm_up()
    rows = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
    taken = rows if count is None else sample(rows, count)
    by_nodes(taken, nodes)
    by_time(taken, seconds)


if __name__ == "__main__":
    options = parser("benchmarks.threats", __doc__)
    options.add_argument("--quick", action="store_true", help="no million, and the first time alone")
    options.add_argument("--seconds", type=float, nargs="+", metavar="S", help="by these times alone")
    options.add_argument("--sample", type=int, metavar="N", help="so many positions, evenly spread")
    given = options.parse_args()
    if given.seconds:
        main((), given.seconds, given.sample)
    elif given.quick:
        main(NODES[:-1], SECONDS[:1], given.sample)
    else:
        main(count=given.sample)
