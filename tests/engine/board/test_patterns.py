"""The tables say of every line what the rules say of it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, WHITE, Rules
from tengen.engine.board.patterns import (
    CODES,
    REACH,
    Bytes,
    Pattern,
    pattern_table,
    patterns_of,
    possible_codes,
)
from tengen.game.points import Colour, axes
from tengen.game.rows import row_through, wins_along

NAMES = ("freestyle", "standard", "renju", "caro")
SIGNS = {".": 0, "x": 1, "o": 2, "#": 3}


@cache
def patterns(name: str, colour: Colour) -> Bytes:
    return patterns_of(Rules.named(name), colour)


def code(text: str) -> int:
    """The code of a line such as ``..xx._.o...``, where ``_`` is the point itself."""
    before, after = text.split("_")
    points = [SIGNS[sign] for sign in before[-REACH:].rjust(REACH, "#") + after[:REACH].ljust(REACH, "#")]
    return sum(point << (2 * place) for place, point in enumerate(points))


def pattern(text: str, rules: str = "freestyle", colour: Colour = BLACK) -> Pattern:
    return Pattern(int(patterns(rules, colour)[code(text)]))


EXAMPLES = [
    ("xxxx_.....", "freestyle", Pattern.FIVE),
    ("ooxxx_x...", "freestyle", Pattern.FIVE),
    (".xxxx_x...", "freestyle", Pattern.FIVE),
    (".xxxx_x...", "standard", Pattern.OVERLINE),
    (".xxxx_x...", "renju", Pattern.OVERLINE),
    ("oxxxx_o...", "freestyle", Pattern.FIVE),
    ("oxxxx_o...", "caro", Pattern.DEAD),
    ("#xxxx_o...", "caro", Pattern.FIVE),
    ("..xxx_....", "freestyle", Pattern.OPEN_FOUR),
    ("..xxx_o...", "freestyle", Pattern.FOUR),
    ("x.xx_.x...", "freestyle", Pattern.DOUBLE_FOUR),
    ("x.xx_.x...", "renju", Pattern.DOUBLE_FOUR),
    ("x.xxx_.x..", "standard", Pattern.DEAD),
    ("...xx_....", "freestyle", Pattern.OPEN_THREE),
    ("..oxx_....", "freestyle", Pattern.THREE),
    ("#####_....", "freestyle", Pattern.ONE),
    ("#####_...o", "freestyle", Pattern.DEAD),
    ("....o_o....", "freestyle", Pattern.DEAD),
]


@pytest.mark.parametrize(("text", "rules", "expected"), EXAMPLES)
def test_examples(text, rules, expected):
    if expected is Pattern.DEAD and rules == "standard":
        # Both of its fives would be six long.
        assert pattern(text, rules) < Pattern.FIVE
    else:
        assert pattern(text, rules) == expected


def test_an_edge_has_no_gap():
    codes = possible_codes()
    lines = {tuple((c >> (2 * i)) & 3 == 3 for i in range(2 * REACH)) for c in codes.tolist()}
    assert len(lines) == (REACH + 1) ** 2
    assert len(codes) == sum(3 ** (10 - a - b) for a in range(6) for b in range(6))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_line_reads_the_same_from_both_ends(name, colour):
    table, codes = patterns(name, colour), possible_codes()
    mirrored = sum(((codes >> (2 * place)) & 3) << (2 * (9 - place)) for place in range(10))
    assert (table[codes] == table[mirrored]).all()


@pytest.mark.parametrize("name", ["freestyle", "standard", "caro"])
def test_colours_are_alike_where_the_rules_are(name):
    codes = possible_codes()
    swapped = np.zeros_like(codes)
    for place in range(10):
        point = (codes >> (2 * place)) & 3
        swapped |= np.array([0, 2, 1, 3])[point] << (2 * place)
    assert (patterns(name, BLACK)[codes] == patterns(name, WHITE)[swapped]).all()


def test_both_colours_in_one_table():
    both = pattern_table(Rules.named("renju"))
    assert both.shape == (CODES,)
    assert (both & 15 == patterns("renju", BLACK)).all()
    assert (both >> 4 == patterns("renju", WHITE)).all()


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_more_stones_of_ones_own_never_hurt_in_freestyle(colour):
    table, codes = patterns("freestyle", colour), possible_codes()
    for place in range(10):
        free = codes[(codes >> (2 * place)) & 3 == 0]
        assert (table[free | (colour << (2 * place))] >= table[free]).all()


# -- against the specification


@st.composite
def lines(draw):
    """A line of a board with a free point on it, the rules and a colour."""
    width = draw(st.integers(5, 22))
    point = draw(st.integers(0, width - 1))
    weights = draw(
        st.sampled_from([(EMPTY, BLACK), (EMPTY, WHITE), (EMPTY, BLACK, WHITE), (EMPTY, BLACK, BLACK)])
    )
    cells = [draw(st.sampled_from(weights)) for _ in range(width)]
    cells[point] = EMPTY
    return cells, point, draw(st.sampled_from(NAMES)), draw(st.sampled_from([BLACK, WHITE]))


def code_at(cells: list[int], point: int) -> int:
    around = [*range(point - REACH, point), *range(point + 1, point + REACH + 1)]
    points = [cells[p] if 0 <= p < len(cells) else 3 for p in around]
    return sum(value << (2 * place) for place, value in enumerate(points))


@given(lines())
def test_fives_and_fours_are_those_of_the_specification(line):
    cells, point, name, colour = line
    rules = Rules.named(name, (len(cells), 5))
    grid = axes(len(cells), 5)
    board = [*cells, *[EMPTY] * (4 * len(cells))]
    found = Pattern(int(patterns(name, colour)[code_at(cells, point)]))

    def wins(at: int) -> bool:
        return wins_along(rules, board, grid[at][0], colour)

    assert (found == Pattern.FIVE) == wins(point)
    row = row_through(board, point, grid[point][0], colour)
    assert (found == Pattern.OVERLINE) == (len(row) > 5 and not wins(point))
    if found in (Pattern.FIVE, Pattern.OVERLINE):
        return
    board[point] = colour
    completions = [
        at
        for at in range(len(cells))
        if board[at] == EMPTY and wins(at) and point in row_through(board, at, grid[at][0], colour)
    ]
    expected = {0: None, 1: Pattern.FOUR}.get(
        len(completions), Pattern.OPEN_FOUR if len(row) == 4 else Pattern.DOUBLE_FOUR
    )
    if expected is None:
        assert found < Pattern.FOUR
    else:
        assert found == expected
