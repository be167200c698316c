"""First moves that are allowed or avoided: a search keeps to them, whatever the position forces."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tengen import Board, Engine, Limit, OffBoard, Rules
from tengen.engine.search.first_moves import FirstMoves
from tests.engine.games import NAMES, scattered
from tests.errors import key_of

pytestmark = pytest.mark.usefixtures("compiled")

MIDGAME = "h8i9g7f6h10i8"
FIVE = "h8a1i8a3j8a5k8a7"
"""Black makes a five at g8 or l8."""
MUST_STOP = "h8a1i8a3j8a5k8"
"""White has to stop a five at g8 or l8, and cannot stop both."""
ONE_ANSWER = "g8h8a1i8a3j8a5k8"
"""White has four in a row, closed by g8: Black has to stop l8."""
THREE = "a1h8a3i8a5j8"
"""White has an open three."""

ENGINE = Engine(nodes=2000)


def names(board: Board, infos) -> list[str]:
    return [board.name(info.point) for info in infos]


def best(
    moves: str, rules: str = "freestyle", limit: Limit | None = None, **chosen: Any
) -> tuple[str, Any]:
    board = Board.from_moves(moves, rules)
    (info,) = ENGINE.analyse(board, limit, **chosen)
    assert info.line[0] == info.point
    after = board.copy()
    for point in info.line:
        after.push(point)
    return board.name(info.point), info.score.mate


def test_the_move_that_it_would_choose_is_avoided():
    board = Board.from_moves(MIDGAME)
    avoided: list[str] = []
    for _ in range(5):
        (name,) = names(board, ENGINE.analyse(board, avoid=avoided))
        assert name not in avoided
        avoided.append(name)
    assert avoided[0] == names(board, ENGINE.analyse(board))[0]


def test_only_what_is_allowed_is_considered():
    board = Board.from_moves(MIDGAME)
    infos = ENGINE.analyse(board, Limit(depth=4), 3, allow="a1b2c3")
    assert sorted(names(board, infos)) == ["a1", "b2", "c3"]
    assert infos[0].score.value >= infos[1].score.value >= infos[2].score.value
    (only,) = names(board, ENGINE.analyse(board, allow=["a1", "b2"], avoid=["b2"]))
    assert only == "a1"


def test_a_five_is_not_made_where_it_may_not_be():
    assert best(FIVE, avoid="g8") == ("l8", 1)
    name, mate = best(FIVE, avoid="g8l8")
    assert name not in ("g8", "l8")
    assert mate is None or mate > 1
    board = Board.from_moves(FIVE)
    assert set(names(board, ENGINE.analyse(board, lines=2, allow="g8l8h9"))) == {"g8", "l8"}
    three = ENGINE.analyse(board, lines=3, allow="g8l8h9")
    assert set(names(board, three)) == {"g8", "l8", "h9"}
    assert [info.score.mate for info in three[:2]] == [1, 1]
    assert best(FIVE, allow="a15")[0] == "a15"


def test_a_five_is_not_stopped_where_it_may_not_be():
    assert best(ONE_ANSWER)[0] == "l8"
    name, mate = best(ONE_ANSWER, avoid="l8")
    assert (name != "l8", mate) == (True, -2)
    assert best(ONE_ANSWER, allow="a15") == ("a15", -2)
    assert best(MUST_STOP, allow="a15") == ("a15", -2)
    assert best(MUST_STOP, avoid="g8l8")[1] == -2
    name, mate = best(MUST_STOP, allow="g8")
    assert (name, mate) == ("g8", -2)


def test_a_three_that_may_not_be_stopped_is_lost():
    name, mate = best(THREE, allow="a15o1")
    assert name in ("a15", "o1")
    assert mate is not None
    assert mate < 0


def test_a_win_by_threats_that_begins_elsewhere_is_not_taken():
    assert best("h8a1i8a3j8a5") == ("g8", 3) or best("h8a1i8a3j8a5") == ("k8", 3)
    assert best("h8a1i8a3j8a5", avoid="k8") == ("g8", 3)
    assert best("h8a1i8a3j8a5", avoid="g8") == ("k8", 3)
    name, mate = best("h8a1i8a3j8a5", allow="o15")
    assert name == "o15"
    assert mate is None or mate > 3


def test_fouls_are_never_among_the_allowed():
    """h8 is a double three."""
    moves = "f8i10g8j7h7e9h6g5"
    for fouls in ("forbidden", "loses", "claimed"):
        board = Board.from_moves(moves, Rules.named("renju", fouls=fouls))
        assert board.foul("h8") is not None
        assert key_of(ENGINE.analyse, board, allow="h8") == "error.engine.no_move"
        assert names(board, ENGINE.analyse(board, allow="h8a15")) == ["a15"]


def test_an_empty_board():
    board = Board()
    assert names(board, ENGINE.analyse(board, avoid="a1")) != ["a1"]
    assert names(board, ENGINE.analyse(board, allow="c3")) == ["c3"]
    assert names(board, ENGINE.analyse(board, avoid="h8"))[0] != "h8"


@pytest.mark.parametrize("rules", NAMES)
def test_any_position_with_any_moves(rules):
    """Every line is legal and begins with a move that is allowed, however few are left."""
    for seed in range(12):
        board = scattered(Rules.named(rules), seed, 6 + 3 * seed)
        if board.outcome() is not None or not board.legal_points():
            continue
        fouls = board.fouls() if board.turn == 1 else {}
        legal = [point for point in board.legal_points() if point not in fouls]
        allow = legal[seed % 3 :: 7] or legal[:1]
        for limit in (Limit(nodes=300), Limit(depth=1), Limit(nodes=1)):
            infos = ENGINE.analyse(board, limit, 3, allow=allow)
            points = [info.point for info in infos]
            most = min(3, len(allow))
            assert len(set(points)) == len(points) <= most
            assert len(points) == most or limit.depth is None, "all lines of a whole iteration"
            assert set(points) <= set(allow)
            for info in infos:
                after = board.copy()
                for point in info.line:
                    after.push(point)
            if len(allow) < len(legal):
                (info,) = ENGINE.analyse(board, limit, avoid=allow)
                assert info.point in legal
                assert info.point not in allow


def test_a_stopped_search_keeps_to_them_too():
    stop = threading.Event()
    stop.set()
    board = Board.from_moves(FIVE)
    (info,) = ENGINE.analyse(board, Limit(nodes=1000), 1, stop, allow="a15")
    assert board.name(info.point) == "a15"


def test_weaker_engines_and_several_threads_keep_to_them():
    board = Board.from_moves(FIVE)
    for engine in (Engine(strength=20), Engine(threads=2)):
        for allow, avoid in (("a15o15", ""), (None, "g8l8")):
            infos = engine.analyse(board, Limit(nodes=3000), 2, allow=allow, avoid=avoid)
            for info in infos:
                assert board.name(info.point) not in ("g8", "l8")


def test_the_background_search_takes_any_iterable():
    board = Board.from_moves(MIDGAME)
    with ENGINE.analysis(board, Limit(nodes=500), allow=iter(["a1", "b2"]), avoid=iter(["b2"])) as search:
        assert {info.point for info in search} == {board.point("a1")}
        assert names(board, search.result()) == ["a1"]


def test_nothing_is_restricted_where_all_moves_are_left():
    board = Board.from_moves(MIDGAME)
    assert FirstMoves.of(board, None, ()) is None
    assert FirstMoves.of(board, None, "h8") is None
    assert FirstMoves.of(board, board.legal_points(), "h8") is None
    chosen = FirstMoves.of(board, "a1h8", ())
    assert chosen is not None
    assert chosen.points == {board.point("a1")}


def test_what_is_no_point_is_refused():
    board = Board.from_moves(MIDGAME)
    for wrong in ({"allow": "h8h8"}, {"allow": ()}, {"avoid": board.legal_points()}):
        assert key_of(ENGINE.analyse, board, **wrong) == "error.engine.no_move"
    with pytest.raises(OffBoard):
        ENGINE.analyse(board, avoid=["z9"])
