"""How often the sequential test is wrong, and how many games it takes.

Matches of colour-swapped pairs between players of known strength. Every pair has an opening that favours
Black or White by some Elo, the same in both games, and draws come by Davidson's model; both together decide
how the two games of a pair hang together. The strengths are such that exactly what H0, or H1, says is true.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from dataclasses import dataclass

from benchmarks.command_line import parser
from tengen.arena.sprt import Sprt
from tengen.arena.statistics import NORMALIZED, Tally, elo_of

MATCHES = 400
SCALE = 400 / math.log(10)
SIDES = 9
"""Openings that stand for all, from the worst to the best for Black."""

Pair = tuple[float, float]


@dataclass(frozen=True)
class Setting:
    """What games are like.

    Attributes:
        nu: the draw parameter.
        openings: the standard deviation of what an opening gives Black, in Elo.
    """

    name: str
    nu: float
    openings: float


SETTINGS = (
    Setting("few draws, even openings", 0.1, 50),
    Setting("half draws", 2, 100),
    Setting("openings that decide", 0.3, 400),
)
TESTS = (Sprt(0, 60), Sprt(-30, 30), Sprt(0, 60, model="normalized"))


def pairs(setting: Setting, elo: float) -> dict[Pair, float]:
    """The chances of all results of a pair, if the first player is `elo` stronger."""
    found: dict[Pair, float] = {}
    for i in range(SIDES):
        favour = setting.openings * statistics.NormalDist().inv_cdf((i + 0.5) / SIDES)
        first, second = (game(setting.nu, elo + side) for side in (favour, -favour))
        for one, p in first.items():
            for other, q in second.items():
                found[one, other] = found.get((one, other), 0) + p * q / SIDES
    return found


def game(nu: float, elo: float) -> dict[float, float]:
    ahead = math.exp(elo / SCALE)
    weights = {1: ahead, 0.5: nu * math.sqrt(ahead), 0: 1}
    return {points: weight / sum(weights.values()) for points, weight in weights.items()}


def moments(chances: dict[Pair, float]) -> tuple[float, float]:
    """Mean and standard deviation of a pair's mean score."""
    mean = sum(p * sum(pair) / 2 for pair, p in chances.items())
    return mean, math.sqrt(sum(p * (sum(pair) / 2 - mean) ** 2 for pair, p in chances.items()))


def measured(sprt: Sprt, chances: dict[Pair, float]) -> float:
    """The Elo, of the kind the test is about, that such pairs have."""
    mean, deviation = moments(chances)
    if sprt.model == "normalized":
        return NORMALIZED * (mean - 0.5) / (math.sqrt(2) * deviation)
    return elo_of(mean)


def truth(sprt: Sprt, setting: Setting, elo: float) -> dict[Pair, float]:
    """Pairs for which `elo` is exactly true."""
    low, high = -1000.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if measured(sprt, pairs(setting, middle)) < elo else (low, middle)
    return pairs(setting, low)


def match(sprt: Sprt, chances: dict[Pair, float], rng: random.Random) -> tuple[str, int]:
    """Play until the test decides; the decision, and how many games it took."""
    tally, tallies, weights = Tally(), [Tally.from_pairs([pair]) for pair in chances], [*chances.values()]
    while (decision := sprt.decision(tally)) is None:
        tally += rng.choices(tallies, weights)[0]
    return decision, tally.games


def report(sprt: Sprt, setting: Setting) -> int:
    """Print a line for each hypothesis; how many decisions were wrong."""
    total = 0
    rng = random.Random(f"{sprt} {setting.name}")
    for elo, wrong, most in ((sprt.elo0, "H1", sprt.alpha), (sprt.elo1, "H0", sprt.beta)):
        chances = truth(sprt, setting, elo)
        played = [match(sprt, chances, rng) for _ in range(MATCHES)]
        share = statistics.fmean(decision == wrong for decision, _ in played)
        total += sum(decision == wrong for decision, _ in played)
        error = 1.96 * math.sqrt(share * (1 - share) / MATCHES)
        drawn = sum(p * pair.count(0.5) / 2 for pair, p in chances.items())
        games = [count for _, count in played]
        print(
            f"    {elo:+5.0f} true, {100 * drawn:2.0f} % draws: "
            f"wrong {100 * share:4.1f} +- {100 * error:.1f} % (asked for {100 * most:.0f}), "
            f"games {statistics.fmean(games):4.0f} on average, median {statistics.median(games):4.0f}"
        )
    return total


def main() -> None:
    start = time.perf_counter()
    print(f"{MATCHES} matches of pairs for each line")
    wrong = 0
    for sprt in TESTS:
        print(f"  {sprt}")
        for setting in SETTINGS:
            print(f"   {setting.name}")
            wrong += report(sprt, setting)
    matches = 2 * len(TESTS) * len(SETTINGS) * MATCHES
    share = wrong / matches
    error = 196 * math.sqrt(share * (1 - share) / matches)
    print(f"  wrong in all: {100 * share:.1f} +- {error:.1f} % of {matches:,} matches (asked for 5)")
    tally = Tally(wins=400, draws=300, losses=360)
    print("one ratio, microseconds")
    for sprt in (TESTS[0], TESTS[-1]):
        begin = time.perf_counter()
        for _ in range(1000):
            sprt.llr(tally)
        print(f"  {sprt.model:10} {1000 * (time.perf_counter() - begin):.0f}")
    print(f"{time.perf_counter() - start:.0f} s in all")


if __name__ == "__main__":
    parser("benchmarks.sprt", __doc__).parse_args()
    main()
