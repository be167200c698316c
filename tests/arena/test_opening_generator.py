from __future__ import annotations

import random
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import islice
from threading import Event, Timer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import WHITE, Board, Rules, executors
from tengen.arena.opening_generator import default_plies, make_openings, shape, shapes
from tengen.arena.opening_judge import BOUND, ENGINE, Candidate, Judge, is_quiet, judged
from tengen.game.points import distance
from tengen.game.rules import NAMES
from tengen.game.symmetry import canonical
from tengen.players.random import Random as RandomPlayer
from tests.errors import key_of
from tests.strategies import rules as any_rules
from tests.symmetric import duplicates

pytestmark = pytest.mark.usefixtures("compiled")

FREESTYLE = Rules.named("freestyle")
QUICK: dict[str, Any] = {"judge": "level:2", "playouts": 2}
ENGINE_QUICK: dict[str, Any] = {"judge": "engine,nodes=1000"}


def made(rules: Rules = FREESTYLE, count: int = 4, **options: Any) -> list[tuple[int, ...]]:
    return list(make_openings(rules, count, **{**QUICK, **options}))


def by_engine(count: int, **options: Any) -> list[tuple[int, ...]]:
    return list(make_openings(FREESTYLE, count, **{**ENGINE_QUICK, **options}))


# -- what is made


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in NAMES if name != "tictactoe"])
@pytest.mark.parametrize("judging", [QUICK, ENGINE_QUICK], ids=["level", "engine"])
def test_openings_are_quiet_positions_of_three_to_eight_stones(name, judging):
    rules = Rules.named(name)
    openings = list(make_openings(rules, 3, seed=3, **judging))
    assert len(openings) == 3
    assert duplicates(openings, rules) == []
    for opening in openings:
        assert 3 <= len(opening) <= 8
        assert is_quiet(Board.from_moves(opening, rules))


@pytest.mark.long
def test_the_same_seed_makes_the_same_openings():
    openings = made(seed=5, count=3)
    assert made(seed=5, count=4)[:3] == openings
    assert made(seed=6, count=3) != openings


@pytest.mark.long
@pytest.mark.parametrize("make", [made, by_engine])
def test_threads_make_no_difference(make):
    alone = make(seed=5, count=4)
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as pool:
            assert make(seed=5, count=4, pool=pool, slots=workers) == alone


@pytest.mark.long
@pytest.mark.parametrize("make", [made, by_engine])
def test_processes_make_no_difference(make):
    alone = make(seed=7, count=3)
    with executors.open_workers("processes", 2) as workers:
        pool = workers.caller("openings")
        assert make(seed=7, count=3, pool=pool, slots=workers.slots) == alone


@pytest.mark.long
def test_as_many_stones_as_are_asked_for():
    assert {len(opening) for opening in made(plies=(4, 4))} == {4}
    assert made(plies=(0, 0), count=1, judge="random") == [()]
    assert {len(opening) for opening in made(plies=(5, 6), count=12)} == {5, 6}


def test_fewer_stones_where_fewer_in_a_row_win():
    assert default_plies(Rules.named("renju")) == (3, 8)
    assert default_plies(Rules.mnk(7, 6, 4)) == (2, 5)
    assert default_plies(Rules.named("tictactoe")) == (0, 2)
    assert default_plies(Rules.mnk(5, 5, 5)) == (3, 6)
    assert default_plies(Rules.mnk(1, 1, 1)) == (0, 0)


@pytest.mark.long
def test_progress_counts_shapes_and_openings():
    seen = []
    openings = made(progress=lambda tried, kept: seen.append((tried, kept)))
    assert [tried for tried, _ in seen] == list(range(1, len(seen) + 1))
    assert sorted({kept for _, kept in seen} - {0}) == [1, 2, 3, 4]
    assert len(openings) == seen[-1][1]


# -- shapes


@given(any_rules(st.integers(1, 15)), st.integers(0, 8), st.randoms(use_true_random=False))
def test_the_stones_of_a_shape_neither_win_nor_are_fouls(rules, stones, numbers):
    opening = shape(rules, numbers, stones)
    if opening is None:
        return
    board = Board(rules)
    for point in opening:
        assert board.turn == WHITE or board.foul(point) is None
        board.push(point)
        assert board.outcome() is None
    assert board.ply == stones


def test_every_stone_is_near_another_and_the_first_near_the_centre():
    for number in range(50):
        opening = shape(FREESTYLE, random.Random(number), 6)
        assert opening is not None
        assert distance(opening[0], FREESTYLE.points // 2, 15) <= 3
        for place, point in enumerate(opening[1:], 1):
            assert min(distance(point, other, 15) for other in opening[:place]) <= 3


def test_renju_begins_in_the_centre():
    rules = Rules.named("renju")
    firsts = {opening[0] for opening in islice(shapes(rules, 1, (3, 5)), 50) if opening}
    assert firsts == {112}


def test_under_renju_the_first_five_stones_lie_as_in_taraguchi_10():
    rules = Rules.named("renju")
    found = [opening for opening in islice(shapes(rules, 1, (3, 8)), 600) if opening]
    for opening in found:
        for ply, point in enumerate(opening[:5]):
            assert distance(point, 112, 15) <= ply
    # The 26 openings of the tournament rules, and each of them.
    assert len({canonical(Board.from_moves(opening[:3], rules))[0] for opening in found}) == 26


def test_an_even_number_of_stones_may_be_drawn_more_often():
    def share(even: int) -> float:
        lengths = [len(opening) for opening in islice(shapes(FREESTYLE, 1, (3, 8), even), 600) if opening]
        assert set(lengths) == {3, 4, 5, 6, 7, 8}
        return sum(stones % 2 == 0 for stones in lengths) / len(lengths)

    assert 0.4 < share(1) < 0.6 < share(2) < 0.75


def test_a_shape_that_was_there_before_is_no_new_one():
    rules = Rules.mnk(7, 7, 5)
    found = list(islice(shapes(rules, 0, (0, 2)), 300))
    openings = [opening for opening in found if opening is not None]
    keys = [canonical(Board.from_moves(opening, rules))[0] for opening in openings]
    assert len(set(keys)) == len(keys) < 300


def test_no_shape_where_every_stone_would_win():
    assert shape(Rules.mnk(3, 3, 1), random.Random(0), 1) is None
    assert list(islice(shapes(Rules.mnk(3, 3, 1), 0, (0, 1)), 20)).count(()) == 1


# -- what is kept


@pytest.mark.long
def test_unless_told_otherwise_the_engine_judges():
    assert list(make_openings(FREESTYLE, 1, seed=2)) == by_engine(1, seed=2, judge=ENGINE, bound=BOUND)


@pytest.mark.long
def test_more_nodes_or_a_smaller_bound_choose_others():
    openings = by_engine(6)
    assert by_engine(6, bound=10) != openings
    assert by_engine(6, judge="engine,nodes=3000") != openings


@pytest.mark.long
@pytest.mark.parametrize("most", [40, 400])
def test_openings_lean_to_both_sides(most):
    """Few positions with a score of up to 400 are better for White, but half of the openings are."""
    openings = by_engine(16, bound=most)
    judge = Judge("engine,nodes=1000", bound=most)
    ahead = [judged(Candidate(FREESTYLE, opening, judge)) for opening in openings]
    leans = [(value > 0) - (value < 0) for value in ahead if value is not None]
    assert len(leans) == 16
    assert all(abs(sum(leans[:count])) <= 3 for count in range(17))


# -- stopping


@pytest.mark.long
@pytest.mark.parametrize("slots", [0, 2])
def test_stopped_it_gives_what_it_has(slots):
    stop = Event()

    def progress(_: int, kept: int) -> None:
        if kept == 2:
            stop.set()

    whole = made(seed=5, count=6)
    with ThreadPoolExecutor(2) as pool:
        openings = made(
            seed=5, count=6, progress=progress, stop=stop, pool=pool if slots else None, slots=slots
        )
    assert openings == whole[:2]


@pytest.mark.parametrize(
    "judging", [{"judge": "mcts,playouts=100000000", "playouts": 2}, {"judge": "engine,nodes=1000000000"}]
)
def test_stopped_while_the_judge_thinks(judging):
    stop = Event()
    Timer(0.2, stop.set).start()
    assert list(make_openings(FREESTYLE, 4, stop=stop, **judging)) == []


class Watched(ThreadPoolExecutor):
    """Keeps the futures it gives."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.futures: list[Future[Any]] = []

    def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
        self.futures.append(super().submit(*args, **kwargs))
        return self.futures[-1]


def test_what_is_not_needed_any_more_is_called_off():
    with Watched(1) as pool:
        openings = make_openings(FREESTYLE, 100, pool=pool, slots=5, **QUICK)
        next(openings)
        openings.close()
        assert any(future.cancelled() for future in pool.futures)
        waiting = [future for future in pool.futures if not (future.done() or future.running())]
    assert waiting == []


# -- what cannot be done


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"count": 0}, "error.arena.openings.count"),
        ({"playouts": 3}, "error.arena.openings.playouts"),
        ({"playouts": 0}, "error.arena.openings.playouts"),
        ({"plies": (5, 3)}, "error.arena.openings.plies"),
        ({"plies": (-1, 3)}, "error.arena.openings.plies"),
        ({"plies": (3, 225)}, "error.arena.openings.plies"),
        ({"judge": "minimax,depth=2"}, "error.arena.openings.judge"),
        ({"judge": "level:2,seed=3"}, "error.spec.twice"),
        ({"judge": "nobody"}, "error.spec.name"),
    ],
)
def test_errors_come_at_once(options, key):
    settings = {"count": 4, **QUICK, **options}
    assert key_of(lambda: make_openings(FREESTYLE, **settings)) == key


class Broken(RandomPlayer):
    """A judge that raises what nobody expects."""

    def choose(self, *args: Any, **kwargs: Any) -> Any:
        raise ZeroDivisionError("no\nmove")


class Cheat(RandomPlayer):
    """A judge that places a stone on another one."""

    def choose(self, board: Board, *args: Any, **kwargs: Any) -> Any:
        taken = board.moves[0] if board.moves else 0
        return type(super().choose(board))(taken)


@pytest.mark.parametrize(("name", "reason"), [("Broken", "no"), ("Cheat", "is occupied")])
@pytest.mark.parametrize("threads", [0, 2])
def test_a_judge_that_fails_ends_it(name, reason, threads):
    pool: Executor | None = ThreadPoolExecutor(threads) if threads else None
    openings = make_openings(FREESTYLE, 2, judge=f"py:{__name__}:{name}", pool=pool, slots=threads)
    with pytest.raises(ValueError, match=f"the judge random,seed=[0-9]+ failed: .*{reason}$"):
        next(openings)
    if pool is not None:
        pool.shutdown()


def test_where_nothing_is_even_it_gives_up():
    # Black makes a row of three whatever White does, and after any first stone soon.
    openings = make_openings(Rules.mnk(8, 8, 3), 3, plies=(1, 3), **QUICK)
    assert key_of(lambda: list(openings)) == "error.arena.openings.few"
