"""How fast the engine is, how soon it answers, and what memory it takes."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.command_line import parser
from tengen import BLACK, Board, Limit, Rules, solve_vcf
from tengen.engine.benchmark import boards, measure, speed
from tengen.engine.board.conversion import position_of
from tengen.engine.board.fouls import forbidden_cells
from tengen.engine.tables import CLASSES_ALONE, network_of
from tengen.solver.warmup import warm_up

DATA = Path(__file__).parent.parent / "tests" / "data"
RULES = ("freestyle", "standard", "renju", "caro")
OPENING = "h8i9g7f6h10i8"
MEASURE_MEMORY = """
import resource
from tengen import Board, Engine, Limit

engine = Engine()
for rules in {rules}:
    engine.choose(Board.from_moves("{opening}", rules), Limit(seconds={seconds}))
with open("/proc/self/statm") as file:
    print(int(file.read().split()[1]) * resource.getpagesize() >> 20)
"""


@dataclass(frozen=True, slots=True)
class Rounds:
    """How much is measured.

    Attributes:
        speed: rounds of the positions of ``tengen bench``.
        nodes: nodes for each position.
        starts: warm starts of the command.
    """

    speed: int = 5
    nodes: int = 400_000
    starts: int = 9


def nodes_per_second(rules: str | None, rounds: Rounds, threads: int = 1, weights: str = "") -> float:
    """Median over rounds of nodes a second on the positions of some rules."""
    rates = []
    for _ in range(rounds.speed):
        found = list(measure(boards(rules), [Limit(nodes=rounds.nodes)], threads, weights))
        rates.append(speed(sum(one.nodes for one in found), sum(one.seconds for one in found)))
    return statistics.median(rates)


def by_turns(rounds: Rounds, one: Callable[[Rounds], float], other: Callable[[Rounds], float]) -> float:
    """Median over rounds of one rate divided by another, each measured for a round by turns."""
    turn = Rounds(1, rounds.nodes)
    return statistics.median(one(turn) / other(turn) for _ in range(rounds.speed))


def gain_of_two_threads(rounds: Rounds) -> float:
    """Nodes a second on two threads, divided by those on one."""
    return by_turns(
        rounds, lambda turn: nodes_per_second(None, turn, 2), lambda turn: nodes_per_second(None, turn)
    )


def speed_with_the_network(rules: str, rounds: Rounds) -> float:
    """Nodes a second with the network, divided by those without."""
    return by_turns(
        rounds,
        lambda turn: nodes_per_second(rules, turn),
        lambda turn: nodes_per_second(rules, turn, weights=CLASSES_ALONE),
    )


def fixtures(name: str) -> list[dict[str, Any]]:
    """The rows of a file of positions."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def vcf_times(*, shortest: bool) -> list[float]:
    """Milliseconds to solve each VCF fixture, from the board to the line, checked against the answer."""
    times = []
    for row in fixtures("vcf.jsonl"):
        board = Board.from_moves(row["moves"], Rules.named(row["rule"], row["size"]))
        start = time.perf_counter()
        found = solve_vcf(board, shortest=shortest)
        times.append(1000 * (time.perf_counter() - start))
        assert found.proven, row["id"]
        assert (found.winner == board.turn) == row["win"], row["id"]
        if row["win"] and shortest:
            assert found.fours == row["min_fours"], row["id"]
    return times


def hard_vcf_times(*, shortest: bool) -> list[float]:
    """The same for boards with so many fours that a depth-first search does not come to an end."""
    times = []
    for row in fixtures("vcf_hard.jsonl"):
        rules = Rules.named(row["rule"], row["size"])
        board = Board.from_stones(row["black"].split(), row["white"].split(), BLACK, rules)
        start = time.perf_counter()
        found = solve_vcf(board, shortest=shortest)
        times.append(1000 * (time.perf_counter() - start))
        assert found.proven, row["id"]
        assert (found.winner == BLACK) == row["win"], row["id"]
    return times


def foul_map_times(repeats: int = 50) -> list[float]:
    """Microseconds for the map of all fouls of each fixture position, the mean of many."""
    times = []
    found = np.zeros(1024, np.int64)
    for row in fixtures("forbidden.jsonl"):
        state, tables = position_of(Board.from_moves(row["moves"], Rules.named("renju", row["size"])))
        start = time.perf_counter()
        for _ in range(repeats):
            count = forbidden_cells(state, tables, found)
        times.append(1e6 * (time.perf_counter() - start) / repeats)
        assert count == len(row["forbidden"]), row["id"]
    return times


def analyse_seconds(cache: str | None = None) -> tuple[float, float]:
    """Seconds of ``tengen analyse --seconds 0.1`` in a process of its own: by the clock, and of the CPU."""
    command = [sys.executable, "-m", "tengen", "analyse", OPENING, "--seconds", "0.1", "--json"]
    env = os.environ if cache is None else {**os.environ, "TENGEN_CACHE": cache}
    start, before = time.perf_counter(), os.times()
    subprocess.run(command, check=True, capture_output=True, env=env)
    seconds, after = time.perf_counter() - start, os.times()
    return seconds, sum(after[2:4]) - sum(before[2:4])


def cold_seconds() -> tuple[float, float]:
    """The same where nothing has been compiled yet."""
    with tempfile.TemporaryDirectory() as folder:
        return analyse_seconds(folder)


def resident_megabytes(rules: tuple[str, ...]) -> int:
    """Resident memory of a process that has loaded the engine and played these rules with it."""
    program = MEASURE_MEMORY.format(rules=rules, opening=OPENING, seconds=1.0)
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return int(done.stdout)


def show(name: str, found: str, goal: str = "") -> None:
    print(f"  {name:44} {found:>18}   {goal}".rstrip(), flush=True)


def spread(times: list[float]) -> str:
    return f"{statistics.median(times):.3f}  {max(times):.1f}"


def both(seconds: tuple[float, float]) -> str:
    return f"{seconds[0]:.2f}  {seconds[1]:.2f}"


def main(rounds: Rounds | None = None) -> None:
    rounds = rounds or Rounds()
    warm_up()
    analyse_seconds()
    print(f"nodes a second, {rounds.nodes:,} a position, median of {rounds.speed} (goal: 800,000)")
    for rules in RULES:
        show(rules, f"{nodes_per_second(rules, rounds):,.0f}")
    for rules in filter(lambda name: network_of(Rules.named(name)), RULES):
        show(
            f"{rules}, with a network, times without",
            f"{speed_with_the_network(rules, rounds):.2f}",
            "goal: 0.45",
        )
    show("two threads, times one", f"{gain_of_two_threads(rounds):.2f}", "goal: 1.85")
    print("median and slowest")
    show("VCF fixtures, ms", spread(vcf_times(shortest=False)), "goal: 2 and 1000")
    show("VCF fixtures, the shortest, ms", spread(vcf_times(shortest=True)), "goal: 2 and 1000")
    show("VCF, boards full of fours, ms", spread(hard_vcf_times(shortest=False)), "goal: 1000, slowest")
    show("the same, the shortest, ms", spread(hard_vcf_times(shortest=True)), "goal: 1000, slowest")
    show("map of all fouls, microseconds", spread(foul_map_times()), "goal: 50, median")
    print("from the command to its end, seconds by the clock and of the CPU")
    starts = sorted(analyse_seconds() for _ in range(rounds.starts))
    show(
        f"tengen analyse --seconds 0.1, median of {rounds.starts}",
        both(starts[len(starts) // 2]),
        "goal: 1.5",
    )
    show("the same, nothing compiled yet", both(cold_seconds()), "goal: 60")
    if Path("/proc/self/statm").exists():
        print("resident memory, MB")
        show("engine, one of the rules", str(resident_megabytes(RULES[:1])), "goal: 350")
        show("engine, four rules", str(resident_megabytes(RULES)))


if __name__ == "__main__":
    options = parser("benchmarks.engine", __doc__)
    options.add_argument("--quick", action="store_true", help="fewer rounds")
    main(Rounds(1, 100_000, 3) if options.parse_args().quick else None)
