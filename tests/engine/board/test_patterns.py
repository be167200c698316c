"""The tables say of every line what the rules say of it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import takewhile

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, WHITE, Rules
from tengen.engine.board.patterns import REACH, Pattern
from tengen.game.points import Colour, axes, opponent
from tengen.game.rows import row_through, wins_along
from tests.engine.board.codes import code_of, patterns_of, possible_codes

pytestmark = pytest.mark.usefixtures("compiled")

NAMES = ("freestyle", "standard", "renju", "caro")
SIGNS = {".": 0, "x": 1, "o": 2, "#": 3}


@cache
def patterns(name: str, colour: Colour) -> npt.NDArray[np.uint8]:
    return patterns_of(Rules.named(name), colour)


def code(text: str) -> int:
    """The code of a line such as ``..xx._.o...``, where ``_`` is the point itself."""
    before, after = text.split("_")
    return code_of(
        [SIGNS[sign] for sign in before[-REACH:].rjust(REACH, "#") + after[:REACH].ljust(REACH, "#")]
    )


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
    return code_of([cells[p] if 0 <= p < len(cells) else 3 for p in around])


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


# -- against the definition


@cache
def by_definition(line: tuple[int, ...], rules: Rules, colour: Colour) -> Pattern:
    """The pattern of ten points around one as the head of the module describes it, as slowly as can be."""
    behind, ahead = line[REACH - 1 :: -1], line[REACH:]
    before, after = (len(list(takewhile(lambda point: point == colour, side))) for side in (behind, ahead))
    length = before + 1 + after
    if length > rules.k:
        return Pattern.FIVE if rules.overline_wins(colour) else Pattern.OVERLINE
    if length == rules.k:
        closed = behind[before] == ahead[after] == opponent(colour)
        if not (closed and rules.blocked_five == "no_win"):
            return Pattern.FIVE
    fouls = colour == BLACK and (rules.double_three or rules.double_four)
    following = Counter(
        by_definition((*line[:at], colour, *line[at + 1 :]), rules, colour)
        for at, point in enumerate(line)
        if point == EMPTY
    )

    def ways(*patterns: Pattern) -> int:
        return sum(following[pattern] for pattern in patterns)

    fives = ways(Pattern.FIVE)
    open_fours = ways(Pattern.OPEN_FOUR) if fouls else ways(Pattern.OPEN_FOUR, Pattern.DOUBLE_FOUR)
    fours = ways(Pattern.FOUR, Pattern.DOUBLE_FOUR, Pattern.OPEN_FOUR)
    cases = (
        (fives >= 2 and length == rules.k - 1, Pattern.OPEN_FOUR),
        (fives >= 2, Pattern.DOUBLE_FOUR),
        (fives == 1, Pattern.FOUR),
        (open_fours >= 2, Pattern.OPEN_THREE),
        (open_fours == 1, Pattern.SLIM_OPEN_THREE),
        (fours >= 3, Pattern.WIDE_THREE),
        (fours >= 1, Pattern.THREE),
        (ways(Pattern.OPEN_THREE) >= 2, Pattern.OPEN_TWO),
        (ways(Pattern.OPEN_THREE, Pattern.SLIM_OPEN_THREE) >= 1, Pattern.SLIM_TWO),
        (ways(Pattern.THREE, Pattern.WIDE_THREE) >= 1, Pattern.TWO),
        (ways(Pattern.OPEN_TWO, Pattern.SLIM_TWO) >= 1, Pattern.OPEN_ONE),
        (ways(Pattern.TWO) >= 1, Pattern.ONE),
    )
    return next((pattern for holds, pattern in cases if holds), Pattern.DEAD)


RULES = [
    *(Rules.named(name) for name in NAMES),
    Rules.named("standard", double_four=True),
    Rules.named("caro", overline="foul", double_three=True),
    Rules.named("freestyle", blocked_five="no_win"),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_patterns_are_those_of_the_definition(rules, colour):
    table = patterns_of(rules, colour)
    for code in np.random.default_rng(5).choice(possible_codes(), 400).tolist():
        line = tuple((code >> (2 * place)) & 3 for place in range(2 * REACH))
        assert table[code] == by_definition(line, rules, colour), line
