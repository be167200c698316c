"""A round robin of the textbook players, and how long they think.

Every pair plays colour-swapped games from varied two-stone starts. The table shows the share of points
(a win 1, a draw 1/2) that the player of the row took from the player of the column.
"""

from __future__ import annotations

import itertools
import os
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from benchmarks.command_line import parser
from tengen import BLACK, WHITE, Board, Rules, TengenError, player
from tengen.game.points import distance
from tengen.game.symmetry import canonical

GAMES = 40
# At its default of 2,000 playouts mcts would take most of the day.
WEIGHING = ("random", "lines", "shapes:o5easy", "shapes:o5", "shapes:o2")
SEARCHING = ("minimax", "mcts,playouts=500", "threats", "level:1", "level:2", "level:3")
FIELDS: dict[int, tuple[str, ...]] = {
    3: ("random", "lookup", "lines:o4", "lines", "minimax", "mcts", "threats"),
    9: (*WEIGHING, *SEARCHING),
    15: (*WEIGHING, *SEARCHING),
}
MIDDLE_GAMES = ("h8i9g7f6h10i8", "h8g9i8g8g7i9h7h9", "h8i8h7h9g9f10i7g7j6k5")


def rules_of(size: int) -> Rules:
    return Rules.named("tictactoe") if size == 3 else Rules.named("freestyle", size)


def starts(size: int, count: int, seed: int = 1) -> list[tuple[int, ...]]:
    """Different positions of one black and one white stone near the centre, symmetric ones once."""
    rules = rules_of(size)
    centre = (size // 2) * size + size // 2
    near = [p for p in range(rules.points) if distance(p, centre, size) <= 2]
    pairs = list(itertools.permutations(near, 2))
    random.Random(seed).shuffle(pairs)
    found: dict[bytes, tuple[int, ...]] = {}
    for pair in pairs:
        found.setdefault(canonical(Board.from_moves(pair, rules))[0], pair)
    return list(itertools.islice(itertools.cycle(found.values()), count))


def game(task: tuple[int, str, str, tuple[int, ...]]) -> tuple[str, str, float, dict[str, list[float]]]:
    """Play one game; the points of the first-named player, who has Black, and everybody's seconds."""
    size, black, white, start = task
    board = Board.from_moves(start, rules_of(size))
    players = {BLACK: player(_seeded(black)), WHITE: player(_seeded(white))}
    seconds: dict[str, list[float]] = defaultdict(list)
    while (outcome := board.outcome()) is None:
        choice = players[board.turn].choose(board)
        seconds[black if board.turn == BLACK else white].append(choice.seconds)
        board.push(choice.point)
    points = 0.5 if outcome.winner is None else float(outcome.winner == BLACK)
    return black, white, points, dict(seconds)


def tasks(size: int, names: Sequence[str]) -> Iterator[tuple[int, str, str, tuple[int, ...]]]:
    for one, other in itertools.combinations(names, 2):
        for start in starts(size, GAMES // 2):
            yield size, one, other, start
            yield size, other, one, start


def _seeded(name: str) -> str:
    """The spec with a seed, where the player leaves anything to chance."""
    try:
        return player(f"{name},seed=1").name
    except TengenError:
        return name


def round_robin(size: int, names: Sequence[str]) -> None:
    points: dict[tuple[str, str], float] = defaultdict(float)
    games: dict[tuple[str, str], int] = defaultdict(int)
    seconds: dict[str, list[float]] = defaultdict(list)
    waiting = list(tasks(size, names))
    began = time.perf_counter()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for done, result in enumerate(pool.map(game, waiting, chunksize=2), 1):
            black, white, score, used = result
            points[black, white] += score
            points[white, black] += 1 - score
            games[black, white] += 1
            games[white, black] += 1
            for name, times in used.items():
                seconds[name] += times
            if done % 50 == 0:
                print(f"  {done} of {len(waiting)} games", end="\r", file=sys.stderr)
    total = {
        name: sum(points[name, other] for other in names if other != name)
        / max(1, sum(games[name, other] for other in names if other != name))
        for name in names
    }
    order = sorted(names, key=lambda name: -total[name])
    took = time.perf_counter() - began
    print(f"{size}x{size}, {GAMES} games a pair, {len(waiting)} games in {took:.0f} s")
    print(f"{'':14}" + "".join(f"{number:>6}" for number in range(1, len(order) + 1)) + "   all  ms a move")
    for number, name in enumerate(order, 1):
        row = "".join(
            f"{'':>6}" if other == name else f"{100 * points[name, other] / games[name, other]:>6.0f}"
            for other in order
        )
        pace = 1000 * statistics.median(seconds[name])
        print(f"{number:>2} {name:11}{row}{100 * total[name]:>6.1f}{pace:>8.1f}")


def thinking_times() -> None:
    print("seconds a move at the default, middle games on 15x15 (goals: minimax 1, shapes 0.02)")
    for name in FIELDS[15]:
        times = []
        for moves in MIDDLE_GAMES:
            board = Board.from_moves(moves)
            times.append(player(name).choose(board).seconds)
        print(f"  {name:14} {statistics.median(times):.4f}, slowest {max(times):.4f}")


def main(sizes: Sequence[int] = tuple(FIELDS)) -> None:
    thinking_times()
    for size in sizes:
        round_robin(size, FIELDS[size])


if __name__ == "__main__":
    options = parser("benchmarks.players", __doc__)
    options.add_argument("--sizes", nargs="+", type=int, choices=FIELDS, default=tuple(FIELDS))
    main(options.parse_args().sizes)
