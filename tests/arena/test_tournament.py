"""Tournaments: who is to meet, who has how many points, and that they can be gone on with."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from tengen import Rules, TengenError
from tengen.arena.arena_error import ArenaError
from tengen.arena.contest_run import ContestStopped, run_contest
from tengen.arena.contestants import Contestant
from tengen.arena.results import PlayedGame
from tengen.arena.tournament import Kind, Table, Tournament
from tengen.executors import open_workers
from tests.arena.games import played
from tests.arena.test_match import Fails

SMALL = Rules.named("freestyle", 7)
OPENINGS = ((24, 25), (24, 17), (24, 32))
SPECS = ("lines", "random", "shapes", "level:1")


def cup(*specs: str, kind: Kind = "round-robin", **options: Any) -> Tournament:
    options = {"rules": SMALL, "openings": OPENINGS, **options}
    return Tournament(tuple(map(Contestant, specs or SPECS)), kind=kind, **options)


@pytest.fixture(scope="module")
def workers():
    with open_workers("threads", 2) as opened:
        yield opened


def pairs(tasks):
    return Counter(tuple(sorted((task.black.label, task.white.label))) for task in tasks)


# -- what is to be played


def test_a_round_robin():
    tasks = list(Table(cup(rounds=2, games=4)).tasks())
    assert len(tasks) == cup(rounds=2, games=4).total == 6 * 2 * 4
    assert set(pairs(tasks).values()) == {8}
    assert [task.number for task in tasks] == list(range(48))
    blacks = Counter(task.black.label for task in tasks)
    assert set(blacks.values()) == {12}


def test_all_meetings_of_a_round_begin_alike():
    tasks = list(Table(cup(rounds=2, games=4)).tasks())
    first = {task.opening for task in tasks if task.number < 24 and task.number % 4 < 2}
    assert first == {OPENINGS[0]}
    second = {task.opening for task in tasks if task.number >= 24 and task.number % 4 < 2}
    assert second == {OPENINGS[2]}


def test_a_gauntlet():
    assert pairs(Table(cup(kind="gauntlet")).tasks()) == {
        ("lines", "random"): 2,
        ("lines", "shapes"): 2,
        ("level:1", "lines"): 2,
    }


def test_names_are_told_apart():
    assert cup("random", "random", "random").names == ("random", "random (2)", "random (3)")


def test_what_makes_no_tournament():
    with pytest.raises(ArenaError, match="at least 2"):
        cup("random")
    with pytest.raises(ArenaError, match="round-robin, gauntlet, swiss"):
        cup(kind="knockout")  # type: ignore[arg-type]
    with pytest.raises(ArenaError, match="1 to 3"):
        cup(kind="gauntlet", champions=4)
    with pytest.raises(ArenaError):
        cup(rounds=0)
    with pytest.raises(ArenaError):
        cup(openings=())
    with pytest.raises(TengenError, match="nobody"):
        cup("nobody", "random")


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "swiss"])
def test_a_tournament_comes_back_from_json(kind):
    made = cup(kind=kind, rounds=3, games=4, champions=2, seed=5, recover=False)
    assert Tournament.from_dict(made.to_dict()) == made
    data = made.to_dict()
    del data["kind"]
    with pytest.raises(ArenaError, match="damaged"):
        Tournament.from_dict(data)


# -- how it stands


def finished(tournament, points):
    """A table in which each game has what `points` says of its two players."""
    table = Table(tournament)
    while not table.over:
        for task in list(table.tasks()):
            names = task.black.label, task.white.label
            table.games[task.number] = played(task.number, *names, points(*names))
    return table


def stronger(black, white):
    """Who comes earlier in the alphabet wins."""
    return float(black < white)


def test_the_table():
    lines = finished(cup(), stronger).rows()
    assert [line.name for line in lines] == ["level:1", "lines", "random", "shapes"]
    assert [line.points for line in lines] == [6, 4, 2, 0]
    assert (lines[1].wins, lines[1].draws, lines[1].losses) == (4, 0, 2)


def test_draws_count_half():
    lines = finished(cup(), lambda *_: 0.5).rows()
    assert {line.points for line in lines} == {3.0}
    assert {line.draws for line in lines} == {6}
    # Equal in everything: the order of the seats.
    assert [line.name for line in lines] == list(SPECS)


def test_ratings_follow_the_results():
    ratings = finished(cup(rounds=10), stronger).ratings()
    assert [rating.name for rating in ratings.players] == ["level:1", "lines", "random", "shapes"]


def test_a_swiss_tournament_pairs_the_leaders():
    table = finished(cup(kind="swiss", rounds=2), stronger)
    rounds = table.rounds()
    assert rounds[0] == ([(0, 2), (1, 3)], None)
    # lines and level:1 have won; they meet now.
    assert rounds[1] == ([(0, 3), (1, 2)], None)
    assert table.rows()[0].name == "level:1"


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "swiss"])
@pytest.mark.parametrize("games", [1, 3])
def test_with_an_odd_number_of_games_colours_are_shared_out(kind, games):
    rounds = 3 if kind == "swiss" else 1
    table = finished(cup(*SPECS, "minimax", "mcts", kind=kind, games=games, rounds=rounds), stronger)
    balance: Counter[str] = Counter()
    for game in table.games.values():
        balance.update({game.black: 1, game.white: -1})
    assert set(map(abs, balance.values())) == {1}


def test_sitting_out_is_a_win():
    table = finished(cup("lines", "random", "shapes", kind="swiss", rounds=3), stronger)
    assert [bye for _, bye in table.rounds()] == [2, 1, 0]
    assert [(line.name, line.points) for line in table.rows()] == [
        ("lines", 6),
        ("random", 4),
        ("shapes", 2),
    ]


def test_buchholz_is_what_the_opponents_have():
    table = finished(cup(kind="swiss", rounds=2), stronger)
    points = {line.name: line.points for line in table.rows()}
    line = next(line for line in table.rows() if line.name == "lines")
    assert line.buchholz == points["shapes"] + points["level:1"]


# -- playing it


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "swiss"])
def test_a_tournament_is_played(workers, kind):
    table = Table(cup("lines", "random", "level:1", kind=kind, rounds=2))
    seen: list[PlayedGame] = []
    run_contest(table, workers, seen.append)
    assert table.over
    assert len(seen) == table.tournament.total
    assert table.rows()[0].name == "lines"


def test_going_on_gives_the_same_tournament(workers):
    whole = Table(cup("lines", "random", "level:1", kind="swiss", rounds=3))
    run_contest(whole, workers, lambda _: None)
    again = Table(whole.tournament)
    seen: list[PlayedGame] = []
    again.games.update({number: whole.games[number] for number in (0, 1, 2)})
    run_contest(again, workers, seen.append)
    assert sorted(game.number for game in seen) == [3, 4, 5]
    assert again.rows() == whole.rows()


def test_a_crash_ends_it_where_it_is_not_to_recover(workers):
    made = replace(cup("lines", Fails.name), recover=False)
    with pytest.raises(ContestStopped):
        run_contest(Table(made), workers, lambda _: None)
