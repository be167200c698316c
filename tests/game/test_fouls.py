from __future__ import annotations

import re
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, Board, Foul, Rules
from tengen.game import fouls
from tengen.game.fouls import find_foul
from tengen.game.points import axes
from tests import oracle, strategies
from tests.positions import drawn, ended, foul_at, rows_of


@lru_cache(maxsize=1)
def fixtures():
    """The positions of forbidden.jsonl with their boards."""
    rows = rows_of("forbidden.jsonl")
    return [(row, Board.from_moves(row["moves"], Rules.named("renju", size=row["size"]))) for row in rows]


def named(board):
    return {board.name(point): foul.kind for point, foul in board.fouls().items()}


@pytest.mark.long
@pytest.mark.uncovered
def test_the_forbidden_points_of_547_positions():
    assert len(fixtures()) == 547
    wrong = [row["id"] for row, board in fixtures() if named(board) != row["forbidden"]]
    assert wrong == []


@pytest.mark.long
@pytest.mark.uncovered
def test_the_legal_points_are_the_others():
    for row, board in fixtures():
        legal = {board.name(point) for point in board.legal_points()}
        empty = {board.name(point) for point in board.stones(EMPTY)}
        assert legal == empty - set(row["forbidden"]), row["id"]


def test_three_threes_that_are_allowed():
    points = [(board, name) for row, board in fixtures() for name in row["allowed_double_three"]]
    assert points
    for board, name in points:
        assert board.is_legal(name)
        point = board.point(name)
        shapes = list(oracle.extensions(board.rules, oracle.put(board.position, point), point))
        assert len({line for line, _, _ in shapes}) >= 2


def test_fives_despite_the_shape_of_a_foul():
    points = [(board, name) for row, board in fixtures() for name in row.get("five_despite_foul_shape", [])]
    assert points
    for board, name in points:
        after = board.copy()
        after.push(name)
        assert (ended(after).winner, ended(after).reason) == (BLACK, "five")


def test_two_fours_on_one_line_share_the_line():
    points = [(board, name) for row, board in fixtures() for name in row.get("same_line_double_four", [])]
    assert points
    for board, name in points:
        fours = foul_at(board, name).lines
        assert foul_at(board, name).kind == "double-four"
        lines = [
            line
            for line in oracle.lines_through(board.width, board.height, board.point(name))
            if sum(set(four) <= set(line) for four in fours) >= 2
        ]
        assert lines


STONES = """
    ## an overline
    X X p X X X . .
    = overline: a1 b1 c1 d1 e1 f1

    ## two overlines
    . . . X .  . . .
    . . . X .  . . .
    X X X p X  X X .
    . . . X .  . . .
    . . . X .  . . .
    . . . X .  . . .
    = overline: a4 b4 c4 d4 e4 f4 g4; d1 d2 d3 d4 d5 d6

    ## two fours
    . . . . . .
    O X X X p .
    . . . . X .
    . . . . X .
    . . . . X .
    . . . . O .
    = double-four: b5 c5 d5 e5; e2 e3 e4 e5

    ## two fours on one line
    X . X p X . X
    = double-four: a1 c1 d1 e1; c1 d1 e1 g1

    ## no two threes: from c2 to e5 nothing is straight, and d4 and e4 are in no line with c5 and e5
    . . . . . . .
    . . . . . . .
    . . X . p . .
    . . . X X . .
    . . . . . . .
    . . X . . . .
    . . . . . . .
    = None

    ## two threes
    . . . . . . .
    . . . . . . .
    . X . X p . .
    . . . . X . .
    . . . . X . .
    . . . . . . .
    . . . . . . .
    = double-three: b5 d5 e5; e3 e4 e5

    ## all threes, where there are more than two
    . . . . . . .
    . . X . X . .
    . . X X . . .
    . . p X X . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    = double-three: c4 d4 e4; c4 c5 c6; c4 d5 e6
"""
"""Foul moves in `p`, their kinds, and the stones of each line."""


@pytest.mark.parametrize("foul", re.split(r"\s*## ", STONES)[1:], ids=lambda text: text.split("\n")[0])
def test_the_stones_of_a_foul(foul):
    picture, _, told = foul.partition("\n")[2].partition("=")
    board, at = drawn(picture)
    found = board.foul(at["p"])
    kind, _, lines = told.strip().partition(": ")
    assert str(found and found.kind) == kind
    if found is not None:
        assert len(found.lines) == len(lines.split("; "))
        assert {" ".join(map(board.name, line)) for line in found.lines} == set(lines.split("; "))


def test_deeper_checks_go_on_no_longer_than_until_it_is_known(monkeypatch):
    """Every third column is full of black stones, so that nearly each stone imagined has three threes."""
    checks = 0

    def counted(*arguments, **options):
        nonlocal checks
        checks += 1
        return find_foul(*arguments, **options)

    monkeypatch.setattr(fouls, "find_foul", counted)
    stones = [y * 15 + x for y in range(15) for x in range(0, 15, 3)]
    board = Board.from_stones(stones, rules="renju")
    found = board.fouls()
    assert (len(found), {foul.kind for foul in found.values()}) == (30, {"double-three"})
    assert checks < 3000  # with all threes of each they are 9500


def test_rules_without_a_foul_have_none():
    row = "X X p X X X"
    assert drawn(row, rules="freestyle")[0].fouls() == {}
    assert drawn(row, rules="standard")[0].fouls() == {}
    assert set(drawn(row, rules="renju")[0].fouls()) == {2}


SIX = "X X p X X X ."
FOUR_FOUR = "X . X p X . X"
THREE_THREE = """
    . . . . . . .
    . . X . . . .
    . . X . . . .
    . . p . X X .
    . . . . . . .
    . . . . . . .
"""


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        ({"overline": "foul"}, ["overline", None, None]),
        ({"overline": "no_win", "double_four": True}, [None, "double-four", None]),
        ({"overline": "no_win", "double_three": True}, [None, None, "double-three"]),
        (
            {"overline": "wins", "double_four": True, "double_three": True},
            [None, "double-four", "double-three"],
        ),
        ({"overline": "wins"}, [None, None, None]),
    ],
)
def test_each_foul_can_be_switched_on_alone(fields, kinds):
    found = []
    for picture in (SIX, FOUR_FOUR, THREE_THREE):
        board, at = drawn(picture, rules="freestyle", **fields)
        foul = board.foul(at["p"])
        found.append(foul and foul.kind)
    assert found == kinds


@pytest.mark.parametrize(("rules", "kind"), [("standard", "double-four"), ("caro", None)])
def test_a_four_that_would_become_a_blocked_five_is_none_in_caro(rules, kind):
    board, at = drawn(
        """
        . . . . . . .
        . . . X . . .
        . . . X . . .
        O . X p X X O
        . . . X . . .
        . . . O . . .
        """,
        rules=rules,
        double_four=True,
    )
    foul = board.foul(at["p"])
    assert (foul and foul.kind) == kind


@pytest.mark.parametrize("row", [". p X X X . X X", ". p X X X . X .", "X . X p X . X ."])
def test_a_foul_depends_on_the_lines_through_its_point_alone(row):
    rows = [row, *[". . . . . . . ."] * 3]
    board, at = drawn("\n".join(rows), rules="freestyle", double_four=True)
    # A stone on another line through p that makes nothing there.
    beside, _ = drawn("\n".join([row, ". . X . . . . .", *rows[2:]]), rules="freestyle", double_four=True)
    assert board.foul(at["p"]) == beside.foul(at["p"])


@st.composite
def dense(draw):
    """Rules with fouls and a dense random position, in which fives may stand."""
    rules = draw(strategies.fouled_rules(sides=st.integers(5, 11)))
    return rules, draw(strategies.cells(rules))


def same_as_the_oracle(rules, cells):
    grid = axes(rules.width, rules.height)
    changing = bytearray(cells)
    for point in range(rules.points):
        if cells[point] != EMPTY:
            continue
        foul = find_foul(rules, changing, grid, point)
        assert changing == cells
        assert (foul and foul.kind) == oracle.foul(rules, cells, point), point
        if foul is not None:
            same_lines(rules, cells, point, foul)


def same_lines(rules, cells, point, foul):
    after = oracle.put(cells, point)
    assert all(point in line for line in foul.lines)
    if rules.k > 3:  # else a three is the same single stone on every line
        assert len(set(foul.lines)) == len(foul.lines)
    if foul.kind == "overline":
        assert set(foul.lines) == oracle.overlines(rules, after, point)
    elif foul.kind == "double-four":
        assert set(foul.lines) == oracle.fours(rules, after, point)
    else:
        real = [
            (line, three)
            for line, extension, three in oracle.extensions(rules, after, point)
            if oracle.foul(rules, after, extension) is None
        ]
        assert set(foul.lines) <= {three for _, three in real}
        assert len(foul.lines) == len({line for line, _ in real})


@pytest.mark.uncovered
@given(dense())
def test_fouls_are_those_of_a_slow_second_reading(position):
    same_as_the_oracle(*position)


@pytest.mark.uncovered
@given(strategies.played(strategies.fouled_rules(st.integers(6, 9)), most=60))
def test_fouls_in_play_are_those_of_a_slow_second_reading(board):
    same_as_the_oracle(board.rules, board.position)
    if board.outcome() is None or ended(board).reason != "five":
        kinds = {point: foul.kind for point, foul in board.fouls().items()}
        assert kinds == oracle.fouls(board.rules, board.position)
    else:
        assert board.fouls() == {}


@given(st.integers(3, 5), st.data())
def test_four_in_a_row_with_fouls(side, data):
    rules = Rules(width=side, height=side, k=4, overline="foul", double_three=True, double_four=True)
    same_as_the_oracle(rules, data.draw(strategies.cells(rules)))


@pytest.mark.slow
def test_fouls_of_the_second_reading_on_all_positions_of_the_file():
    for _, board in fixtures():
        same_as_the_oracle(board.rules, board.position)


def test_a_foul_is_a_value():
    foul = Foul("overline", ((0, 1, 2, 3, 4, 5),))
    assert foul == Foul("overline", ((0, 1, 2, 3, 4, 5),))
    assert hash(foul) == hash(Foul("overline", ((0, 1, 2, 3, 4, 5),)))
