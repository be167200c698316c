"""How long a move may take: never longer than there is time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tengen import Board, Limit
from tengen.engine.search.timing import TimeBudget, time_budget
from tengen.game.player import GameTime
from tests.engine.games import scattered

SECONDS = st.floats(0, 10_000)
ALLOWED = st.floats(0, 10_000, exclude_min=True)
BOARDS = [scattered(Board("freestyle").rules, seed, stones) for seed, stones in enumerate((0, 10, 40, 120))]
EARLY = BOARDS[0]


@st.composite
def limits(draw):
    """Limits with a clock that has so much left for the game."""
    clock = GameTime(
        game=draw(st.none() | SECONDS),
        left=draw(SECONDS),
        increment=draw(st.floats(0, 100)),
        turn=draw(st.none() | SECONDS),
    )
    return Limit(seconds=draw(st.none() | ALLOWED), time=clock)


def seconds(limit, board):
    """The seconds after which no new depth is begun, and those after which a move has to be made."""
    allowed = time_budget(limit, board, playing=True)
    assert allowed.soft is not None
    assert allowed.hard is not None
    return allowed.soft, allowed.hard


@given(limits(), st.sampled_from(BOARDS), st.booleans())
def test_never_more_than_is_left_for_the_game_or_for_the_move(limit, board, playing):
    hard = time_budget(limit, board, playing=playing).hard
    assert hard is not None
    assert 0 <= hard <= limit.time.left
    assert limit.time.turn is None or hard <= limit.time.turn


@given(limits(), st.sampled_from(BOARDS), SECONDS)
def test_more_time_left_is_never_less_time_to_think(limit, board, more):
    clock = limit.time
    later = Limit(time=GameTime(clock.game, clock.left + more, clock.increment, clock.turn))
    now, then = seconds(limit, board), seconds(later, board)
    assert now[0] <= then[0]
    assert now[1] <= then[1]


@given(limits(), st.sampled_from(BOARDS))
def test_an_increment_is_there_to_be_used(limit, board):
    clock = limit.time
    without = Limit(time=GameTime(clock.game, clock.left, 0.0, clock.turn))
    assert seconds(without, board) <= seconds(limit, board)


def test_a_game_lasts_for_many_moves():
    """A move gets a small part of the time, more of it the later in the game."""
    limit = Limit(time=GameTime(game=300, left=300))
    soft = [seconds(limit, board)[0] for board in BOARDS]
    assert 0 < soft[0] < 300 / 20
    assert soft == sorted(soft)


@given(ALLOWED, st.booleans())
def test_seconds_alone_are_all_used(seconds, playing):
    allowed = time_budget(Limit(seconds=seconds), EARLY, playing=playing)
    assert allowed == TimeBudget(None, seconds)


def test_no_limit_of_time():
    for limit in (Limit(), Limit(nodes=5), Limit(depth=5), Limit(nodes=5, time=GameTime())):
        assert time_budget(limit, EARLY, playing=True) == TimeBudget(None, None)


def test_a_move_may_have_its_own_bound_and_the_game_none():
    """Byo-yomi of some programs: so much for a move, and no end of the game."""
    hard = time_budget(Limit(time=GameTime(turn=5)), EARLY, playing=True).hard
    assert hard is not None
    assert hard <= 5


def test_analysing_uses_all_the_time_there_is():
    limit = Limit(seconds=10, time=GameTime(left=300))
    assert time_budget(limit, EARLY, playing=False) == TimeBudget(None, 10)


@given(st.floats(1, 100), st.sampled_from(BOARDS))
def test_a_clock_that_runs_out_lasts_for_the_moves_to_come(left, board):
    """Though each takes all that it may, and some milliseconds for who asks and answers."""
    for _ in range(60):
        left -= seconds(Limit(time=GameTime(left=left)), board)[1] + 0.003
    assert left > 0
