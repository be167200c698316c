"""One game: clocks, faults and adjudication."""

from __future__ import annotations

import json
import pickle
import time
from typing import Any, ClassVar

import numpy as np
import pytest

from tengen import BLACK, WHITE, Board, Choice, Limit, Rules, Score, TengenError
from tengen.arena.adjudication import Adjudication
from tengen.arena.contestants import Contestant
from tengen.arena.game import GameTask, play
from tengen.arena.results import PlayedGame
from tengen.formats.jsonformat import game_data, game_record, line_of
from tengen.game.clock import Clock, TimeControl
from tengen.game.errors import RulesError
from tengen.players.registry import player
from tests.errors import key_of

SMALL = Rules.named("freestyle", 9)
HERE = "py:tests.arena.test_game"


class Watch:
    """A clock that goes on only while a player waits: stands for the module `time`."""

    def __init__(self):
        self._now = 0.0

    def perf_counter(self):
        return self._now

    def sleep(self, seconds):
        self._now += seconds


@pytest.fixture
def _watch(monkeypatch):
    made = Watch()
    monkeypatch.setattr("tengen.arena.game.time", made)
    monkeypatch.setattr("tests.arena.test_game.time", made)


class Scripted:
    """Plays the first move of its text that is still free, and says one score."""

    def __init__(self, moves="", value=None, wait=0.0, seed=None):
        self.name = f"{HERE}:Scripted,moves={moves}"
        self._moves = moves
        self._value = value
        self._wait = wait

    def choose(self, board, limit=None, stop=None):
        point = next(p for p in map(board.point, self._moves.split()) if not board.position[p])
        time.sleep(self._wait)
        score = None if self._value is None else Score(self._value)
        return Choice(point, score)

    def explain(self, board):
        raise NotImplementedError


class Odd:
    """Answers in one of many wrong ways."""

    def __init__(self, way="crash"):
        self.name = f"{HERE}:Odd,way={way}"
        self._way = way

    def choose(self, board, limit=None, stop=None):
        if self._way == "exit":
            raise SystemExit(3)
        if self._way == "crash":
            raise ZeroDivisionError("seven by\nzero")
        answers: dict[str, Any] = {
            "none": None,
            "word": Choice(_any("h99x")),
            "outside": Choice(board.rules.points),
            "pass": Choice(-1),
            "taken": Choice(board.moves[0]),
            "score": Choice(0, _any("good")),
        }
        return answers[self._way]

    def explain(self, board):
        raise NotImplementedError


class Spoils(Odd):
    """Plays on the board it is shown."""

    def choose(self, board, limit=None, stop=None):
        point = next(iter(board.legal_points()))
        board.push(point)
        return Choice(point)


class Names(Odd):
    """Answers with the name of a point."""

    def choose(self, board, limit=None, stop=None):
        return Choice(_any(board.name(min(board.legal_points()))))


class Numbers(Odd):
    """Answers with a number of NumPy's."""

    def choose(self, board, limit=None, stop=None):
        return Choice(_any(np.int64(min(board.legal_points()))))


class Watches:
    """Plays the first point, and remembers what it was allowed."""

    limits: ClassVar[list[Limit]] = []

    def __init__(self):
        self.name = f"{HERE}:Watches"

    def choose(self, board, limit=None, stop=None):
        self.limits.append(limit)
        return Choice(min(board.legal_points()))

    def explain(self, board):
        raise NotImplementedError


def _any(value: Any) -> Any:
    return value


def game(black, white, rules=SMALL, opening="", **options):
    moves = Board.from_moves(opening, rules).moves
    seats = [seat if isinstance(seat, Contestant) else Contestant(seat) for seat in (black, white)]
    return play(GameTask(0, rules, moves, seats[0], seats[1], **options))


def scripted(moves, **options):
    values = "".join(f",{key}={value}" for key, value in options.items())
    return f"{HERE}:Scripted,moves={moves}{values}"


BLACK_ROW, WHITE_ROW = "a1 b1 c1 d1 e1", "a3 b3 c3 d3 f9 e3"


# -- play


def test_five_in_a_row():
    done = game(scripted(BLACK_ROW), scripted(WHITE_ROW))
    assert (done.winner, done.end, done.length) == (BLACK, "five", 9)
    assert all(move.seconds >= 0 for move in done.moves)


def test_an_opening_is_given():
    done = game(scripted("c1 d1 e1"), scripted("c3 d3"), opening="a1a3b1b3")
    assert [done.opening, len(done.moves)] == [Board.from_moves("a1a3b1b3", SMALL).moves, 5]
    assert done.winner == BLACK


def test_white_moves_first_after_an_odd_opening():
    done = game(scripted("i9"), scripted("e3"), opening="a1a3b1b3c1c3g7d3i5")
    assert (done.winner, len(done.moves)) == (WHITE, 1)


def test_a_full_board_is_a_draw():
    done = game("minimax", "minimax", Rules.named("tictactoe"))
    assert (done.winner, done.end, done.points) == (None, "full", 0.5)


def test_a_foul_loses():
    renju = Rules.named("renju")
    done = game(scripted("g8 i8 h9 h10 h8"), scripted("a15 c15 e15 g15"), renju)
    assert (done.winner, done.end) == (WHITE, "foul")
    assert "h8" in done.detail


@pytest.mark.parametrize(("fouls", "length"), [("forbidden", 8), ("loses", 9), ("claimed", 9)])
def test_a_foul_loses_however_fouls_are_enforced(fouls, length):
    renju = Rules.named("renju", fouls=fouls)
    done = game(scripted("g8 i8 h9 h10 h8 a1 c1"), scripted("a15 c15 e15 g15 i15 k15 m15"), renju)
    assert (done.winner, done.end, done.length) == (WHITE, "foul", length)
    assert PlayedGame.from_record(done.record()) == done


def test_a_foul_of_the_opening_is_not_claimed():
    renju = Rules.named("renju", fouls="claimed")
    opening, few = "g8a15i8c15h9e15h10g15h8", Adjudication(most_moves=13)
    done = game(scripted("o1 o3"), scripted("i15 i14"), renju, opening, adjudication=few)
    assert (done.end, done.length) == ("agreed", 13)


def test_the_game_can_be_sent_to_another_machine():
    task = GameTask(0, SMALL, (), Contestant(scripted(BLACK_ROW)), Contestant(scripted(WHITE_ROW)))
    done = play(pickle.loads(pickle.dumps(task)))
    assert pickle.loads(pickle.dumps(done)) == done


def test_a_spec_that_names_nobody_is_an_error():
    with pytest.raises(TengenError, match="nobody"):
        game("nobody", "random")


# -- faults


@pytest.mark.parametrize(
    ("way", "end", "said"),
    [
        ("crash", "crash", "ZeroDivisionError"),
        ("exit", "crash", "SystemExit"),
        ("none", "crash", "NoneType"),
        ("score", "crash", "good"),
        ("word", "protocol", "h99x"),
        ("outside", "illegal", ""),
        ("pass", "illegal", ""),
        ("taken", "illegal", "a1"),
    ],
)
def test_faults_lose(way, end, said):
    done = game(scripted("a1 b1"), f"{HERE}:Odd,way={way}")
    assert (done.winner, done.end) == (BLACK, end)
    assert said in done.detail
    assert "\n" not in done.detail
    assert len(done.moves) == 1
    assert ("in choose" in done.trace) == (way in ("crash", "exit")), "where it is the player's own code"
    again = PlayedGame.from_record(game_record(json.loads(line_of(game_data(done.record())))))
    assert (again, again.trace) == (done, done.trace)


def test_who_plays_is_said_by_a_spec():
    assert Contestant(player("minimax,depth=2")).spec == "minimax,depth=2"  # type: ignore[arg-type]
    for odd in (Odd(), Odd, None, 3):
        assert key_of(Contestant, odd) == "error.arena.contestant"
    with pytest.raises(TengenError, match=r"such as 'py:tests\.arena\.test_game:Odd,key=value', not by <"):
        Contestant(Odd())  # type: ignore[arg-type]


@pytest.mark.parametrize("points", ["Names", "Numbers"])
def test_points_that_are_no_plain_numbers_are_written_down_as_such(points):
    done = game(f"{HERE}:{points}", "random,seed=1", Rules.named("tictactoe"))
    assert {type(move.point) for move in done.moves} == {int}
    assert PlayedGame.from_record(game_record(json.loads(line_of(game_data(done.record()))))) == done


def test_a_player_cannot_change_the_game():
    done = game(f"{HERE}:Spoils", f"{HERE}:Spoils")
    assert done.end in ("five", "full")
    assert done.board().ply == done.length


# -- time


@pytest.mark.usefixtures("_watch")
def test_too_slow_for_a_move():
    done = game(Contestant(scripted(BLACK_ROW, wait=0.2), seconds=0.05), scripted(WHITE_ROW), margin=0.01)
    assert (done.winner, done.end, len(done.moves)) == (WHITE, "time", 0)
    assert "0.05" in done.detail


@pytest.mark.usefixtures("_watch")
def test_too_slow_for_the_game():
    slow = Contestant(scripted(BLACK_ROW, wait=0.05), time=TimeControl.parse("0.12"))
    done = game(slow, scripted(WHITE_ROW), margin=0.0)
    assert (done.winner, done.end) == (WHITE, "time")
    assert len(done.moves) == 4


@pytest.mark.usefixtures("_watch")
def test_a_margin_is_forgiven_in_every_move():
    slow = Contestant(scripted(BLACK_ROW, wait=0.05), seconds=0.02)
    assert game(slow, scripted(WHITE_ROW), margin=5.0).end == "five"
    slow = Contestant(scripted(BLACK_ROW, wait=0.05), time=TimeControl.parse("0.02"))
    assert game(slow, scripted(WHITE_ROW), margin=5.0).end == "five"


@pytest.mark.usefixtures("_watch")
def test_an_increment_comes_after_each_move():
    slow = Contestant(scripted(BLACK_ROW, wait=0.05), time=TimeControl.parse("0.5+1"))
    assert game(slow, scripted(WHITE_ROW), margin=0.0).end == "five"


@pytest.mark.usefixtures("_watch")
def test_what_a_player_may_use():
    Watches.limits.clear()
    seat = Contestant(f"{HERE}:Watches", time=TimeControl.parse("100+2"), seconds=30, nodes=7, depth=3)
    game(
        seat,
        "random",
        opening="e5",
        rules=Rules.named("freestyle", 5),
        adjudication=Adjudication(most_moves=5),
    )
    first, second = Watches.limits[:2]
    assert (first.nodes, first.depth) == (7, 3)
    assert first.seconds is not None
    assert 0 < first.seconds < 30
    assert first.time is not None
    assert second.time is not None
    assert second.time.left is not None
    assert (first.time.game, first.time.left, first.time.increment, first.time.turn) == (100, 100, 2, 30)
    assert second.time.left == 102


def test_a_seat_without_time():
    assert Contestant("random").limit(None) == Limit()
    assert Contestant("random", seconds=2).limit(None).seconds == 2
    short = Clock.full(TimeControl.parse("1000"))
    assert Contestant("random", seconds=2).limit(short).seconds == 2


def test_no_byo_yomi():
    with pytest.raises(RulesError, match="byo-yomi"):
        Contestant("random", time=TimeControl.parse("60+3x10"))


# -- adjudication


def test_who_says_often_enough_that_it_is_lost_has_resigned():
    lost = scripted(BLACK_ROW, value=-2000)
    rule = Adjudication(resign_moves=3, resign_score=1500)
    done = game(lost, scripted(WHITE_ROW), adjudication=rule)
    assert (done.winner, done.end, len(done.moves)) == (WHITE, "resigned", 5)
    assert game(lost, scripted(WHITE_ROW)).end == "five"


def test_the_other_side_may_have_to_agree():
    rule = Adjudication(resign_moves=3, resign_score=1500, resign_both=True)
    lost = scripted(BLACK_ROW, value=-2000)
    assert game(lost, scripted(WHITE_ROW), adjudication=rule).end == "five"
    assert game(lost, scripted(WHITE_ROW, value=0), adjudication=rule).end == "five"
    assert game(lost, scripted(WHITE_ROW, value=1500), adjudication=rule).end == "resigned"


def test_both_say_that_it_is_even():
    even = scripted(BLACK_ROW, value=5), scripted(WHITE_ROW, value=-5)
    rule = Adjudication(draw_moves=2, draw_score=5, draw_after=6)
    done = game(*even, adjudication=rule)
    assert (done.winner, done.end, done.length) == (None, "agreed", 6)
    assert game(*even, adjudication=Adjudication(draw_moves=2, draw_score=4, draw_after=6)).end == "five"
    assert game(even[0], scripted(WHITE_ROW), adjudication=rule).end == "five"


def test_most_moves():
    done = game(scripted(BLACK_ROW), scripted(WHITE_ROW), adjudication=Adjudication(most_moves=7))
    assert (done.winner, done.end, done.length) == (None, "agreed", 7)


def test_a_known_win_is_worth_more_than_any_score():
    rule = Adjudication(resign_moves=1, resign_score=29_000)
    assert rule.verdict(4, {BLACK: [Score.loss_in(4)], WHITE: []}) == ("resigned", WHITE)
    assert rule.verdict(4, {BLACK: [Score.win_in(4)], WHITE: [Score(0)]}) is None


@pytest.mark.parametrize(
    "limits",
    [
        {"nodes": 0},
        {"nodes": -1},
        {"nodes": 1.5},
        {"depth": True},
        {"seconds": 0},
        {"seconds": "1"},
        {"time": 60},
    ],
    ids=str,
)
def test_limits_that_are_none_are_refused_before_anything_is_played(limits):
    with pytest.raises(TengenError, match=r"expected"):
        Contestant("random", **limits)
