"""What is seen at a glance, with a network and without, of positions that a search would ask about.

The positions are from within the searches of games made for it, and each is searched itself. The
cross-entropy is that of the chances seen at a glance with those that this search sees; the smaller the
better. A network may have gained on the positions of games and lost here, where it is asked
(`benchmarks/log/2026-11-26-lower-loss.md`). And how much a network adds, and how much that differs from
what it added two plies and one ply before, in the root mean square: where a search does not ask, that is
what it expects.

``python -m benchmarks.network renju mine`` measures what lies in the folder ``mine`` as well, and under
renju alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from benchmarks.command_line import counted, parser, refusing
from tengen import Rules
from tengen.engine.board.position import make
from tengen.engine.board.records import Kind, Record, copy_of
from tengen.engine.board.scores import MATE
from tengen.engine.evaluation.value_shares import value_shares
from tengen.engine.search.deepening import SearchTask, run
from tengen.engine.search.table import new_table
from tengen.engine.tables import CLASSES_ALONE, prepared, prepared_networks
from tengen.solver.warmup import warm_up
from tengen.training.games.self_play import SelfPlaySettings, play

RULES = ("freestyle", "standard", "renju", "caro")
NODES = 60_000
"""For the search of each position."""

FROM_A_GAME = 12
SCALE = 200.0
COUNT, QUICK = 1500, 300

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A position that a search would ask the static score of.

    Attributes:
        cells: its moves.
        score: what a search of `NODES` nodes says.
    """

    cells: tuple[int, ...]
    score: int


def state_of(rules: Rules, cells: Sequence[int], weights: str = "") -> tuple[Record, Record]:
    """A position as the engine sees it, with its tables."""
    empty, tables = prepared(rules, weights=weights)
    state = copy_of(empty)
    for cell in cells:
        make(state, tables, cell)
    return state, tables


def asked(rules: Rules) -> Iterator[Asked]:
    """Positions from within the searches of games, one game after the other, without end."""
    plan = SelfPlaySettings(rules, 20_000, 1, within=8)
    chance = np.random.default_rng(1)
    number = 0
    while True:
        inside = [sample.cells for sample in play(plan, number).samples if sample.result is None]
        number += 1
        for place in chance.permutation(len(inside))[:FROM_A_GAME]:
            state, tables = state_of(rules, inside[place])
            counts, side = state[0]["counts"], int(state[0]["turn"])
            if counts[:, Kind.FIVE].any() or counts[side, Kind.OPEN_FOUR]:
                continue
            found = list(
                run(SearchTask(state, tables, prepared_networks(rules), new_table(16), most_nodes=NODES))
            )
            if found:
                yield Asked(inside[place], found[-1].score)


def seen(rules: Rules, positions: Sequence[Asked], weights: str, before: int = 0) -> tuple[Floats, Floats]:
    """The static scores some plies before, and what the network of a folder adds to them, 0 without one."""
    played = (one.cells[: len(one.cells) - before] for one in positions)
    networks = prepared_networks(rules, weights)
    shares = [value_shares(*state_of(rules, cells, weights), networks) for cells in played]
    return np.array([one.value for one in shares]), np.array([one.correction for one in shares])


def root_mean_square(values: Floats) -> float:
    return float(np.sqrt((values**2).mean()))


def chances(scores: Floats) -> Floats:
    """What the scores of a search come to, a win proven being one."""
    seen = 1 / (1 + np.exp(-scores / SCALE))
    return np.where(scores > MATE, 1.0, np.where(scores < -MATE, 0.0, seen))


def cross_entropy(values: Floats, wanted: Floats) -> float:
    """The mean of it, values being static scores."""
    logits = values / SCALE
    return float((np.logaddexp(0, logits) - wanted * logits).mean())


def report(rules: Rules, count: int, folders: Sequence[str]) -> None:
    positions = list(counted(islice(asked(rules), count), rules.name, count))
    scores = np.array([one.score for one in positions], np.float64)
    wanted, open_yet = chances(scores), np.abs(scores) < MATE
    print(f"{rules.name}, {count} positions, {open_yet.sum()} of them without a known end")
    heads = "cross-entropy   without a known end   correlation there"
    print(f"  {'':24} {heads}   added   from two plies before   from one")
    names = {CLASSES_ALONE: "the sum alone", "": "and the network"}
    for weights in (CLASSES_ALONE, "", *folders):
        values, adds = seen(rules, positions, weights)
        correlation = np.corrcoef(values[open_yet], scores[open_yet])[0, 1]
        here = cross_entropy(values[open_yet], wanted[open_yet])
        far = ""
        if weights != CLASSES_ALONE:
            a_ply, two_plies = (seen(rules, positions, weights, before)[1] for before in (1, 2))
            # One ply before the other side was to move.
            sizes = map(root_mean_square, (adds, adds - two_plies, adds + a_ply))
            far = "{:8.0f} {:23.0f} {:10.0f}".format(*sizes)
        print(
            f"  {names.get(weights, weights):24} {cross_entropy(values, wanted):13.4f}"
            f" {here:21.4f} {correlation:19.3f}" + far
        )


def main(count: int = COUNT, rules: Sequence[str] = RULES, folders: Sequence[str] = ()) -> None:
    warm_up()
    for name in rules:
        report(Rules.named(name), count, folders)


@refusing
def command(arguments: Sequence[str]) -> int:
    """Measure what the command line names; the exit status."""
    options = parser("benchmarks.network", __doc__)
    options.add_argument("words", nargs="*", metavar="RULES|FOLDER", help="all rules, if none are named")
    options.add_argument("--quick", action="store_true", help="fewer positions")
    given = options.parse_args(arguments)
    named = [one for one in given.words if one in RULES]
    folders = [one for one in given.words if one not in RULES]
    for name in named or RULES:
        for folder in folders:
            prepared_networks(Rules.named(name), folder)
    main(QUICK if given.quick else COUNT, named or RULES, folders)
    return 0


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:]))
