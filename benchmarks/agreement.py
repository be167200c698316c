"""What a change to the search is worth in nodes: how far brief searches agree with long ones.

Positions are of games of the engine against itself, one of each, and not decided. Each is searched by every
player named with many nodes; the mean of the chances they see says what is true, and the moves they choose
what is good. Then each searches with fewer. The error is a chance of winning, squared, in the mean; its
difference is that from the first line, with the 95 % error of pairs. Less noise than in games, and less
meaning: what errs less is not always stronger (`benchmarks/log/2026-11-27-policy.md`).

``python -m benchmarks.agreement engine engine,weights=mine`` compares two players; without players, the
engine as it is with the nodes of each line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context

import numpy as np
import numpy.typing as npt

from benchmarks.command_line import counted, parser, refusing
from tengen import Board, Engine, Limit, Rules
from tengen.engine.board.conversion import point_of
from tengen.players.registry import player
from tengen.solver.warmup import warm_up
from tengen.training.games.self_play import SelfPlaySettings, play

COUNT, QUICK = 600, 60
DEEP = 500_000
NODES = (20_000, 30_000, 40_000)
PLAYERS = ("engine",)

_GAME_NODES = 4000
_EVEN = 350
_EARLIEST, _LATEST = 6, 50
_BEFORE_THE_END = 6

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a player's searches of all positions have seen.

    Attributes:
        chances: of winning, for the side to move, shape (n,).
        moves: the points chosen, shape (n,).
    """

    chances: Floats
    moves: npt.NDArray[np.int64]


def positions(rules: Rules) -> Iterator[str]:
    """Positions of games, one of each, as moves run together, without end."""
    plan = SelfPlaySettings(rules, _GAME_NODES, 1)
    chance = np.random.default_rng(1)
    empty = Board(rules)
    number = 0
    while True:
        game = play(plan, number)
        number += 1
        fit = [
            sample.cells
            for sample in game.samples
            if sample.result is not None
            and abs(sample.score) < _EVEN
            and _EARLIEST <= len(sample.cells) < min(_LATEST, len(game.cells) - _BEFORE_THE_END)
        ]
        if fit:
            yield "".join(empty.name(point_of(empty, cell)) for cell in fit[chance.integers(len(fit))])


def looked(spec: str, nodes: int, rules: Rules, moves: str) -> tuple[float, int]:
    """The chance that a player sees in a position with so many nodes, and the point it chooses."""
    engine = player(spec)
    assert isinstance(engine, Engine)
    info = engine.analyse(Board.from_moves(moves, rules), Limit(nodes=nodes))[0]
    return info.score.win_rate, info.point


def seen(
    processes: ProcessPoolExecutor, spec: str, nodes: int, rules: Rules, chosen: Sequence[str]
) -> Seen:
    """What a player sees in all positions, as many searched at once as there are processors."""
    searched = processes.map(partial(looked, spec, nodes, rules), chosen, chunksize=4)
    found = list(counted(searched, f"{spec} {nodes}", len(chosen)))
    return Seen(np.array([one[0] for one in found]), np.array([one[1] for one in found], np.int64))


def main(
    count: int = COUNT, players: Sequence[str] = PLAYERS, deep: int = DEEP, nodes: Sequence[int] = NODES
) -> None:
    rules = Rules.named("freestyle")
    warm_up()
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        chosen = list(counted(islice(positions(rules), count), rules.name, count))
        truths = [seen(processes, spec, deep, rules, chosen) for spec in players]
        true = np.mean([truth.chances for truth in truths], axis=0)
        print(f"{rules.name}, {count} positions, against {deep} nodes")
        print(f"  {'':32}   nodes    error   from the first line   chose that move")
        first: Floats | None = None
        for spec in players:
            for limit in nodes:
                one = seen(processes, spec, limit, rules, chosen)
                errors = (one.chances - true) ** 2
                agreed = np.any([one.moves == truth.moves for truth in truths], axis=0)
                beside = ""
                if first is not None:
                    more = errors - first
                    beside = f"{more.mean():+.4f} ± {1.96 * more.std() / np.sqrt(count):.4f}"
                first = errors if first is None else first
                numbers = f"{errors.mean():.4f} {beside:>21} {100 * agreed.mean():15.1f} %"
                print(f"  {spec:32} {limit:7}   {numbers}")


@refusing
def command(arguments: Sequence[str]) -> int:
    """Compare the players that the command line names; the exit status."""
    options = parser("benchmarks.agreement", __doc__)
    options.add_argument("players", nargs="*", metavar="PLAYER", help="the engine, with what differs")
    options.add_argument("--quick", action="store_true", help="fewer positions")
    given = options.parse_args(arguments)
    for spec in given.players:
        if not isinstance(player(spec), Engine):
            print(f"{spec}: expected the engine, such as engine,weights=FOLDER", file=sys.stderr)
            return 2
    main(QUICK if given.quick else COUNT, given.players or PLAYERS)
    return 0


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:]))
