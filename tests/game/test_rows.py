from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, WHITE, Rules
from tengen.game.points import DIRECTIONS, axes
from tengen.game.rows import (
    can_still_win,
    ends,
    five_points,
    five_points_beside,
    row_through,
    run,
    winning_rows,
    wins_along,
)
from tests import oracle, strategies

COLOURS = (BLACK, WHITE)


def cells_of(text):
    return [".XO".index(sign) for sign in text]


def row_axis(width, x):
    return axes(width, 1)[x][0]


def test_a_run_ends_at_the_first_other_point():
    cells = cells_of(".XX.XO")
    assert run(cells, range(1, 6), BLACK) == 2
    assert run(cells, range(4, 6), BLACK) == 1
    assert run(cells, range(6), BLACK) == 0
    assert run(cells, range(5, 6), WHITE) == 1
    assert run(cells, range(6, 6), WHITE) == 0


def test_the_row_through_a_point_counts_the_point_whatever_stands_there():
    cells = cells_of("XX.XO")
    assert row_through(cells, 2, row_axis(5, 2), BLACK) == (0, 1, 2, 3)
    assert row_through(cells, 2, row_axis(5, 2), WHITE) == (2,)
    assert row_through(cells, 1, row_axis(5, 1), BLACK) == (0, 1)


def test_the_ends_of_a_row():
    assert ends(cells_of(".XX.O"), row_axis(5, 1), BLACK) == [3, 0]
    assert ends(cells_of("XX.O."), row_axis(5, 0), BLACK) == [2]
    assert ends(cells_of("XXXXX"), row_axis(5, 2), BLACK) == []


def wins(text, x, colour=BLACK, **fields):
    rules = Rules(width=len(text), height=1, k=3, **fields)
    return wins_along(rules, cells_of(text), row_axis(len(text), x), colour)


def test_short_and_long_rows():
    assert not wins(".XX..", 1)
    assert wins(".XXX.", 1)
    assert wins("XXXX.", 1)
    assert not wins("XXXX.", 1, overline="no_win")
    assert not wins("XXXX.", 1, overline="foul")
    assert wins("OOOO.", 1, WHITE, overline="foul")


def test_a_row_between_two_enemies():
    assert wins("OXXXO", 2)
    assert not wins("OXXXO", 2, blocked_five="no_win")
    assert wins("OXXX.O", 2, blocked_five="no_win")
    assert wins(".XXXO", 2, blocked_five="no_win")
    assert not wins("XOOOX", 2, WHITE, blocked_five="no_win")
    assert wins("OXXXXO", 2, blocked_five="no_win")


def test_the_edge_is_no_enemy():
    assert wins("XXXO", 1, blocked_five="no_win")
    assert wins("OXXX", 2, blocked_five="no_win")
    assert wins("XXX", 1, blocked_five="no_win")


def test_one_stone_is_one_row_where_one_wins():
    rules = Rules.mnk(3, 3, 1)
    cells = bytearray(9)
    assert winning_rows(rules, cells, 4, axes(3, 3)[4], BLACK) == ((4,),)


@st.composite
def filled(draw):
    rules = draw(strategies.rules(sides=st.integers(1, 8)))
    return rules, draw(strategies.cells(rules, (EMPTY, BLACK, BLACK, WHITE, WHITE)))


@given(filled())
def test_winning_rows_are_those_of_a_text_scan(position):
    rules, cells = position
    grid = axes(rules.width, rules.height)
    for colour in COLOURS:
        expected = oracle.winning_rows(rules, cells, colour)
        stones = [point for point in range(rules.points) if cells[point] == colour]
        found = [winning_rows(rules, cells, point, grid[point], colour) for point in stones]
        assert {row for rows in found for row in rows} == expected
        for point, rows in zip(stones, found, strict=True):
            assert set(rows) == {row for row in expected if point in row}
            assert len(set(rows)) == len(rows)


@given(filled(), st.data())
def test_all_points_that_win_are_known_from_before_or_brought_by_a_stone(position, data):
    rules, begun = position
    cells, grid = bytearray(begun), axes(rules.width, rules.height)

    def every(colour):
        empty = [point for point, stone in enumerate(cells) if stone == EMPTY]
        after = {point: oracle.put(bytes(cells), point, colour) for point in empty}
        return {point for point in empty if oracle.makes_five(rules, after[point], point, colour)}

    known = {colour: set(five_points(rules, cells, grid, range(len(cells)), colour)) for colour in COLOURS}
    assert known == {colour: every(colour) for colour in COLOURS}
    for _ in range(data.draw(st.integers(0, 6))):
        empty = [point for point, stone in enumerate(cells) if stone == EMPTY]
        if not empty:
            break
        point, colour = data.draw(st.sampled_from(empty)), data.draw(st.sampled_from(COLOURS))
        cells[point] = colour
        known[colour].update(five_points_beside(rules, cells, grid, point, colour))
        for each in COLOURS:
            assert set(five_points(rules, cells, grid, known[each], each)) == every(each)


@given(filled(), st.data())
def test_rows_through_any_point_are_those_of_a_text_scan(position, data):
    rules, cells = position
    point = data.draw(st.integers(0, rules.points - 1))
    colour = data.draw(st.sampled_from(COLOURS))
    after = oracle.put(cells, point, colour)
    lines = oracle.lines_through(rules.width, rules.height, point)
    rows = {oracle.rows_through(after, line, point, colour)[1] for line in lines}
    around = axes(rules.width, rules.height)[point]
    assert {row_through(cells, point, axis, colour) for axis in around} == rows
    assert any(wins_along(rules, cells, axis, colour) for axis in around) == oracle.makes_five(
        rules, after, point, colour
    )


@given(filled(), st.data())
def test_the_ends_stand_next_to_the_row(position, data):
    rules, cells = position
    point = data.draw(st.integers(0, rules.points - 1))
    colour = data.draw(st.sampled_from(COLOURS))
    for (dx, dy), axis in zip(DIRECTIONS, axes(rules.width, rules.height)[point], strict=True):
        row = row_through(cells, point, axis, colour)
        step = dy * rules.width + dx
        on_line = {*axis.forward, *axis.backward}
        assert set(ends(cells, axis, colour)) == {row[0] - step, row[-1] + step} & on_line


@given(filled())
def test_who_can_still_win_is_a_window_without_enemies(position):
    rules, cells = position
    for colour in COLOURS:
        enemy = oracle.SIGNS[BLACK + WHITE - colour]
        expected = any(
            enemy not in oracle.text(cells, line)[start : start + rules.k]
            for line in oracle.lines(rules.width, rules.height)
            for start in range(len(line) - rules.k + 1)
        )
        assert can_still_win(rules, cells, colour) == expected


def test_nobody_can_win_on_a_board_that_is_too_small():
    assert not can_still_win(Rules.mnk(3, 3, 4), bytes(9), BLACK)
