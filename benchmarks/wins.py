"""Whether wins by threats hold: each is replayed on the board, with every defence tried at every move.

The positions are the won ones of `benchmarks.tactics`, and then those `LAST` plies before the end of games
of the engine against itself, the same games each time, under four rules by turns; of both, those that the
solver wins by fours and threes with `NODES` nodes. Its line is played out; after each move of the winner
every reply that the rules allow is made, the solver is asked again with `AGAIN` nodes, and what it shows is
played by the rules of `tengen.game` to its end. A win holds where every one of these ends in a win.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice

from benchmarks.command_line import parser
from benchmarks.tactics import DATA
from benchmarks.threats import position
from tengen import Board, Engine, Limit, Rules, solve_vct
from tengen.arena.opening_sets import default_openings
from tengen.game.points import Point
from tengen.game.symmetry import canonical
from tengen.solver.warmup import warm_up

COUNT, QUICK = 100, 20
TOLD = 100
"""After so many wins it is told how far it is."""

RULES = ("freestyle", "standard", "renju", "caro")
GAMES = 1000
"""Openings of each of the rules: more than are needed."""

GAME_NODES = 1_000
"""Nodes a move in the games: few, so that they are not drawn and not all alike."""

LAST = range(7, 21)
"""How many plies before its end a position of a game is taken; nearer to it there is little to defend."""

NODES = 100_000
AGAIN = 1_000_000


@dataclass(frozen=True, slots=True)
class Replayed:
    """A win that was played out.

    Attributes:
        rules: their name.
        moves: the position.
        plies: of the line.
        by_fours: whether the line has no three.
        defences: that were tried.
        escaped: those after which no win was shown, as moves from the position.
        seconds: how long it took.
    """

    rules: str
    moves: str
    plies: int
    by_fours: bool
    defences: int
    escaped: tuple[str, ...]
    seconds: float


def replayed(board: Board) -> Replayed | None:
    """What becomes of the win of the side to move; None where the solver finds none."""
    began, attacker, begun = time.perf_counter(), board.turn, board.ply
    found = solve_vct(board, Limit(nodes=NODES))
    if found.winner is None:
        return None
    moves = named(board, board.moves)
    board, tried, escaped = board.copy(), 0, []
    for number, point in enumerate(found.line):
        board.push(point)
        if number % 2 or board.outcome() is not None:
            continue
        for reply in board.legal_points():
            tried += 1
            board.push(reply)
            if not _wins(board, attacker):
                escaped.append(named(board, board.moves[begun:]))
            board.pop()
    if not _won(board, attacker):
        escaped.append(named(board, found.line))
    seconds = time.perf_counter() - began
    by_fours = found.length == 2 * found.fours + 1
    return Replayed(board.rules.name, moves, found.length, by_fours, tried, tuple(escaped), seconds)


def _wins(board: Board, attacker: int) -> bool:
    """Whether the solver shows a win that can be played out; a foul that loses is one."""
    if board.outcome() is not None:
        return _won(board, attacker)
    found = solve_vct(board, Limit(nodes=AGAIN), attacker)
    return found.winner == attacker and _won(_after(board, found.line), attacker)


def _after(board: Board, line: Sequence[Point]) -> Board:
    after = board.copy()
    for point in line:
        after.push(point)
    return after


def _won(board: Board, attacker: int) -> bool:
    outcome = board.outcome()
    return outcome is not None and outcome.winner == attacker


def named(board: Board, points: Sequence[Point]) -> str:
    """Points as text."""
    return " ".join(map(board.name, points))


def positions() -> Iterator[Board]:
    """Positions that may be won: those of the file, and then those of games, without an end."""
    for line in DATA.read_text("utf-8").splitlines():
        yield position(json.loads(line))
    openings = {name: default_openings(Rules.named(name), GAMES) for name in RULES}
    for number in count():
        for name in RULES:
            yield from late(played(name, openings[name][number]))


def played(rules: str, opening: Sequence[Point]) -> Board:
    """The end of a game of the engine against itself from an opening."""
    board, engine = Board.from_moves(opening, rules), Engine(memory_mb=1)
    while board.outcome() is None:
        board.push(engine.choose(board, Limit(nodes=GAME_NODES)).point)
    return board


def late(board: Board) -> Iterator[Board]:
    """The positions of a game that are `LAST` plies before its end, the first of them first."""
    for plies in reversed(LAST):
        if plies < board.ply:
            yield Board.from_moves(board.moves[:-plies], board.rules)


def replays(boards: Iterable[Board]) -> Iterator[Replayed]:
    """The wins among some positions, one after the other; those that are symmetric count once."""
    known: set[tuple[str, bytes]] = set()
    for board in boards:
        key = board.rules.name, canonical(board)[0]
        if key in known:
            continue
        known.add(key)
        one = replayed(board)
        if one is not None:
            yield one


def told(name: str, wins: Sequence[Replayed]) -> str:
    """A line about some wins."""
    hold = sum(not one.escaped for one in wins)
    plies = max((one.plies for one in wins), default=0)
    return (
        f"  {name:9} {hold:,} of {len(wins):,} wins hold, {plies} plies at most, "
        f"{sum(one.by_fours for one in wins):,} by fours alone; "
        f"{sum(one.defences for one in wins):,} defences tried, "
        f"{sum(len(one.escaped) for one in wins)} not beaten; {sum(one.seconds for one in wins):,.0f} s"
    )


def main(most: int = COUNT) -> None:
    warm_up()
    wins: list[Replayed] = []
    for one in islice(replays(positions()), most):
        wins.append(one)
        for line in one.escaped:
            print(f"  not beaten ({one.rules}, after {one.moves}): {line}", flush=True)
        if len(wins) % TOLD == 0 and len(wins) < most:
            print(told("so far", wins), flush=True)
    for rules in sorted({one.rules for one in wins}):
        print(told(rules, [one for one in wins if one.rules == rules]))
    print(told("all", wins), flush=True)


if __name__ == "__main__":
    options = parser("benchmarks.wins", __doc__)
    options.add_argument(
        "--count", type=int, default=COUNT, metavar="N", help=f"how many are replayed, {COUNT} if left out"
    )
    options.add_argument("--quick", action="store_true", help=f"{QUICK} of them")
    given = options.parse_args()
    main(QUICK if given.quick else given.count)
