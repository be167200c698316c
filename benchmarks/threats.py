"""What the solver of threats proves at a given number of nodes.

``python -m benchmarks.threats --quick`` leaves out the million. The positions are those of
`benchmarks.tactics`: wins, and positions after a losing move, that another program has proven at 100,000
nodes, by whatever moves. So 100 % is not to be reached by threats alone; where the solver proves that there
is no win by fours and threes, a quiet move is needed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from benchmarks.tactics import DATA
from tengen import Board, Limit, Rules, solve_vct
from tengen.engine.warmup import warm_up

NODES = (12_000, 100_000, 300_000, 1_000_000)


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


def solved(row: dict[str, Any], nodes: int) -> Answer:
    """What `tengen.solve_vct` says."""
    found = solve_vct(position(row), Limit(nodes=nodes))
    none = found.proven and found.winner is None
    return Answer(row["rule"], found.winner is not None, none, found.nodes, found.seconds)


def told(nodes: int, answers: Sequence[Answer]) -> str:
    """A line about the answers to all positions."""
    won, none = sum(one.won for one in answers), sum(one.none for one in answers)
    names = sorted({one.rules for one in answers})
    each = ", ".join(f"{rules} {sum(one.won for one in answers if one.rules == rules)}" for rules in names)
    speed = sum(one.nodes for one in answers) / sum(one.seconds for one in answers)
    percent = 100 * won / len(answers)
    return (
        f"  {nodes:9,} nodes a position: {won} of {len(answers)}, {percent:.0f} % ({each}); "
        f"none by threats {none}; {speed:,.0f} nodes/s"
    )


def main(most: int = NODES[-1]) -> None:
    warm_up()
    rows = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        for nodes in NODES:
            if nodes > most:
                break
            answers = list(processes.map(solved, rows, [nodes] * len(rows), chunksize=4))
            print(told(nodes, answers), flush=True)


if __name__ == "__main__":
    main(300_000 if "--quick" in sys.argv[1:] else NODES[-1])
