"""What a second Dask worker brings: games an hour with one worker and with two, on this machine."""

from __future__ import annotations

import logging
import os
import statistics
import time
from contextlib import ExitStack

from benchmarks.command_line import parser
from tengen import Rules
from tengen.arena.concurrent_games import running
from tengen.arena.contestants import Contestant
from tengen.arena.game import GameTask
from tengen.arena.opening_sets import default_openings
from tengen.executors import Workers, open_workers
from tengen.extras import MissingPackage, importing

ROUNDS = 3
GAMES = 60
PLAYERS = ("shapes", "minimax")


def games() -> list[GameTask]:
    """The games of a round: the same ones each time, half of them with colours swapped."""
    rules = Rules.named("freestyle")
    seats = [Contestant(spec) for spec in PLAYERS]
    openings = default_openings(rules, GAMES // 2)
    return [
        GameTask(number, rules, openings[number // 2], seats[number % 2], seats[1 - number % 2])
        for number in range(GAMES)
    ]


def rate(workers: Workers, tasks: list[GameTask]) -> float:
    """Games an hour."""
    start = time.perf_counter()
    played = sum(1 for _ in running(tasks, workers))
    return 3600 * played / (time.perf_counter() - start)


def main() -> None:
    try:
        with importing("cluster"):
            from distributed import LocalCluster
    except MissingPackage as error:
        print(f"not measured: {error}")
        return
    tasks = games()
    rates: dict[int, list[float]] = {1: [], 2: []}
    with ExitStack() as stack:
        workers = {}
        for count in rates:
            cluster = stack.enter_context(
                LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=count,
                    threads_per_worker=1,
                    dashboard_address=":0",
                    silence_logs=logging.CRITICAL,
                )
            )
            workers[count] = stack.enter_context(open_workers(cluster.scheduler_address))
            rate(workers[count], tasks[: 2 * count])  # each worker loads the players
        for _ in range(ROUNDS):
            for count, found in rates.items():
                found.append(rate(workers[count], tasks))
    print(
        f"{' against '.join(PLAYERS)}, freestyle 15x15, {GAMES} games a round, medians of {ROUNDS} rounds,"
        f" {os.cpu_count()} processors"
    )
    for count, found in rates.items():
        print(f"  workers: {count}  {statistics.median(found):>8,.0f} games an hour")
    ratio = statistics.median(two / one for one, two in zip(rates[1], rates[2], strict=True))
    print(f"  two against one: {ratio:.2f} times (goal: 1.6)")


if __name__ == "__main__":
    parser("benchmarks.cluster", __doc__).parse_args()
    main()
