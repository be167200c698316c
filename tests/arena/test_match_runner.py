"""A match in one call: objects and specs, limits, tests, progress, and what stops it."""

from __future__ import annotations

import os
import threading
import time
from typing import Any

import pytest

import tengen
from tengen import BLACK, Choice, Explanation, Limit, MatchResult, Rules, TengenError
from tengen.arena.adjudication import Adjudication
from tengen.arena.contest_run import ContestStopped
from tengen.arena.contestants import Contestant
from tengen.arena.match import Match, MatchState
from tengen.arena.match_runner import match, result_of
from tengen.arena.sprt import Sprt
from tengen.game.clock import TimeControl
from tests.errors import key_of

SMALL = Rules.named("freestyle", 7)


class First:
    """A player of anybody's own, without a module to import it from: it plays the first point there is."""

    def __init__(self, name: str = "first") -> None:
        self.name = name
        self.limits: list[Limit | None] = []
        self.cleared = 0
        self.processes: set[int] = set()

    def choose(self, board: Any, limit: Any = None, stop: Any = None) -> Any:
        self.limits.append(limit)
        self.processes.add(os.getpid())
        return Choice(board.legal_points()[0])

    def explain(self, board: Any, limit: Any = None, stop: Any = None) -> Explanation:
        return Explanation("the first")

    def clear(self) -> None:
        self.cleared += 1


class Fails(First):
    def choose(self, board: Any, limit: Any = None, stop: Any = None) -> Any:
        raise RuntimeError("oh no")


class Waits(First):
    """A player that thinks until it is stopped."""

    def choose(self, board: Any, limit: Any = None, stop: Any = None) -> Any:
        stop.wait(60)
        return Choice(board.legal_points()[0])


# -- results


def test_the_result_of_a_match_of_specs():
    result = match("lines", "random", games=4, rules=SMALL)
    assert (result.wins, result.draws, result.losses, result.pairs) == (4, 0, 0, (0, 0, 0, 0, 2))
    assert (result.players, result.score, result.elo, result.elo_error) == (
        ("lines", "random"),
        1.0,
        float("inf"),
        None,
    )
    assert (result.llr, result.bounds, result.decision, result.complete) == (None, None, None, True)
    assert str(result) == "lines – random: +4 =0 -0, Elo +∞"
    assert len(repr(result)) < 300
    assert [game.number for game in result.games] == [0, 1, 2, 3]
    assert [record.headers["black"] for record in result.records] == ["lines", "random"] * 2
    outcome = result.records[0].board().outcome()
    assert outcome is not None
    assert outcome.winner == BLACK


def test_it_is_the_match_that_the_command_plays():
    """The same settings give the same games, in this process or in others."""
    here = match("random", "shapes:o2", games=4, rules="tictactoe", seed=3)
    there = match("random", "shapes:o2", games=4, rules="tictactoe", seed=3, concurrency=2)
    assert [game.board() for game in here.games] == [game.board() for game in there.games]


def test_figures_are_those_of_the_state():
    settings: dict[str, Any] = {"rules": Rules.named("tictactoe"), "games": 4, "sprt": Sprt(0, 10)}
    state = MatchState(Match((Contestant("lines"), Contestant("random")), **settings))
    result = result_of(state)
    assert (result.games, result.score, result.complete, result.llr) == ((), 0.5, False, 0.0)
    assert result.bounds == Sprt(0, 10).bounds


# -- objects


def test_an_object_plays_in_this_process_and_starts_each_game_afresh():
    own = First()
    result = match(own, "lines", games=4, rules=SMALL)
    assert result.players == ("first", "lines")
    assert own.processes == {os.getpid()}
    assert own.cleared == 4
    assert result.losses == 4


def test_two_objects_of_one_name_are_told_apart():
    result = match(First(), First(), games=2, rules="tictactoe")
    assert result.players == ("first", "first (2)")
    assert (result.wins, result.losses) == (1, 1)


def test_a_player_of_tengen_may_be_an_object():
    assert match(tengen.player("lines"), "random", games=2, rules=SMALL).wins == 2


def test_an_object_that_fails_loses():
    result = match(Fails(), First(), games=2, rules="tictactoe")
    assert (result.losses, result.faults["first"]) == (2, {"crash": 2})
    assert "oh no" in result.games[0].detail
    with pytest.raises(ContestStopped, match="oh no"):
        match(Fails("bad"), First(), games=2, rules="tictactoe", recover=False)


# -- conditions


def test_limits_and_clocks_of_each_player():
    one, other = First("one"), First("other")
    match(
        one,
        other,
        games=2,
        rules="tictactoe",
        limit=(Limit(nodes=7), Limit(depth=2)),
        clock=("100+2", TimeControl(50)),
    )
    assert {limit.nodes for limit in one.limits if limit} == {7}
    assert {limit.depth for limit in other.limits if limit} == {2}
    assert {limit.time.game for limit in other.limits if limit and limit.time} == {50}
    match(one, other, games=2, rules="tictactoe", limit=Limit(seconds=3))
    assert other.limits[-1] is not None
    assert other.limits[-1].seconds == 3


def test_openings_given_and_from_a_file(tmp_path):
    result = match("random", "random", 4, "tictactoe", openings=["b2a1", [4, 1]])
    assert [game.opening for game in result.games] == [(4, 0), (4, 0), (4, 1), (4, 1)]
    path = tmp_path / "openings.txt"
    path.write_text("b2c3\n")
    assert match("random", "random", 1, "tictactoe", openings=path).games[0].opening == (4, 8)
    once = match("random", "random", 2, "tictactoe", openings=["b2a1", "a1"], repeat=False)
    assert [game.opening for game in once.games] == [(4, 0), (0,)]


def test_games_may_end_early():
    result = match("random", "random", 2, SMALL, adjudication=Adjudication(most_moves=10))
    assert result.draws == 2


@pytest.mark.parametrize("sprt", [Sprt(0, 400), "elo0=0,elo1=400", (0, 400)])
def test_a_sequential_test_ends_it(sprt):
    result = match("lines", First(), games=400, rules=SMALL, sprt=sprt)
    assert result.decision == "H1"
    assert result.complete
    assert len(result.games) < 100
    assert result.bounds is not None
    assert result.llr is not None
    assert result.llr >= result.bounds[1]


# -- while it runs


def test_progress_is_reported_after_each_game():
    seen: list[MatchResult] = []
    result = match("lines", "random", games=3, rules=SMALL, progress=seen.append)
    assert [len(each.games) for each in seen] == [1, 2, 3]
    assert [each.complete for each in seen] == [False, False, True]
    assert seen[-1] == result


def test_it_can_be_stopped_between_and_within_games():
    stop = threading.Event()
    result = match("random", "random", 400, "tictactoe", stop=stop, progress=lambda _: stop.set())
    assert not result.complete
    assert 1 <= len(result.games) < 400
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    result = match(Waits(), "random", rules="tictactoe", stop=stop)
    assert time.monotonic() - began < 30
    assert (result.games, result.complete) == ((), False)


def test_an_exception_of_progress_ends_it():
    def fail(_: MatchResult) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        match("random", "random", 400, "tictactoe", progress=fail)


# -- arguments


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"a": "nobody"}, "error.spec.name"),
        ({"a": 5}, "error.argument"),
        ({"a": First}, "error.argument"),
        ({"games": 0}, "error.argument.whole"),
        ({"rules": "go"}, "error.rules.name"),
        ({"limit": (Limit(),)}, "error.argument"),
        ({"clock": "soon"}, "error.clock.text"),
        ({"clock": 5}, "error.argument"),
        ({"clock": "60+3x10"}, "error.arena.byoyomi"),
        ({"sprt": (10, 0)}, "error.sprt.elo"),
        ({"sprt": 5}, "error.argument"),
        ({"openings": ["z9"]}, "error.off_board"),
        ({"openings": []}, "error.arena.openings"),
        ({"a": First(), "concurrency": 2}, "error.match.objects"),
    ],
)
def test_what_is_refused(settings, key):
    good: dict[str, Any] = {"a": "random", "b": "random", "games": 2, "rules": "tictactoe"}
    assert key_of(match, **(good | settings)) == key


def test_what_objects_need_is_said():
    with pytest.raises(TengenError, match="expected a player or its spec, such as shapes:o2"):
        match(object(), "random")  # type: ignore[arg-type]
