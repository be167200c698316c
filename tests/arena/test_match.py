"""Matches: what is played, what it says, and that it can be interrupted anywhere."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Choice, Rules, TengenError
from tengen.arena.adjudication import Adjudication
from tengen.arena.arena_error import ArenaError
from tengen.arena.contest_run import ContestStopped, run_contest
from tengen.arena.contestants import Contestant
from tengen.arena.match import Match, MatchState
from tengen.arena.results import PlayedGame
from tengen.arena.sprt import Sprt
from tengen.executors import WorkerLost, open_workers, report
from tengen.game.clock import TimeControl
from tests.arena.games import played

SMALL = Rules.named("freestyle", 7)
OPENINGS = ((24, 25), (24, 17), (24, 32))


def match(*specs: str, games: int = 6, **options: Any) -> Match:
    options = {"rules": SMALL, "openings": OPENINGS, **options}
    one, other = specs or ("lines", "random")
    return Match((Contestant(one), Contestant(other)), games=games, **options)


@pytest.fixture(scope="module")
def workers():
    with open_workers("threads", 2) as opened:
        yield opened


# -- what is played


def test_pairs_begin_alike_with_colours_swapped():
    tasks = list(match(games=6).tasks())
    assert [task.number for task in tasks] == list(range(6))
    assert [task.opening for task in tasks] == [opening for opening in OPENINGS for _ in range(2)]
    assert [task.black.label for task in tasks] == ["lines", "random"] * 3


def test_without_repeating_each_opening_comes_once():
    tasks = list(match(games=4, repeat=False).tasks())
    assert [task.opening for task in tasks] == [*OPENINGS, OPENINGS[0]]
    assert [task.black.label for task in tasks] == ["lines", "random"] * 2


def test_chance_rolls_differently_in_each_pair_and_alike_within_one():
    specs = [
        (task.black.spec, task.white.spec) for task in match("lines,seed=5", "random", seed=10).tasks()
    ]
    assert specs[0] == ("lines,seed=5", "random,seed=11")
    assert specs[1] == ("random,seed=11", "lines,seed=5")
    assert specs[2] == ("lines,seed=5", "random,seed=12")


def test_a_player_may_play_itself():
    same = match("random", "random")
    assert same.names == ("random", "random (2)")


def test_played_games_are_not_played_again():
    assert [task.number for task in match(games=6).tasks(played=[0, 3])] == [1, 2, 4, 5]


def test_a_match_comes_back_from_json():
    one = Contestant("lines", "the first", TimeControl.parse("60+0.5"), nodes=100)
    whole = Match(
        (one, Contestant("random", seconds=0.5, depth=3)),
        rules=SMALL,
        games=20,
        openings=OPENINGS,
        repeat=False,
        seed=7,
        adjudication=Adjudication(resign_moves=3, most_moves=40),
        margin=0.5,
        sprt=Sprt(0, 10),
        recover=False,
        log=True,
    )
    assert Match.from_dict(whole.to_dict()) == whole


@pytest.mark.parametrize("key", ["players", "rules", "games", "openings", "sprt"])
def test_damaged_settings(key):
    data = match().to_dict()
    del data[key]
    with pytest.raises(ArenaError, match="damaged"):
        Match.from_dict(data)


def test_what_makes_no_match():
    with pytest.raises(ArenaError, match="at least 1"):
        match(games=0)
    with pytest.raises(ArenaError, match="no openings"):
        match(openings=())
    with pytest.raises(TengenError, match="nobody"):
        match("nobody", "random")


# -- how it stands


def standing(points, **options):
    """A standing after games with these points of the first player, in the order of their numbers."""
    made = MatchState(match(games=len(points), **options))
    for number, point in enumerate(points):
        made.add(played(number, points=point if number % 2 == 0 else 1 - point))
    return made


def test_the_tally_is_the_first_players():
    tally = standing([1, 1, 1, 0, 0.5, 0.5]).tally
    assert (tally.wins, tally.draws, tally.losses) == (3, 2, 1)
    assert tally.pairs == (0, 0, 2, 0, 1)


def test_half_a_pair_counts_as_a_game_only():
    tally = standing([1, 1, 0]).tally
    assert (tally.games, tally.pairs) == (3, (0, 0, 0, 0, 1))


@given(st.lists(st.sampled_from([0, 0.5, 1]), min_size=1, max_size=40), st.randoms())
def test_figures_do_not_depend_on_the_order_in_which_games_end(points, random):
    sprt = Sprt(0, 200, 0.1, 0.1)
    in_order = standing(points, sprt=sprt)
    games = list(in_order.games.values())
    random.shuffle(games)
    shuffled = MatchState(in_order.match)
    for game in games:
        shuffled.add(game)
    assert shuffled.tally == in_order.tally
    assert shuffled.decision() == in_order.decision()


def test_a_test_ends_the_match():
    decided = standing([1] * 40, sprt=Sprt(0, 100))
    assert decided.decision() == "H1"
    assert decided.over
    assert 0 < decided.uncounted < 40
    assert len(decided.counted()) == decided.tally.games
    assert standing([0] * 40, sprt=Sprt(0, 100)).decision() == "H0"


def test_a_missing_game_holds_the_decision_up():
    made = MatchState(match(games=100, sprt=Sprt(0, 100)))
    for number in range(2, 100):
        made.add(played(number, points=1.0 - number % 2))
    assert not made.over
    made.add(played(0, points=1.0))
    assert not made.over
    made.add(played(1, points=0.0))
    assert made.over


@pytest.mark.parametrize("repeat", [True, False])
def test_each_game_is_looked_at_once(repeat, monkeypatch):
    """Matches that a test may end are of many thousand games."""
    looked, points = [], MatchState.points

    def seen(self, game):
        looked.append(game.number)
        return points(self, game)

    monkeypatch.setattr(MatchState, "points", seen)
    made = standing([1, 0, 0.5, 0.5] * 25, sprt=Sprt(0, 1), repeat=repeat)
    assert not made.decision()
    assert sorted(looked) == list(range(100))
    assert made.tally == MatchState(match(games=100, repeat=repeat), made.games).tally


def test_faults_are_counted_for_who_made_them():
    made = MatchState(match(games=4))
    made.add(played(0, "lines", "random", 1.0, "crash"))
    made.add(played(1, "random", "lines", 0.0, "time"))
    made.add(played(2, "lines", "random", 1.0, "crash"))
    made.add(played(3, "random", "lines", 1.0, "hang"))
    assert made.faults() == {"lines": {"hang": 1}, "random": {"crash": 2, "time": 1}}


# -- playing it


def test_a_match_is_played(workers):
    made = MatchState(match(games=6))
    seen: list[PlayedGame] = []
    run_contest(made, workers, seen.append)
    assert made.over
    assert sorted(game.number for game in seen) == list(range(6))
    assert made.tally.games == 6
    assert made.tally.score > 0.5
    assert {game.black for game in seen} == {"lines", "random"}


def test_the_same_match_gives_the_same_games():
    def moves(count):
        made = MatchState(match("random", "lines", games=6))
        with open_workers("threads", count) as own:
            run_contest(made, own, lambda _: None)
        return [[move.point for move in made.games[n].moves] for n in range(6)]

    assert moves(1) == moves(2)


def test_going_on_plays_only_what_is_missing(workers):
    first = MatchState(match(games=6))
    run_contest(first, workers, lambda _: None)
    again = MatchState(first.match)
    seen: list[PlayedGame] = []
    for number in (1, 4):
        again.add(first.games[number])
    run_contest(again, workers, seen.append)
    assert sorted(game.number for game in seen) == [0, 2, 3, 5]
    assert again.tally == first.tally


def test_a_finished_match_plays_nothing(workers):
    made = standing([1, 0])
    run_contest(made, workers, lambda _: pytest.fail("a game was played"))


def test_a_decision_calls_the_rest_off(workers):
    made = MatchState(match(games=10_000, sprt=Sprt(0, 200, 0.2, 0.2)))
    seen: list[PlayedGame] = []
    run_contest(made, workers, seen.append)
    assert made.decision() == "H1"
    assert len(seen) < 1000


class Fails:
    """Crashes at its first move."""

    name = "py:tests.arena.test_match:Fails"

    def choose(self, board, limit=None, stop=None):
        raise RuntimeError("no idea what to do")

    def explain(self, board):
        raise NotImplementedError


def test_a_match_goes_on_after_a_crash(workers):
    made = MatchState(match("lines", Fails.name, games=4))
    run_contest(made, workers, lambda _: None)
    assert made.faults()[Fails.name] == {"crash": 4}
    assert made.tally.wins == 4
    assert "no idea what to do" in made.games[0].detail


class Exits:
    """Ends its process at its second move, and reports what it does, as the engine may."""

    name = "py:tests.arena.test_match:Exits"

    def choose(self, board, limit=None, stop=None):
        report("a thought")
        if len(board.moves) >= 4:
            os._exit(3)
        return Choice(board.legal_points()[0])

    def explain(self, board):
        raise NotImplementedError


@pytest.mark.long
def test_who_ends_the_process_has_lost(caplog):
    made = MatchState(match("lines", Exits.name, games=2))
    with open_workers("processes", 1) as own:
        run_contest(made, own, lambda _: None)
    assert made.faults()[Exits.name] == {"crash": 2}
    assert [game.loser for _, game in sorted(made.games.items())] == [Exits.name] * 2
    # The opening has two moves; as White it plays one more, as Black it has had its first.
    assert [len(made.games[number].moves) for number in (0, 1)] == [3, 2]
    assert "exit 3" in made.games[0].detail
    assert not caplog.records


@pytest.mark.long
def test_nobody_is_blamed_where_not_all_is_heard():
    made = MatchState(match("lines", Exits.name, games=1))
    with open_workers("processes", 1) as own:
        own.lossless_reports = False
        with pytest.raises(WorkerLost):
            run_contest(made, own, lambda _: None)


def test_or_stops_where_it_is_not_to_recover(workers):
    made = MatchState(match("lines", Fails.name, games=40, recover=False))
    seen: list[PlayedGame] = []
    with pytest.raises(ContestStopped, match="no idea what to do"):
        run_contest(made, workers, seen.append)
    assert len(seen) == len(made.games) < 40
