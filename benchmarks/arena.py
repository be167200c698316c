"""What the arena costs: the runner's own time for a move, and how busy it keeps the cores."""

from __future__ import annotations

import itertools
import os
import resource
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from benchmarks.command_line import parser
from tengen import Rules
from tengen.arena.concurrent_games import running
from tengen.arena.contestants import Contestant
from tengen.arena.game import GameTask, play
from tengen.arena.player_pool import close_players
from tengen.executors import open_workers

ROUNDS = 7
SECONDS = 40.0

# Answers at once, and never makes five in a row: both colours fill the board in pairs of columns, shifted
# by two from row to row.
PROGRAM = """
import sys

def order(black):
    cells = [(x, y) for y in range(15) for x in range(15)]
    mine = [(x, y) for x, y in cells if ((x + 2 * (y % 2)) // 2 % 2 == 0) == black]
    return mine + [cell for cell in cells if cell not in mine]

taken, plan = set(), []
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word in ("START", "RESTART"):
        taken, plan = set(), []
        print("OK", flush=True)
    elif word in ("BEGIN", "TURN"):
        if rest:
            taken.add(tuple(map(int, rest.split(","))))
        plan = plan or order(word == "BEGIN")
        while plan[0] in taken:
            plan.pop(0)
        x, y = plan.pop(0)
        taken.add((x, y))
        print(f"{x},{y}", flush=True)
    elif word == "END":
        break
"""


def overhead() -> None:
    """Whole games between two programs that answer at once: everything but waiting is the runner's."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "pbrain-quick.py"
        program.write_text(PROGRAM, "utf-8")
        seat = Contestant(f"cmd={sys.executable} -S -E {program},settle=0")
        first: list[float] = []
        warm: list[float] = []
        for _ in range(ROUNDS):
            for times in (first, warm):
                began = time.perf_counter()
                game = play(GameTask(0, Rules.named("freestyle"), (), seat, seat))
                times.append(1000 * (time.perf_counter() - began) / len(game.moves))
                if game.end != "full":
                    print(f"the game was not played to its end: {game.end} {game.detail}")
            close_players()
        print(f"{len(game.moves)} moves between programs that answer at once, goal under 2 ms a move")
        print(
            f"  programs started for the game: {statistics.median(first):.3f} ms a move, median of {ROUNDS}"
        )
        print(f"  programs kept from the game before: {statistics.median(warm):.3f} ms a move")


def busy() -> None:
    """As many games at once as there are cores, for a while; the processor time they got."""
    cores = os.cpu_count() or 1
    seats = Contestant("minimax,depth=3"), Contestant("level:3")
    games = (GameTask(number, Rules.named("freestyle"), (), *seats) for number in itertools.count())
    before = _used()
    began = time.perf_counter()
    finished = 0
    with open_workers("processes", cores) as workers, closing(running(games, workers)) as played:
        for _ in played:
            finished += 1
            if time.perf_counter() - began > SECONDS:
                break
    wall = time.perf_counter() - began
    time.sleep(1)  # what a process used counts when it has ended
    share = (_used() - before) / (wall * cores)
    print(f"{cores} games at once for {wall:.0f} s, {finished} ended")
    print(f"  {100 * share:.1f} % of the cores, goal 95 %")


def _used() -> float:
    """Processor time of this process and its ended children, in seconds."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main() -> None:
    overhead()
    busy()


if __name__ == "__main__":
    parser("benchmarks.arena", __doc__).parse_args()
    main()
