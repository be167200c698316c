"""Small m,n,k games solved: every m, n and k up to five, and larger ones as far as some time reaches.

Without games, those of docs/solved.md, whose tables are what is printed. One core; the kernel is compiled
before. Each game has a process of its own, so that its memory can be told.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from benchmarks.command_line import parser, refusing
from tengen import Board, Limit, solve_exact
from tengen.game.symmetry import symmetries
from tengen.solver.results import Exact

SIDES = [(m, n) for m in range(1, 6) for n in range(1, m + 1)]
SMALL = tuple(f"{m},{n},{k}" for k in range(1, 6) for m, n in SIDES)
LARGER = ("6,5,4", "6,6,4", "7,6,4", "6,6,5", "7,6,5", "7,7,5", "8,7,5", "8,8,5")

LITERATURE = {
    "3,3,3": "draw",
    "4,3,3": "win",
    "4,4,4": "draw",
    "5,5,4": "draw",
    "6,5,4": "win",
    "5,5,5": "draw",
    "6,6,5": "draw",
    "7,7,5": "draw",
    "8,8,5": "draw",
}
"""J. Uiterwijk and J. van den Herik, "The advantage of the initiative", Information Sciences 122, 2000.

(7,7,5) and (8,8,5): W.-Y. Hsu, C.-L. Ko, J.-C. Chen, T.-H. Wei, C.-H. Hsueh, I-C. Wu, "On solving the
7,7,5-game and the 8,8,5-game", Theoretical Computer Science 815, 2020.
"""

COLUMNS = (
    "Game",
    "Value",
    "Literature",
    "Plies",
    "First points",
    "Positions, value",
    "Time",
    "Positions, all",
    "Time",
    "Memory",
)

SECONDS = 240.0
_MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Solved:
    """What is known of a game from the empty board.

    Attributes:
        value: the answer for the value alone.
        whole: the answer with distance and best points.
        memory: megabytes that the process took more than before, at most; None where that is not known.
    """

    value: Exact
    whole: Exact
    memory: float | None = None


def empty(game: str) -> Board:
    """The empty board of a game written ``m,n,k``."""
    return Board(f"mnk:{game}")


def solved(game: str, seconds: float, memory_mb: int) -> Solved:
    """A game, solved in this process."""
    limit = Limit(seconds=seconds)
    value = solve_exact(empty(game), limit, memory_mb=memory_mb, value_only=True)
    whole = value if value.value is None else solve_exact(empty(game), limit, memory_mb=memory_mb)
    return Solved(value, whole)


def solved_alone(game: str, seconds: float, memory_mb: int) -> Solved:
    """The same, in a process that has solved nothing yet."""
    solve_exact(empty("3,3,3"))
    before = peak()
    found = solved(game, seconds, memory_mb)
    return Solved(found.value, found.whole, peak() - before)


def peak() -> float:
    """The most megabytes that this process has taken."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (_MEGABYTE if sys.platform == "darwin" else 1024)


def named(found: Exact) -> str:
    """The value in words, for the first player."""
    if found.value is not None:
        return ("loss", "draw", "win")[found.value + 1]
    return {(0, 1): "no loss", (-1, 0): "no win"}.get(found.bounds, "?")


def first_points(game: str, found: Exact) -> str:
    """One of each class of symmetric points that keep the value, and whether there may be more."""
    board = empty(game)
    if found.complete and len(found.best) == board.rules.points:
        return "all"
    images = symmetries(board.width, board.height)
    points = [point for point in found.best if point == min(image[point] for image in images)]
    return " ".join([*(board.name(point) for point in points), *(() if found.complete else ("...",))])


def row(game: str, found: Solved) -> str:
    """A row of the table of docs/solved.md."""
    value, whole = found.value, found.whole
    length = "" if not value.value else str(whole.distance or "?")
    cells = (
        f"({game})",
        named(value),
        LITERATURE.get(game, "" if game in SMALL else "not found"),
        length,
        first_points(game, whole),
        f"{value.positions:,}",
        took(value.seconds),
        f"{whole.positions:,}" + ("" if whole.complete else "+"),
        took(whole.seconds) + ("" if whole.complete else "+"),
        "" if found.memory is None else size(found.memory),
    )
    return "| " + " | ".join(cells) + " |"


def took(seconds: float) -> str:
    """A time, in the unit that suits it."""
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def size(megabytes: float) -> str:
    """An amount of memory, with a decimal where it is small."""
    return f"{megabytes:.1f} MB" if megabytes < 10 else f"{megabytes:,.0f} MB"


def table(games: Sequence[str], seconds: float, memory_mb: int) -> None:
    """Solve games one after the other, and print their rows."""
    print(f"| {' | '.join(COLUMNS)} |")
    print("|---|---|---|--:|---|--:|--:|--:|--:|--:|")
    for game in games:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
            print(row(game, processes.submit(solved_alone, game, seconds, memory_mb).result()), flush=True)


def main(
    games: Sequence[str] = (), seconds: float = SECONDS, memory_mb: int = 1024, quick: bool = False
) -> None:
    solve_exact(empty("3,3,3"))
    for some in [games] if games else [SMALL] if quick else [SMALL, LARGER]:
        table(some, seconds, memory_mb)
        print(flush=True)


@refusing
def command(arguments: Sequence[str]) -> int:
    """Solve the games that the command line names; the exit status."""
    options = parser("benchmarks.solved", __doc__)
    options.add_argument("games", nargs="*", metavar="M,N,K")
    options.add_argument(
        "--seconds",
        type=float,
        default=SECONDS,
        help=f"for each of the two times of a game; {SECONDS:.0f} if left out",
    )
    options.add_argument("--memory", type=int, default=1024, metavar="MB", help="1024 if left out")
    options.add_argument("--quick", action="store_true", help="the larger ones left out")
    given = options.parse_args(arguments)
    for game in given.games:
        empty(game)
    main(given.games, given.seconds, given.memory, given.quick)
    return 0


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:]))
