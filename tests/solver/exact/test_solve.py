"""Exact values: those of a plain search to the end, and nothing said that is not proven."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tengen
from tengen import BLACK, WHITE, Board, GameOver, Limit, Rules, RulesError, TengenError
from tengen.executors.running_search import Search
from tengen.formats.files import FileError
from tengen.game.symmetry import symmetries, transform
from tengen.solver.results import ExactProgress
from tests.solver.brute_force import BruteForce
from tests.solver.exact_oracle import ExactOracle

pytestmark = pytest.mark.usefixtures("compiled")

LONG = "mnk:8,8,5"
"""Takes hours."""


def same(board: Board, oracle: BruteForce | ExactOracle, **how: Any) -> None:
    """Check an answer against all games, played to the end."""
    found = tengen.solve_exact(board, **how)
    assert (found.value, found.distance) == oracle.value(board)
    assert (found.best, found.complete) == (oracle.best(board), True)
    assert found.bounds == (found.value, found.value)
    assert found.positions > 0


@pytest.mark.parametrize(
    "game",
    [
        *((m, n, k) for m in (1, 2, 3) for n in (1, 2, 3) for k in (1, 2, 3, 4)),
        *((4, 2, k) for k in (2, 3, 4)),
        *((4, 3, k) for k in (1, 2)),
        (3, 4, 2),
        (6, 1, 3),
        (1, 9, 2),
        (5, 2, 2),
        (4, 4, 1),
    ],
)
def test_small_games_from_the_empty_board(game):
    same(Board(Rules.mnk(*game)), ExactOracle())


def reached(rules: Rules, count: int) -> list[Board]:
    """Positions of random games that are not over, the empty board first; the same ones each time."""
    chance, boards = random.Random(f"{rules.width} {rules.height} {rules.k}"), [Board(rules)]
    while len(boards) < count:
        board = Board(rules)
        for _ in range(chance.randrange(rules.points)):
            if board.outcome() is None:
                board.push(chance.choice(board.legal_points()))
        if board.outcome() is None:
            boards.append(board)
    return boards


@pytest.mark.parametrize(
    ("m", "n", "k", "count"),
    [
        *((m, n, k, 100) for m, n in ((4, 3), (3, 4)) for k in (2, 3, 4)),
        *(pytest.param(4, 4, k, 2000, marks=pytest.mark.slow) for k in (2, 3, 4)),
    ],
)
def test_games_up_to_four_by_four_are_those_of_brute_force(m, n, k, count):
    known = BruteForce(m, n, k)
    for board in reached(Rules.mnk(m, n, k), count):
        same(board, known)


@st.composite
def positions(draw: st.DrawFn) -> Board:
    """Few points are free, the stones stand anywhere, one side may have more, and nobody has won."""
    width, height = draw(st.sampled_from([(4, 4), (4, 3), (5, 4), (5, 5), (3, 7), (7, 7), (8, 8), (16, 4)]))
    k = draw(st.integers(2, 5))
    points = draw(st.permutations(range(width * height)))
    stones = points[draw(st.integers(3, 8)) :]
    black = len(stones) // 2 + draw(st.integers(-2, 2))
    assume(0 <= black <= len(stones))
    # At random a large board has lines of everybody: the colours alternate, so that there are fewer.
    stones = sorted(stones, key=lambda point: (point % width // 2 + point // width) % 2)
    swapped = draw(st.lists(st.integers(0, len(stones) - 1), max_size=12))
    sides = [1] * black + [0] * (len(stones) - black)
    for place in swapped:
        sides[place], sides[place - 1] = sides[place - 1], sides[place]
    first, second = (
        [point for point, side in zip(stones, sides, strict=True) if side == one] for one in (1, 0)
    )
    board = Board.from_stones(
        first, second, draw(st.sampled_from((BLACK, WHITE))), Rules.mnk(width, height, k)
    )
    assume(board.outcome() is None)
    return board


@pytest.mark.long
@settings(max_examples=120)
@given(positions())
def test_positions_with_few_free_points(board):
    same(board, ExactOracle(), memory_mb=1)


ENDINGS = [
    # m, n, k, the stones row by row from the bottom, who is to move, the value and the distance.
    (6, 4, 4, "022012110011210012020020", BLACK, 0, 10),
    (5, 5, 4, "1000210011222101100222201", BLACK, 0, 9),
    (5, 5, 4, "2210001120120122002210101", BLACK, 1, 5),
    (7, 4, 4, "0000121210010011220212221210", BLACK, 1, 5),
    (6, 4, 4, "212201110020220121021000", WHITE, 1, 5),
    (5, 4, 4, "00101100022022210120", BLACK, -1, 6),
    (6, 4, 4, "110022200011210220010210", WHITE, -1, 6),
]


@pytest.mark.parametrize(("m", "n", "k", "stones", "turn", "value", "distance"), ENDINGS)
def test_positions_with_more_to_do(m, n, k, stones, turn, value, distance):
    black, white = ([at for at, one in enumerate(stones) if int(one) == side] for side in (BLACK, WHITE))
    board, oracle = Board.from_stones(black, white, turn, Rules.mnk(m, n, k)), ExactOracle()
    assert oracle.value(board) == (value, distance)
    same(board, oracle)


@pytest.mark.parametrize(
    ("game", "value", "distance"),
    [
        ("3,3,3", 0, 9),
        ("4,3,3", 1, 7),
        ("4,4,3", 1, 5),
        ("4,4,4", 0, 16),
        ("5,4,4", 0, 20),
        ("5,5,4", 0, 25),
        ("5,5,5", 0, 25),
        ("6,6,5", 0, 36),
        ("6,5,4", 1, 11),
        ("6,6,4", 1, 11),
    ],
)
def test_games_whose_value_is_known(game, value, distance):
    """From the literature; the distances of the wins are those that a search without any bounds finds."""
    found = tengen.solve_exact(Board(f"mnk:{game}"))
    assert (found.value, found.distance, found.complete) == (value, distance, True)


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_the_second_player_never_wins_from_the_empty_board(k):
    for m in range(1, 6):
        for n in range(1, m + 1):
            found = tengen.solve_exact(Board(Rules.mnk(m, n, k)))
            assert found.value in (0, 1)
            assert found.best


@pytest.mark.parametrize("moves", ["b2", "a1 b2", "a1 c2 b3"])
def test_symmetric_positions_have_the_same_value(moves):
    board = Board.from_moves(moves, "mnk:4,4,4")
    found = tengen.solve_exact(board)
    for symmetry in symmetries(4, 4):
        image = tengen.solve_exact(transform(board, symmetry))
        assert (image.value, image.distance) == (found.value, found.distance)
        assert set(image.best) == {symmetry[point] for point in found.best}


@pytest.mark.parametrize(("game", "moves"), [("4,3,3", ""), ("6,5,4", "c3a1d3")])
def test_a_win_is_played_out_in_its_distance(game, moves):
    """After the best of a side's moves the distance is one ply less, and at last comes a line."""
    board = Board.from_moves(moves, f"mnk:{game}")
    found = tengen.solve_exact(board)
    winner = board.turn if found.value == 1 else 3 - board.turn
    assert found.value
    while board.outcome() is None:
        found = tengen.solve_exact(board)
        after = {}
        for point in found.best:
            board.push(point)
            after[point] = 0 if board.outcome() else tengen.solve_exact(board).distance or 0
            board.pop()
        point = (min if found.value == 1 else max)(after, key=lambda one: after[one])
        assert after[point] + 1 == found.distance
        board.push(point)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == winner


@pytest.mark.parametrize(
    "rules",
    [
        Rules.named("tictactoe"),
        Rules.named("standard", (5, 2)),
        Rules.named("caro", (5, 2)),
        Rules.mnk(3, 3, 3),
        Rules(3, 3, 3, overline="foul"),
        Rules(4, 2, 3, blocked_five="no_win"),
    ],
)
def test_rules_that_come_to_the_same(rules):
    same(Board(rules), ExactOracle())


@pytest.mark.parametrize("name", ["freestyle", "standard", "caro"])
def test_five_in_a_row_on_five_by_five(name):
    found = tengen.solve_exact(Board(Rules.named(name, 5)))
    assert (found.value, found.complete) == (0, True)


@pytest.mark.parametrize(
    "rules",
    [
        Rules.named("standard", 6),
        Rules.named("caro", (5, 7)),
        Rules.named("renju", 5),
        Rules(4, 4, 3, overline="no_win"),
        Rules(5, 3, 3, blocked_five="no_win"),
        Rules(3, 3, 3, passing=True),
        Rules.mnk(13, 5, 4),
    ],
)
def test_other_rules_are_refused(rules):
    with pytest.raises(RulesError):
        tengen.solve_exact(Board(rules))


def test_what_cannot_be_asked():
    with pytest.raises(GameOver):
        tengen.solve_exact(Board.from_moves("a1a2b1b2c1", "tictactoe"))
    sizes: tuple[Any, ...] = (0, 1.5, "64", 1 << 18)
    for memory in sizes:
        with pytest.raises(TengenError, match="megabytes"):
            tengen.solve_exact(Board("tictactoe"), memory_mb=memory)


@pytest.mark.parametrize("moves", ["", "a1", "c3 d4 d3"])
@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(nodes=300), Limit(seconds=0.01), Limit(depth=4)])
def test_a_limit_is_no_value(limit, moves):
    """What is not ruled out holds the truth, and the points that are said to be best are."""
    board = Board.from_moves(moves, "mnk:6,5,4")
    whole = tengen.solve_exact(board)
    found = tengen.solve_exact(board, limit)
    low, high = found.bounds
    assert whole.value is not None
    assert low <= whole.value <= high
    assert (found.value is None) == (low < high)
    assert set(found.best) <= set(whole.best)
    assert found.distance in (None, whole.distance)
    assert not found.complete or found.best == whole.best
    if limit.nodes:
        assert found.positions <= limit.nodes
        assert found.value is None


def test_a_long_search_is_not_known():
    found = tengen.solve_exact(Board(LONG), Limit(nodes=2000))
    assert (found.value, found.best, found.complete, found.distance) == (None, (), False, None)
    assert found.bounds == (0, 1)
    whole = tengen.solve_exact(Board("mnk:6,6,5"), Limit(depth=6))
    assert (whole.value, whole.bounds) == (None, (0, 1))


def test_the_value_alone():
    found = tengen.solve_exact(Board("mnk:4,3,3"), value_only=True)
    assert (found.value, found.best, found.complete) == (1, (), False)
    draw = tengen.solve_exact(Board("mnk:4,4,4"), value_only=True)
    assert (draw.value, draw.distance) == (0, 16)


def test_a_stop_signal_ends_it():
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    assert tengen.solve_exact(Board(LONG), stop=stop).value is None


def test_it_tells_how_far_it_is():
    search = Search.start(tengen.solve_exact, Board(LONG))
    told: list[Any] = []
    for one in search:
        told.append(one)
        if told[-1].positions > told[0].positions:
            search.hurry()
    assert all(isinstance(one, ExactProgress) and 0 <= one.share <= 1 for one in told)
    assert told[-1].positions > told[0].positions
    assert told[-1].aim == "value"


def test_the_memory_is_bounded_and_little_is_enough():
    from tengen.solver.exact.search import table_sizes
    from tengen.solver.exact.table import new_exact_table

    for megabytes in (1, 2, 3, 33, 64, 100, 1000, 5000):
        sizes = table_sizes(megabytes)
        assert max(map(sum, zip([0, *sizes], sizes, strict=False))) <= megabytes
        assert sizes[-1] >= megabytes // 2
    assert new_exact_table(3).nbytes <= 3 << 20
    board = Board("mnk:6,5,4")
    little, much = (tengen.solve_exact(board, memory_mb=megabytes) for megabytes in (1, 64))
    assert (little.value, little.distance, little.best) == (much.value, much.distance, much.best)


@pytest.mark.long
def test_it_goes_on_from_a_file(tmp_path: Path):
    file, board = tmp_path / "table", Board("mnk:5,5,4")
    whole = tengen.solve_exact(board)
    half = tengen.solve_exact(board, Limit(nodes=whole.positions // 2), resume=file)
    assert not half.complete
    rest = tengen.solve_exact(board, resume=file)
    assert (rest.value, rest.best, rest.complete) == (whole.value, whole.best, True)
    assert rest.positions < whole.positions * 0.8
    again = tengen.solve_exact(board, resume=file, memory_mb=8)
    assert (again.value, again.complete) == (0, True)
    assert again.positions < 200
    later = Board.from_moves("c3", board.rules)
    assert tengen.solve_exact(later, resume=str(file)).value == 0
    assert [one.name for one in tmp_path.iterdir()] == ["table"]


def test_a_file_that_does_not_fit_is_refused(tmp_path: Path):
    file = tmp_path / "table"
    tengen.solve_exact(Board("mnk:4,3,3"), resume=file)
    with pytest.raises(FileError, match="another game"):
        tengen.solve_exact(Board("mnk:4,4,3"), resume=file)
    kept = file.read_bytes()
    for place in (0, len(kept) // 2, len(kept) - 1):
        file.write_bytes(kept[:place] + bytes([kept[place] ^ 1]) + kept[place + 1 :])
        with pytest.raises(FileError, match="damaged"):
            tengen.solve_exact(Board("mnk:4,3,3"), resume=file)
    for part in (kept[:20], kept[:-1], b"{}\n" * 30):
        file.write_bytes(part)
        with pytest.raises(FileError, match="damaged"):
            tengen.solve_exact(Board("mnk:4,3,3"), resume=file)
    for path in (tmp_path, tmp_path / "nowhere" / "table"):
        with pytest.raises(FileError, match="cannot be written"):
            tengen.solve_exact(Board("mnk:4,3,3"), resume=path)
