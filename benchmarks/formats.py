"""How fast files are read and written: games a second, on generated files.

Another format adds a function to `MEASURES`; a figure stands in the line that it prints.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence

from benchmarks.command_line import parser
from tengen import Board, Record, Rules
from tengen.formats import jsonformat, psq, sgf
from tengen.formats.common import ReadResult

ROUNDS = 5
GAMES = 300
MOVES = 60


def games(count: int, rules: Rules, seed: int = 1) -> list[Record]:
    """Games of random moves that nobody wins, with names, times and a comment every ten moves."""
    source = random.Random(seed)
    made: list[Record] = []
    while len(made) < count:
        board = Board(rules)
        for point in source.sample(range(rules.points), rules.points):
            if board.outcome() is not None or board.ply == MOVES:
                break
            if board.is_legal(point):
                board.push(point)
        record = Record.from_board(board, {"black": "Black", "white": "White", "result": "draw"})
        for number, node in enumerate(record.main_line()):
            node.seconds = source.randrange(1, 60_000) / 1000
            node.comment = "" if number % 10 else "A comment, 二十来个字的评注。"
        made.append(record)
    return made


def tree(count: int) -> Record:
    """One game of so many nodes, with ten continuations wherever there is room."""
    record = Record()
    nodes = [record.root]
    while len(nodes) <= count:
        parent = nodes[(len(nodes) - 1) // 10]
        used = set(parent.path()) | {child.point for child in parent.children}
        nodes.append(parent.add(next(point for point in range(225) if point not in used)))
    return record


def seconds(call: Callable[[], object]) -> float:
    """The median processor time of a call, over some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times)


def show(name: str, size: int, count: int, unit: str, reading: float, writing: float) -> None:
    rate = f"read {count / reading:>9,.0f}  write {count / writing:>9,.0f} {unit} a second"
    print(f"  {name:22} {rate}  ({size / reading / 1e6:.1f} MB/s read)")


def collection(
    name: str,
    records: Sequence[Record],
    read: Callable[[bytes], ReadResult],
    write: Callable[[Sequence[Record]], bytes],
) -> None:
    """A format that holds many games in a file."""
    data = write(records)
    assert len(read(data).records) == len(records)
    show(
        name, len(data), len(records), "games", seconds(lambda: read(data)), seconds(lambda: write(records))
    )


def psq_games() -> None:
    records = games(GAMES, Rules.named("freestyle"))
    files = [psq.write([record]) for record in records]
    reading = seconds(lambda: [psq.read(data) for data in files])
    writing = seconds(lambda: [psq.write([record]) for record in records])
    show("psq", sum(map(len, files)), len(files), "games", reading, writing)


def sgf_games() -> None:
    for rules in ("freestyle", "renju"):
        collection(f"SGF, {rules}", games(GAMES, Rules.named(rules)), sgf.read, sgf.write)


def sgf_tree() -> None:
    record = tree(50_000)
    data = sgf.write([record])
    reading, writing = seconds(lambda: sgf.read(data)), seconds(lambda: sgf.write([record]))
    show("SGF, one tree", len(data), 50_000, "nodes", reading, writing)


def json_games() -> None:
    collection("JSON", games(GAMES, Rules.named("freestyle")), jsonformat.read, jsonformat.write)


MEASURES: tuple[Callable[[], None], ...] = (psq_games, sgf_games, sgf_tree, json_games)


def main() -> None:
    print(f"{GAMES} games of {MOVES} moves on 15x15, processor time, median of {ROUNDS} rounds")
    for measure in MEASURES:
        measure()


if __name__ == "__main__":
    parser("benchmarks.formats", __doc__).parse_args()
    main()
