"""Puzzles: what they are made of, how difficult they are, and how they are read and written."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, Board, Rules
from tengen.study.puzzle import (
    LEVELS,
    Puzzle,
    PuzzleError,
    PuzzleReply,
    PuzzleTurn,
    moves_needed,
    shortest_line,
    turn_data,
)
from tengen.study.puzzle_set import shipped

THREE = "h8a1i8a2j8o15"
"""Black has an open three, and is to move."""

END = PuzzleReply((), None)


def puzzle(moves=THREE, kind="vcf", turn=None, rules="freestyle"):
    board = Board.from_moves(moves, rules)
    four = PuzzleReply((board.point("g8"), board.point("l8")), None)
    return Puzzle(board.rules, board.moves, kind, turn or PuzzleTurn({board.point("k8"): four}, ()))


def turns():
    """Turns of any form; whether their moves could be played is not asked."""
    points = st.integers(0, 224)
    wrong = st.lists(points, max_size=4).map(tuple)
    ends = st.builds(PuzzleReply, st.lists(points, max_size=3).map(tuple), st.none())

    def over(inner):
        replies = st.one_of(ends, st.builds(PuzzleReply, st.tuples(points), inner))
        right = st.dictionaries(points, replies, min_size=1, max_size=3)
        return st.builds(PuzzleTurn, right, wrong)

    last = st.builds(PuzzleTurn, st.dictionaries(points, ends, min_size=1, max_size=3), wrong)
    return st.recursive(last, over, max_leaves=6)


def ways(turn):
    """All ways to solve it: the number of the solver's moves and the chance of each."""
    share = 1 / (len(turn.right) + len(turn.wrong))
    for reply in turn.right.values():
        if reply.turn is None:
            yield 1, share
        else:
            yield from ((count + 1, share * chance) for count, chance in ways(reply.turn))


@given(turns())
def test_length_and_difficulty_are_those_of_all_ways_to_solve_it(turn):
    one = puzzle(turn=turn)
    assert one.length == moves_needed(turn) == min(count for count, _ in ways(turn))
    assert math.isclose(2**-one.difficulty, sum(chance for _, chance in ways(turn)))
    assert 1 <= one.level <= LEVELS


@given(turns())
def test_the_shortest_line_follows_the_turns(turn):
    line, at, moves = shortest_line(turn), turn, 0
    while at is not None:
        reply = at.right[line[0]]
        assert line[1 : 1 + len(reply.moves)] == reply.moves
        line, at, moves = line[1 + len(reply.moves) :], reply.turn, moves + 1
    assert (line, moves) == ((), moves_needed(turn))


def test_what_can_be_asked_of_a_puzzle():
    one = puzzle()
    assert (one.solver, one.length, one.difficulty, one.level) == (BLACK, 1, 0, 1)
    assert [one.board().name(point) for point in one.solution()] == ["k8", "g8", "l8"]
    assert one.board() == Board.from_moves(THREE)


def test_a_name_says_rules_position_and_kind():
    one = puzzle()
    assert one.name == puzzle().name
    assert len(one.name) == 8
    others = [puzzle(kind="vct"), puzzle(rules="standard"), puzzle(THREE[:-3] + "o14")]
    assert len({one.name, *(other.name for other in others)}) == 4


def test_it_is_written_and_read_as_it_was():
    for one in (puzzle(), *list(shipped().values())[::25]):
        again = Puzzle.from_dict(json.loads(json.dumps(one.to_dict())))
        assert again == one
        assert again.name == one.name


def test_rules_without_a_name_are_written_whole():
    rules = Rules.named("renju", size=15, double_three=False)
    one = Puzzle(rules, puzzle().moves, "vcf", puzzle().turn)
    assert one.to_dict()["rules"] == rules.to_dict()
    assert Puzzle.from_dict(one.to_dict()) == one
    small = Rules.mnk(9, 9, 5)
    assert Puzzle.from_dict(Puzzle(small, (40,), "vcf", PuzzleTurn({1: END}, ())).to_dict()).rules == small


def test_a_turn_as_data():
    board = Board.from_moves(THREE)
    assert turn_data(puzzle().turn, board.width) == {
        "right": {"k8": {"moves": "g8l8", "turn": None}},
        "wrong": "",
    }


def broken(**changes):
    return puzzle().to_dict() | changes


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({}, "not a puzzle: expected rules, moves, kind and turn, as Tengen writes them"),
        (broken(kind="mate"), "'mate' is not a kind of puzzle: expected one of vcf, vct, defence"),
        (broken(rules="chess"), "not a puzzle: 'chess' is not the name of rules"),
        (broken(moves="h8h8"), "not a puzzle: h8 is occupied"),
        (broken(moves=7), "not a puzzle: expected rules"),
        (broken(size=15), "not a puzzle: expected rules"),
        (broken(turn={"right": {}, "wrong": ""}), "not a puzzle: expected rules"),
        (broken(turn={"right": {"h8": {"moves": "", "turn": None}}, "wrong": ""}), "h8 is occupied"),
        (broken(turn={"right": {"k8": {"moves": "k8", "turn": None}}, "wrong": ""}), "k8 is occupied"),
        (
            broken(turn={"right": {"k8": {"moves": "g8", "turn": []}}, "wrong": ""}),
            "not a puzzle: expected",
        ),
        (broken(turn={"right": {"k8": None}, "wrong": ""}), "not a puzzle: expected rules"),
        (broken(turn={"right": {"k8": {"moves": "g8", "turn": None}}, "wrong": "z99"}), "not a puzzle: "),
    ],
)
def test_what_is_no_puzzle_is_told_in_a_sentence(data, sentence):
    with pytest.raises(PuzzleError) as caught:
        Puzzle.from_dict(data)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_puzzle_without_an_end_is_none():
    endless = {"right": {"k8": {"moves": "g8", "turn": None}}, "wrong": ""}
    for _ in range(100):
        endless = {"right": {"k8": {"moves": "g8", "turn": endless}}, "wrong": ""}
    with pytest.raises(PuzzleError):
        Puzzle.from_dict(broken(turn=endless))
