"""How fast the specification is: moves a second, and a whole map of renju's fouls."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path

from benchmarks.command_line import parser
from tengen import Board, Rules

DATA = Path(__file__).parent.parent / "tests" / "data"
OPENING = "h8i9g7f6h10i8"
ROUNDS = 7


def moves_per_second(rules: str, count: int = 20_000) -> float:
    """Median over rounds of push, outcome and pop on two points of an opening position, a second."""
    board = Board.from_moves(OPENING, rules)
    points = board.point("j7"), board.point("b2")
    rates = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(count // len(points)):
            for point in points:
                board.push(point)
                board.outcome()
                board.pop()
        rates.append(count / (time.perf_counter() - start))
    return statistics.median(rates)


def foul_map_times() -> list[float]:
    """Milliseconds for the map of all fouls of each fixture position."""
    times = []
    for line in (DATA / "forbidden.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        board = Board.from_moves(row["moves"], Rules.named("renju", row["size"]))
        start = time.perf_counter()
        board.fouls()
        times.append(1000 * (time.perf_counter() - start))
    return times


def main() -> None:
    print("push + outcome + pop on 15x15, a second (goal: 100,000)")
    for rules in ("freestyle", "standard", "renju", "caro"):
        print(f"  {rules:10} {moves_per_second(rules):>10,.0f}")
    times = foul_map_times()
    print(f"map of all fouls, {len(times)} fixture positions, ms (goal: median under 5)")
    print(f"  median {statistics.median(times):.2f}, slowest {max(times):.2f}")


if __name__ == "__main__":
    parser("benchmarks.rules", __doc__).parse_args()
    main()
