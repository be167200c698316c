"""A RenjuNet database: games a second, all of them and those of one player, and memory.

The database is made here: random games near the centre of the board, between made-up players.
"""

from __future__ import annotations

import io
import random
import time
import tracemalloc

from benchmarks.command_line import parser
from tengen import Board, Record
from tengen.formats import renjunet
from tengen.game.points import distance

GAMES = 20_000
DIFFERENT = 200
PLAYERS = 500
MOVES = 40
CENTRE = 112


def game(chance: random.Random) -> Board:
    """A random legal game of renju, most moves near the last one."""
    board = Board.from_moves([CENTRE], "renju")
    while board.outcome() is None and board.ply < MOVES:
        last = CENTRE if board.last is None else board.last
        near = sorted(board.legal_points(), key=lambda point: distance(point, last, board.width))
        board.push(near[int(30 * chance.random() ** 2) % len(near)])
    return board


def database(count: int, seed: int = 1) -> bytes:
    chance = random.Random(seed)
    boards = [game(chance) for _ in range(min(DIFFERENT, count))]
    records = []
    for number in range(count):
        black, white = chance.sample(range(PLAYERS), 2)
        headers = {
            "event": f"Tournament {number // 50}",
            "site": f"City {number // 50}, Country {number // 50 % 20}",
            "date": f"{1990 + number % 30}-05-17",
            "round": str(number % 7 + 1),
            "black": f"Player {black}",
            "white": f"Player {white}",
            "result": ("black", "white", "draw")[number % 3],
            "opening": f"Opening {number % 26}",
        }
        records.append(Record.from_board(boards[number % len(boards)], headers))
    return renjunet.write(records)


def measure(name: str, data: bytes, count: int, player: str | None = None) -> None:
    began = time.process_time()
    found = sum(1 for _ in renjunet.games(io.BytesIO(data), player=player))
    seconds = time.process_time() - began
    print(f"  {name:20}{count / seconds:>10,.0f} games/s, {found:,} of {count:,}, {seconds:.2f} s")


def main(count: int = GAMES) -> None:
    data = database(count)
    print(f"{count:,} games of up to {MOVES} moves, {len(data) / 1e6:.1f} MB; processor time")
    measure("all games", data, count)
    measure("games of one player", data, count, "player 17")
    stream = io.BytesIO(data)
    tracemalloc.start()
    for _ in renjunet.games(stream):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"  memory at the peak  {peak / 1e6:>10.1f} MB, the file left out")


if __name__ == "__main__":
    options = parser("benchmarks.renjunet", __doc__)
    options.add_argument("--count", type=int, default=GAMES, metavar="N", help="games, 20,000 if left out")
    main(options.parse_args().count)
