"""How often the true ratings lie within the stated errors, how far off they are, and how long it takes.

Round robins of 8 players of known strengths, with draws and an advantage of Black, everybody against
everybody with each colour; the ratings are compared with the truth relative to the mean of the pool.
"""

from __future__ import annotations

import itertools
import math
import multiprocessing
import os
import random
import statistics
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.command_line import parser
from tengen.arena.rating import Ratings, rate

TRIALS = 1_000
TIMES = 7
PLAYERS = 8
SPREAD = 150.0
ADVANTAGE = 60.0
NU = 0.5
SCALE = 400 / math.log(10)

Result = tuple[str, str, float]


def chances(elo: float, nu: float) -> tuple[float, float, float]:
    """Weights of a win, a draw and a loss of Black, who is `elo` ahead, the advantage included."""
    ahead = math.exp(elo / SCALE)
    return ahead, nu * math.sqrt(ahead), 1


def round_robin(rng: random.Random, truth: dict[str, float], rounds: int) -> Iterator[Result]:
    for black, white in itertools.permutations(truth, 2):
        weights = chances(truth[black] - truth[white] + ADVANTAGE, NU)
        for points in rng.choices((1, 0.5, 0), weights, k=rounds):
            yield black, white, points


def pool(rng: random.Random) -> dict[str, float]:
    """Players by true rating, 0 on average."""
    ratings = [rng.gauss(0, SPREAD) for _ in range(PLAYERS)]
    mean = statistics.fmean(ratings)
    return {f"p{i}": rating - mean for i, rating in enumerate(ratings)}


def coverage(rounds: int) -> None:
    """Print the shares of 95 % intervals that hold the truth, and the mean deviations."""
    rng = random.Random(rounds)
    inside: dict[str, list[bool]] = {"ratings": [], "differences": [], "advantage": []}
    pairs, errors, left_out = [], [], 0  # true ratings and what came out; stated errors
    for _ in range(TRIALS):
        truth = pool(rng)
        ratings: Ratings = rate(round_robin(rng, truth, rounds))
        # A bound is no estimate: who won or lost all games has no interval.
        fine = [rating for rating in ratings.players if rating.bounded == "both"]
        left_out += PLAYERS - len(fine)
        for rating in fine:
            deviation = rating.elo - truth[rating.name]
            inside["ratings"].append(abs(deviation) <= rating.error)
            errors.append(rating.error)
            pairs.append((truth[rating.name], rating.elo))
        for one, other in itertools.combinations(fine, 2):
            difference, error = ratings.difference(one.name, other.name)
            inside["differences"].append(abs(difference - truth[one.name] + truth[other.name]) <= error)
        if ratings.advantage.error is not None:
            inside["advantage"].append(abs(ratings.advantage.value - ADVANTAGE) <= ratings.advantage.error)
    print(f"  {rounds} games a pairing with each colour, {PLAYERS * (PLAYERS - 1) * rounds} in all")
    for name, held in inside.items():
        share = statistics.fmean(held)
        print(f"    {name:14} {100 * share:6.2f} % of {len(held):,} within their errors")
    slope = statistics.linear_regression(*zip(*pairs, strict=True)).slope
    off = statistics.fmean((rated - true) ** 2 for true, rated in pairs) ** 0.5
    print(
        f"    differences {100 * (slope - 1):+.1f} % too large on average, "
        f"mean error {statistics.fmean(errors):.0f}, root mean square deviation {off:.1f}; "
        f"{left_out} players with a bound left out"
    )


def many(players: int, games: int) -> list[Result]:
    """So many games of players drawn at random."""
    rng = random.Random(1)
    truth = {f"p{i}": rng.gauss(0, SPREAD) for i in range(players)}
    results = []
    for _ in range(games):
        black, white = rng.sample(list(truth), 2)
        weights = chances(truth[black] - truth[white] + ADVANTAGE, NU)
        results.append((black, white, rng.choices((1, 0.5, 0), weights)[0]))
    return results


def speed(results: list[Result]) -> str:
    """Seconds to rate these games, the least and the most of several times."""
    taken = []
    for _ in range(TIMES):
        start = time.perf_counter()
        rate(results)
        taken.append(time.perf_counter() - start)
    return f"{min(taken):.2f} to {max(taken):.2f} s"


def spin() -> None:
    """Keep a core busy, with threads of linear algebra too."""
    matrix = np.ones((300, 300))
    while True:
        matrix @ matrix


def speeds() -> None:
    """Print how long ratings take on this machine as it is, and beside others that keep all cores busy."""
    cores = os.cpu_count() or 1
    print(f"seconds to rate 419,000 games, least and most of {TIMES} (goal: below 1 with 40 players)")
    for players in (40, 200):
        results = many(players, 419_000)
        alone = speed(results)
        others = [multiprocessing.Process(target=spin, daemon=True) for _ in range(cores)]
        for other in others:
            other.start()
        beside = speed(results)
        for other in others:
            other.kill()
        print(f"  {players} players: {alone}; beside {cores} busy processes {beside}")


def main() -> None:
    print(
        f"{TRIALS:,} round robins of {PLAYERS} players, Elo spread {SPREAD:.0f} (goal: 93 to 97 % within)"
    )
    for rounds in (2, 5, 20):
        coverage(rounds)
    speeds()


if __name__ == "__main__":
    parser("benchmarks.ratings", __doc__).parse_args()
    main()
