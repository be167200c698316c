from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Limit, Rules, Score, TengenError, player
from tengen.game.player import SOONEST
from tengen.game.rules import NAMES
from tengen.players.random import Random
from tengen.players.threats import NODES, Threats, find_vcf
from tests.players.games import check_explanation, check_promises, check_stops, play
from tests.positions import drawn, ended, rows_of
from tests.strategies import boards, rules, set_up

ROWS = rows_of("vcf.jsonl")
SHORT = [row for row in ROWS if row["win"] and row["min_fours"] <= 6]
LONG = [row for row in ROWS if row["win"] and row["min_fours"] > 6]
NONE = [row for row in ROWS if not row["win"]]


def names(board, points):
    return [board.name(point) for point in points]


def check_line(board, line):
    """Every move of the attacker's but the last makes a four; the last makes five."""
    attacker = board.turn
    game = board.copy()
    for ply, point in enumerate(line):
        assert game.outcome() is None
        if ply % 2 == 0:
            assert game.foul(point) is None or attacker == WHITE
        game.push(point)
        if ply % 2 == 0 and game.outcome() is None:
            stones = {c: game.stones(c) for c in (BLACK, WHITE)}
            threat = Board.from_stones(stones[BLACK], stones[WHITE], attacker, board.rules)
            assert find_vcf(threat, fours=0).line
    assert (ended(game).winner, ended(game).reason) == (attacker, "five")


# -- the search, against positions whose shortest win is known


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_short_wins_are_found_and_are_the_shortest(rule):
    for row in SHORT:
        if row["rule"] == rule:
            board = Board.from_moves(row["moves"], rules=rule)
            found = find_vcf(board, Limit(nodes=NODES // 2))
            assert found.proven
            assert (len(found.line) - 1) // 2 == row["min_fours"], row["id"]
            check_line(board, found.line)


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_no_win_is_found_where_there_is_none(rule):
    for row in NONE[::3]:
        if row["rule"] == rule:
            found = find_vcf(Board.from_moves(row["moves"], rules=rule), Limit(nodes=NODES // 2))
            assert found.line == ()
            assert found.proven, row["id"]


@pytest.mark.slow
def test_every_win_is_found_and_nothing_else():
    for row in ROWS:
        board = Board.from_moves(row["moves"], rules=row["rule"])
        found = find_vcf(board)
        assert found.proven
        assert bool(found.line) == row["win"]
        if found.line:
            assert (len(found.line) - 1) // 2 == row["min_fours"], row["id"]
            check_line(board, found.line)


def shortest(board, fours):
    """The least number of fours that win, by trying everything on the board; None if more than `fours`."""
    me = board.turn

    def result(point):
        board.push(point)
        outcome, claim = board.outcome(), board.claimable()
        board.pop()
        if me == BLACK and claim:
            return "foul"
        return None if outcome is None else "win" if outcome.winner == me else "end"

    legal = board.legal_points()
    results = {point: result(point) for point in legal}
    if "win" in results.values():
        return 0
    if fours == 0:
        return None
    best = None
    for point in legal:
        if results[point] is None:
            board.push(point)
            longest = after_all_answers(board, me, fours - 1) if threatens(board, me) else None
            board.pop()
            if longest is not None:
                best = min(best or 99, 1 + longest)
    return best


def threatens(board, me):
    stones = {colour: board.stones(colour) for colour in (BLACK, WHITE)}
    passed = Board.from_stones(stones[BLACK], stones[WHITE], me, board.rules)
    return not passed.outcome() and shortest(passed, 0) == 0


def after_all_answers(board, me, fours):
    """The most fours that any answer makes necessary; None if one of them holds."""
    longest = None
    for answer in board.legal_points():
        board.push(answer)
        outcome, claim = board.outcome(), board.claimable()
        if outcome is None and not (claim and me == WHITE):
            need = shortest(board, fours)
        else:
            lost = (claim and me == WHITE) or (outcome is not None and outcome.winner == me)
            need = -1 if lost else None  # a foul answers nothing, and ends nothing
        board.pop()
        if need is None:
            return None
        longest = max(need, -1 if longest is None else longest)
    return None if longest is None else max(longest, 0)


@settings(max_examples=150)
@given(set_up(rules(st.integers(3, 6)), (0, 0, 0, 0, 1, 2)))
@pytest.mark.long
def test_the_search_agrees_with_trying_everything(board):
    assume(not board.outcome() and board.rules.k >= 3 and not board.rules.passing)
    assume(not board.claimable())
    assume(len(board.legal_points()) > 2)
    for fours in (0, 1, 2):
        found = find_vcf(board, fours=fours)
        expected = shortest(board.copy(), fours)
        assert bool(found.line) == (expected is not None)
        if found.line:
            assert (len(found.line) - 1) // 2 == expected
            check_line(board, found.line)
            break


def test_a_win_for_the_side_that_is_not_to_move_can_be_asked_for():
    board, at = drawn(". . . p X X X q . .", rules="freestyle", turn=WHITE)
    assert not find_vcf(board).line
    assert find_vcf(board, colour=BLACK).line[0] in (at["p"], at["q"])


def test_white_wins_by_a_four_whose_only_answer_is_a_foul():
    picture = """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        X O O . p O . . .
        . . . . . X . . .
        . . . . . . X . .
        . . . . . . . . .
        """
    for fouls in ("forbidden", "loses", "claimed"):
        board, at = drawn(picture, turn=WHITE, fouls=fouls)
        found = find_vcf(board)
        assert names(board, found.line)[0] == "d4"
        assert found.line[1] != at["p"]
        assert found.line[2] == at["p"]
    board, _ = drawn(picture, rules="freestyle", turn=WHITE)
    assert not find_vcf(board).line


def test_black_may_answer_where_the_foul_makes_five():
    board, at = drawn(
        """
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        X O O . p O . . .
        . . . . X X . . .
        . . . . . . X . .
        . . . . O . . . .
        """,
        turn=WHITE,
    )
    # White's four stops nothing: Black's answer in p is a five.
    assert at["p"] not in board.fouls()
    assert not find_vcf(board).line


def test_it_is_no_win_where_the_defender_is_left_without_a_legal_move():
    rules = Rules(width=7, height=2, k=3, overline="foul")
    black, white = ["a2", "d2", "f2", "g2", "d1", "e1", "f1", "g1"], ["b2", "c2", "e2", "a1"]
    board = Board.from_stones(black, white, WHITE, rules)
    assert not find_vcf(board).line
    board.push(
        "b1"
    )  # Black may not stop the three in c1, which would be an overline, and has no other move
    assert ended(board).reason == "full"
    lost = Board.from_stones(black, white, WHITE, replace(rules, fouls="loses"))
    assert not find_vcf(lost).line  # won all the same, but that Black has to play a foul is not looked for


def test_a_limit_ends_the_search_unproven():
    row = max(ROWS, key=lambda row: row["min_fours"] or 0)
    board = Board.from_moves(row["moves"], rules=row["rule"])
    found = find_vcf(board, Limit(nodes=100))
    assert (found.line, found.proven, found.nodes) == ((), False, 100)
    assert not find_vcf(board, Limit(depth=5)).proven
    assert not find_vcf(board, Limit(seconds=SOONEST)).proven


# -- the player


def decides(picture, turn=BLACK, rules="freestyle", **overrides):
    board, at = drawn(picture, rules=rules, turn=turn, **overrides)
    made = Threats()
    explanation = made.explain(board)
    signs = {point: sign for sign, point in at.items()}
    point = made.choose(board).point
    return signs.get(point, board.name(point)), explanation.summary.key.removeprefix("explain.threats.")


def test_it_takes_a_five_before_it_stops_one():
    picture = """
        . . . . . . . .
        O X X X X f . .
        . . . . . . . .
        X O O O O b . .
        . . . . . . . .
        """
    assert decides(picture) == ("f", "five")
    assert decides(picture, WHITE) == ("b", "five")
    assert decides(picture.replace("O X X X X f", "O . X X X ."), BLACK) == ("b", "answer")


FOUR_THREE = ["f8", "g8", "h8", "i9", "i10"], ["e8", "c4", "l4", "c12", "l12"]


def test_it_wins_by_fours_and_shows_how():
    board = Board.from_stones(*FOUR_THREE)
    choice, explanation = Threats().choose(board), Threats().explain(board)
    assert names(board, choice.line)[:3] == ["i8", "j8", "i7"]
    assert choice.score == Score.win_in(5)
    assert explanation.lines == (choice.line,)
    assert str(explanation.summary) == "i8 starts a win with 2 fours: i8, j8, i7, i6, i11"


def test_it_stops_an_open_three_and_the_opponents_win_by_fours():
    assert decides(". . . a X X X b . . .", WHITE)[1] == "defence"
    board = Board.from_stones(*FOUR_THREE, WHITE)
    choice, explanation = Threats().choose(board), Threats().explain(board)
    assert explanation.summary.key == "explain.threats.defence"
    board.push(choice.point)
    assert not find_vcf(board).line


def test_it_says_when_all_is_lost():
    assert decides(". . a X X X X b . .", WHITE)[1] == "lost"
    board, _ = drawn(". . a X X X X b . .", rules="freestyle", turn=WHITE)
    assert Threats().choose(board).score == Score.loss_in(2)
    two_threes = """
        . . . . . . . . . . .
        . . . X X X . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . X X X . . .
        . . . . . . . . . . .
        O . O . . . . . O . O
        """
    assert decides(two_threes, WHITE)[1] == "lost"
    board, _ = drawn(". . . . X X X X . . . . X X X X . . . .", rules="freestyle", turn=WHITE)
    assert Threats().choose(board).point in (3, 8, 11, 16)


def test_where_nothing_happens_it_plays_as_shapes_do():
    board = Board.from_moves("h8 i9 g8 a1")
    for preset in ("o2", "o5"):
        shapes, threats = player(f"shapes:{preset}"), player(f"threats,shapes={preset}")
        assert threats.choose(board).point == shapes.choose(board).point
        assert threats.explain(board).weights == shapes.explain(board).weights
        assert threats.explain(board).parts == shapes.explain(board).parts


def test_its_name_makes_it_again():
    for spec in ("threats", "threats,shapes=o2", "threats,nodes=500", "threats,nodes=500,seed=3"):
        assert player(spec).name == spec
    with pytest.raises(TengenError, match="nodes is 0: expected a whole number of at least 1"):
        player("threats,nodes=0")
    with pytest.raises(TengenError, match="no preset 'o3'"):
        player("threats,shapes=o3")


@settings(deadline=None)
@given(boards())
@example(Board.from_moves("h8", rules="renju"))
def test_it_keeps_its_promises_anywhere(board):
    check_promises(Threats(nodes=500), board)
    check_explanation(Threats(nodes=500), board)
    check_promises(Threats(), board, Limit(nodes=40))
    check_promises(Threats(), board, Limit(depth=1))


def test_it_stops_when_told_to():
    row = max(ROWS, key=lambda row: row["min_fours"] or 0)
    check_stops(Threats(), Board.from_moves(row["moves"], rules=row["rule"]))


@pytest.mark.long
@pytest.mark.parametrize("rule", NAMES)
def test_games_without_an_illegal_move(rule):
    for seed in range(2):
        made = Threats(nodes=300, seed=seed)
        play(made, made, rule)
        play(Random(seed), made, rule)


@pytest.mark.slow
@pytest.mark.parametrize("rule", NAMES)
def test_fifty_games_without_an_illegal_move(rule):
    for seed in range(25):
        made = Threats(seed=seed)
        play(made, Random(seed), rule)
        play(Random(seed), made, rule)
