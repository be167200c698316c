from __future__ import annotations

import random
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import islice
from threading import Event, Timer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Rules, executors, player
from tengen.arena.books import duplicates
from tengen.arena.openings import Candidate, default_plies, is_quiet, judged, make_openings, shape, shapes
from tengen.game.points import distance
from tengen.game.rules import NAMES
from tengen.game.symmetry import canonical
from tengen.players.random import Random as RandomPlayer
from tengen.players.registry import SpecError
from tests.errors import key_of
from tests.positions import drawn
from tests.strategies import rules as any_rules

FREESTYLE = Rules.named("freestyle")
QUICK: dict[str, Any] = {"judge": "level:2", "playouts": 2}


def made(rules: Rules = FREESTYLE, count: int = 4, **options: Any) -> list[tuple[int, ...]]:
    return list(make_openings(rules, count, **{**QUICK, **options}))


# -- what is made


@pytest.mark.parametrize("name", [name for name in NAMES if name != "tictactoe"])
def test_openings_are_quiet_positions_of_three_to_eight_stones(name):
    rules = Rules.named(name)
    openings = made(rules, 3, seed=3)
    assert len(openings) == 3
    assert duplicates(openings, rules) == []
    for opening in openings:
        assert 3 <= len(opening) <= 8
        assert is_quiet(Board.from_moves(opening, rules))


def test_the_same_seed_makes_the_same_openings():
    openings = made(seed=5, count=3)
    assert made(seed=5, count=4)[:3] == openings
    assert made(seed=6, count=3) != openings


def test_threads_make_no_difference():
    alone = made(seed=5)
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as pool:
            assert made(seed=5, pool=pool, slots=workers) == alone


def test_processes_make_no_difference():
    alone = made(seed=7, count=3)
    with executors.open_workers("processes", 2) as workers:
        pool = workers.caller("openings")
        assert made(seed=7, count=3, pool=pool, slots=workers.slots) == alone


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


@pytest.mark.parametrize("turn", [BLACK, WHITE])
def test_a_position_is_not_quiet_if_either_side_wins_by_fours(turn):
    picture = """
        . . . . . . . . .
        . . X . . . . . .
        . . X . . . . . .
        . . X . . . O . .
        . . . . . . . . .
        . . . . . O . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    board, _ = drawn(picture, rules="freestyle", turn=turn)
    assert not is_quiet(board)
    spoilt, _ = drawn(picture.replace("X", ".", 1), rules="freestyle", turn=turn)
    assert is_quiet(spoilt)


def test_a_position_is_not_quiet_once_the_game_is_over():
    assert not is_quiet(Board.from_moves("a1a2b1b2c1", rules="tictactoe"))
    assert is_quiet(Board("tictactoe"))


def test_the_judge_plays_both_colours_with_two_seeds_a_pair():
    """Judging is playing the games, and these are the games."""
    kept = 0
    openings = [opening for opening in islice(shapes(FREESTYLE, 1, (3, 6)), 16) if opening]
    for opening in openings:
        start = Board.from_moves(opening, FREESTYLE)
        points = 0.0
        for black, white in ((70, 71), (71, 70), (72, 73), (73, 72)):
            board = start.copy()
            players = {BLACK: player(f"level:2,seed={black}"), WHITE: player(f"level:2,seed={white}")}
            while (outcome := board.outcome()) is None:
                board.push(players[board.turn].choose(board).point)
            points += 0.5 if outcome.winner is None else outcome.winner == BLACK
        even = points == 2 and is_quiet(start)
        assert judged(Candidate(FREESTYLE, opening, "level:2", 70, 4)) == even
        kept += even
    assert 0 < kept < len(openings)


def test_draws_are_even():
    for opening in ((), (4, 0)):
        assert judged(Candidate(Rules.named("tictactoe"), opening, "lookup", 0, 4))


# -- stopping


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


def test_stopped_while_the_judge_thinks():
    stop = Event()
    Timer(0.2, stop.set).start()
    assert made(judge="mcts,playouts=100000000", stop=stop) == []


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
    """A judge that puts a stone on another one."""

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


def test_a_judge_that_is_none_in_the_workers():
    with pytest.raises(SpecError):
        judged(Candidate(FREESTYLE, (), "nobody", 0, 2))
