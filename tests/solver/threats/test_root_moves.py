"""Points that win, and replies that stop a win: each is what a search of its own says."""

from __future__ import annotations

import threading
from itertools import count

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tengen
from tengen import BLACK, WHITE, Board, GameOver, Limit, Rules, TengenError
from tengen.game.points import opponent
from tengen.solver.results import PointsProgress, WinningPoints
from tengen.solver.threats import root_moves
from tengen.solver.threats.root_moves import answers
from tests.positions import drawn
from tests.solver.threat_oracle import ThreatOracle, TooLong
from tests.solver.threats.test_vcf import replayed
from tests.solver.threats.test_vct import LONG, THREE_THREE, tangles
from tests.solver.wins import proven_win, won

SETS = ("fours", "threes", "any")


def names(board: Board, points: tuple[int, ...]) -> set[str]:
    return {board.name(point) for point in points}


def test_all_first_points_that_win():
    board = Board.from_moves("h8a1i8a15j8b1")
    found = tengen.winning_points(board, threats="fours")
    assert (names(board, found.points), found.proven) == ({"g8", "k8"}, True)
    assert found.attacker == BLACK
    for point in found.points:
        proven_win(replayed(board, [point]), BLACK, "fours")


def test_threats_that_do_not_win_are_told_apart():
    board = Board.from_moves("h8a1i8a15j8b1a8b15b8o1")  # an open three, and two stones at the edge
    found = tengen.winning_points(board, threats="fours")
    assert names(board, found.points) == {"g8", "k8"}
    assert names(board, found.fails) == {"f8", "l8"}
    assert found.open == ()
    five = tengen.winning_points(Board.from_moves("h8a1i8a2j8a15k8o1"))
    assert (len(five.points), five.fails) == (2, ())


def is_threat(after: Board, attacker: int, threats: str) -> bool:
    """Whether an attacker who has just moved would make a five by its next move, or by the one after."""
    return tengen.solve_vct(after, Limit(depth=3), attacker, threats=threats).winner == attacker


def test_a_move_that_stops_a_five_need_not_be_a_threat():
    board = Board.from_stones(
        "a1 b1 c1 d1 f1 a2 b2 c2 d2 f2", "e1 a3 b3 c3 f3 b4 b5 c6", WHITE, Rules.named("freestyle", 7)
    )
    assert names(board, tengen.winning_points(board).fails) == {"e2"}
    after = replayed(board, [board.point("e2")])
    assert not is_threat(after, WHITE, "threes")
    assert tengen.solve_vct(after, colour=WHITE).length == 7
    assert not tengen.defences(after, colour=WHITE).stops


@settings(max_examples=40)
@given(tangles(), st.sampled_from(SETS[:2]))
def test_every_threat_wins_or_fails_or_is_open(board, threats):
    """After a threat that fails, if it is one, there is a reply that leaves no win."""
    attacker = board.turn
    found = tengen.winning_points(board, Limit(nodes=20_000), threats=threats)
    assert not {*found.points} & {*found.fails}
    assert not {*found.fails} & {*found.open}
    for point in found.fails[:2]:
        after = replayed(board, [point])
        limit, defender = Limit(nodes=20_000), opponent(attacker)
        if not is_threat(after, attacker, threats):
            continue
        left = tengen.defences(after, limit, attacker, threats=threats)
        wins = tengen.winning_points(after, limit, defender).points
        assert not left.win.proven or left.win.winner is None or left.stops or left.open or wins


def test_answers_to_a_threat():
    board = Board.from_moves("h8a1i8a15j8")
    assert {"g8", "k8"} <= names(board, answers(board)) <= {"f8", "g8", "k8", "l8"}
    board = Board.from_moves("h8g8i8a1j8a15k8")
    assert names(board, answers(board, "fours")) == {"l8"}
    with pytest.raises(GameOver):
        answers(Board.from_moves("h8a1i8a2j8a15k8o1l8"))
    with pytest.raises(TengenError):
        answers(board, "twos")


@settings(max_examples=60)
@given(tangles(), st.sampled_from(SETS[:2]))
def test_what_is_no_answer_loses(board, threats):
    attacker = board.turn
    for point in tengen.winning_points(board, Limit(nodes=5_000), threats=threats).points[:2]:
        after = replayed(board, [point])
        if after.outcome() is not None:
            continue
        useful = answers(after, threats)
        for reply in after.legal_points()[::7]:
            if reply not in useful and (last := replayed(after, [reply])).outcome() is None:
                assert tengen.solve_vct(last, Limit(nodes=50_000), attacker).winner == attacker


def test_where_a_five_can_be_made_the_fives_win():
    board = Board.from_moves("h8a1i8a2j8a15k8o1")
    assert names(board, tengen.winning_points(board).points) == {"g8", "l8"}


@settings(max_examples=40)
@given(tangles(), st.sampled_from(SETS[1:]))
@pytest.mark.long
def test_the_points_that_win_are_those_of_a_plain_search(board, threats):
    """Each point that a plain search finds is told; after each that is told there is no defence."""
    attacker, cells = board.turn, list(board.position)
    oracle = ThreatOracle(board.rules, 250, quiet=threats == "any")
    assume(not oracle.fives(cells, attacker) and not oracle.fives(cells, opponent(attacker)))
    found = tengen.winning_points(board, Limit(nodes=20_000), threats=threats)
    try:
        plain = {point for point in oracle.threats(cells, attacker) if oracle.beats(board, point)}
        assert plain <= {*found.points, *found.open}
        assert all(oracle.beats(board, point) for point in found.points)
    except TooLong:
        assume(False)
    for point in found.points:
        proven_win(replayed(board, [point]), attacker, threats)


def test_what_stops_an_open_three():
    board = Board.from_moves("h8a1i8a15j8")
    found = tengen.defences(board)
    assert (names(board, found.stops), found.proven, found.open) == ({"g8", "k8"}, True, ())
    assert found.win.winner == BLACK
    assert len(found.stops) + len(found.loses) == len(board.legal_points())
    for point in found.loses[::10]:
        assert won(replayed(board, [point])).winner == BLACK


@pytest.mark.long
@settings(max_examples=40)
@given(tangles(), st.sampled_from(SETS))
def test_a_defence_is_what_leaves_no_win(board, threats):
    attacker, limit = opponent(board.turn), Limit(nodes=20_000)
    found = tengen.defences(board, limit, threats=threats)
    if not found.win.proven or found.win.winner is None:
        assert not found.stops + found.loses
        return
    assert sorted(found.stops + found.loses + found.open) == board.legal_points()
    for point in found.stops + found.loses:
        after = replayed(board, [point])
        if after.outcome() is None:
            proving = point in found.loses[:2]
            later = (won if proving else tengen.solve_vct)(after, limit, threats=threats)
            assert not later.proven or (later.winner == attacker) == (point in found.loses)


def test_a_foul_that_may_be_played_loses():
    rules = Rules.named("renju", fouls="loses")
    board = Board.from_stones(["g8", "i8", "h7", "h9"], ["c3", "d3", "e3", "a15"], BLACK, rules)
    found = tengen.defences(board)
    assert found.win.winner == WHITE
    assert board.point("h8") in found.loses


@pytest.mark.parametrize("find", [tengen.winning_points, tengen.defences])
def test_what_a_limit_leaves_open_is_said(find):
    board = Board.from_moves("h8h9i8g8j6j9i9o15", "renju")
    found = find(board, Limit(nodes=9_000), BLACK)
    assert found.open
    assert not found.proven
    assert found.nodes <= 9_100
    stop = threading.Event()
    stop.set()
    assert not find(board, None, BLACK, stop).proven


def test_a_stop_signal_ends_it():
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    assert tengen.winning_points(Board.from_moves(LONG), stop=stop).open


def test_how_far_it_is_is_told():
    progress = PointsProgress()
    board = Board.from_moves("h8a1i8a15j8")
    tengen.defences(board, progress=progress)
    assert progress.settled == progress.points == len(board.legal_points())


@pytest.mark.parametrize("find", [tengen.winning_points, tengen.defences])
def test_what_cannot_be_asked(find):
    with pytest.raises(GameOver):
        find(Board.from_moves("h8a1i8a2j8a3k8a4l8"))
    for wrong in ({"threats": "twos"}, {"memory_mb": 0}):
        with pytest.raises(TengenError):
            find(Board.from_moves("h8"), **wrong)


# -- the shortest


@pytest.mark.long
@settings(max_examples=60)
@given(tangles(), st.sampled_from(SETS[1:]))
def test_the_shortest_win_is_the_shortest(board, threats):
    """No plain search over the same threats wins in fewer plies; and the line is just as long."""
    found = won(board, Limit(nodes=20_000), threats=threats, shortest=True)
    assume(found.winner is not None and found.shortest)
    oracle = ThreatOracle(board.rules, 600, quiet=threats == "any")
    try:
        fewest = next(plies for plies in count(1, 2) if oracle.wins_within(board, board.turn, plies))
    except TooLong:
        assume(False)
    assert found.length == fewest
    outcome = replayed(board, found.line).outcome()
    assert outcome is not None
    assert outcome.winner == board.turn


def test_a_long_win_has_a_shorter_one():
    board = Board.from_moves("h8h9i8g8j6j9i9o15", "renju")
    some, least = tengen.solve_vct(board), tengen.solve_vct(board, shortest=True)
    assert least.length < some.length
    assert (least.shortest, some.shortest) == (True, False)
    for plies, winner in ((least.length - 2, None), (least.length, BLACK)):
        assert tengen.solve_vct(board, Limit(depth=plies)).winner == winner


def test_a_win_that_is_not_known_to_be_the_shortest_is_one():
    board = Board.from_moves("h8h9i8g8j6j9i9o15", "renju")
    found = tengen.solve_vct(board, Limit(nodes=6_000), shortest=True)
    assert (found.winner, found.shortest) == (BLACK, False)


def test_the_fewest_fours_are_the_fewest_plies():
    assert tengen.solve_vcf(Board.from_moves("h8a1i8a3j8a5"), shortest=True).shortest
    found = tengen.solve_vct(Board.from_moves("h8a1i8a3j8a5"), threats="fours", shortest=True)
    assert found.shortest
    assert not tengen.solve_vcf(Board.from_moves(THREE_THREE), shortest=True).shortest


MIRRORED, _ = drawn(
    """
    . . . . . . . . .
    . . . . O . . . .
    . . X . . . X . .
    . . . . O . . . .
    . O . X . X . O .
    . . . . . . . . .
    . . . X . X . . .
    . . . . O . . . .
    O . . . . . . . O
    """,
    "freestyle",
)
"""The left half is the right half's mirror image."""


@pytest.mark.parametrize("colour", [0, 3, 1.0, "black"])
@pytest.mark.parametrize(
    "find", [tengen.solve_vcf, tengen.solve_vct, tengen.winning_points, tengen.defences]
)
def test_nothing_is_proven_of_what_is_no_colour(find, colour):
    with pytest.raises(TengenError, match=r"the attacker is .*: expected 1 \(Black\) or 2 \(White\)"):
        find(Board.from_moves("h8i9"), colour=colour)


def mirrored(points: tuple[int, ...]) -> set[int]:
    """Where the left half's points are on the right, and the other way round."""
    return {point // 9 * 9 + 8 - point % 9 for point in points}


@pytest.mark.parametrize("find", [tengen.winning_points, tengen.defences])
def test_of_points_that_are_alike_one_is_searched(find, monkeypatch):
    found = find(MIRRORED, colour=BLACK)
    monkeypatch.setattr(root_moves, "representatives", lambda _: {point: point for point in range(81)})
    each = find(MIRRORED, colour=BLACK)
    assert found.nodes < each.nodes
    if isinstance(found, WinningPoints) and isinstance(each, WinningPoints):
        assert found.points == each.points != ()
    else:
        assert (found.stops, found.loses) == (each.stops, each.loses)
        assert found.stops != ()


@pytest.mark.parametrize("nodes", [20, 100, 300, 700, 1000])
@pytest.mark.parametrize("find", [tengen.winning_points, tengen.defences])
def test_points_that_are_alike_are_settled_together(find, nodes):
    """Whatever a limit leaves open, it does so on both sides; and each counts as settled."""
    progress = PointsProgress()
    found = find(MIRRORED, Limit(nodes=nodes), BLACK, progress=progress)
    first, *others = (found.points,) if find is tengen.winning_points else (found.stops, found.loses)
    for points in (first, *others, found.open):
        assert mirrored(points) == set(points)
    assert progress.settled == progress.points - len(found.open)
