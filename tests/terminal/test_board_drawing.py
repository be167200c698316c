"""The board in coloured characters: every line of the screen as text, and what sets points off."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from tengen import BLACK, WHITE, Board
from tengen.formats.pictures.svg_themes import THEMES
from tengen.terminal.board_drawing import (
    SIZES,
    SMALLEST,
    BoardPicture,
    column_names,
    pens,
    row_of_glyphs,
)
from tests.strategies import boards

LARGEST, LARGE, _ = SIZES


def picture(moves: str, rules: str = "mnk:5,4,3", **more) -> BoardPicture:
    board = Board.from_moves(moves, rules)
    return BoardPicture(width=board.width, position=board.position, last=board.last, **more)


def drawn(shown: BoardPicture, size=SMALLEST, cursor=None) -> list[str]:
    """The lines of a board as text."""
    lines = [
        row_of_glyphs(shown, size, row, part, "wood", cursor=cursor)
        for row in range(shown.height)
        for part in range(size.rows)
    ]
    return ["".join(glyph.text for glyph in line).rstrip() for line in lines]


def test_a_small_board_has_two_columns_for_a_point_and_brackets_about_the_last_move():
    assert drawn(picture("b2c2")) == [
        " ┌─┬─┬─┬─┐",
        " ├─┼─┼─┼─┤",
        " ├─●[●]┼─┤",
        " └─┴─┴─┴─┘",
    ]


def test_a_last_move_at_the_edge_has_both_brackets():
    assert drawn(picture("e1"))[-1] == " └─┴─┴─┴[●]"
    assert drawn(picture("a1"))[-1] == "[●]┴─┴─┴─┘"


def test_large_stones_take_three_rows_and_show_the_last_move_in_their_middle():
    assert drawn(picture("a2b2", "mnk:2,2,2"), LARGEST) == [
        " ▟███▙ ▟███▙",
        " █████─██•██",
        " ▜███▛ ▜███▛",
        "   │     │",
        "   └─────┘",
        "",
    ]


def test_stones_of_middling_size():
    assert drawn(picture("a2b2", "mnk:2,2,2"), LARGE) == [" ▐█▌─▐•▌", "  │   │", "  └───┘", ""]


def test_signs_stand_for_stones_where_letters_are_wanted():
    shown = picture("a1b2", "tictactoe", letters=True)
    assert drawn(shown) == [" · · ·", " ·[O]·", " X · ·"]
    assert [line[3::6] for line in drawn(shown, LARGEST)[1::3]] == ["···", "·O·", "X··"]


def test_stars_are_where_tradition_has_them():
    rows = drawn(picture("h8", "freestyle"))
    assert [line.count("•") for line in rows] == [0, 0, 0, 2, *[0] * 7, 2, 0, 0, 0]


def test_signs_are_drawn_on_empty_points_only():
    shown = picture("b2c2", signs={0: "!", 6: "?"})
    assert drawn(shown)[-1] == " !─┴─┴─┴─┘"
    assert drawn(shown)[2] == " ├─●[●]┼─┤"


@pytest.mark.parametrize(("size", "text"), [(SMALLEST, "12 3"), (LARGE, "112 3"), (LARGEST, "█112█ 3")])
def test_numbers_are_written_upon_stones_as_far_as_there_is_room(size, text):
    shown = picture("a2a1", "mnk:2,2,2", numbers={2: 112, 0: 3})
    lines = drawn(shown, size)
    middles = [lines[row * size.rows + size.middle] for row in range(2)]
    assert text.split()[0] in middles[0]
    assert text.split()[1] in middles[1]


def test_the_cursor_shows_whose_stone_would_be_put():
    board = picture("b2c2", turn=BLACK)
    assert drawn(board, cursor=0)[-1] == " ●─┴─┴─┴─┘"
    assert drawn(picture("b2c2"), cursor=0)[-1] == " └─┴─┴─┴─┘"


def test_the_ground_tells_the_cursor_and_points_set_off():
    shown, colours = picture("b2c2", rows=frozenset({6, 7})), pens("wood")
    glyphs = row_of_glyphs(shown, SMALLEST, 2, 0, "wood", cursor=5)
    grounds = [glyph.ground for glyph in glyphs]
    assert grounds == [*[colours.here] * 2, *[colours.row] * 4, *[colours.board] * 5]


def test_only_the_seen_part_of_a_board_is_drawn():
    glyphs = row_of_glyphs(picture("b2c2"), SMALLEST, 2, 0, "wood", first=2)
    assert "".join(glyph.text for glyph in glyphs) == "[●]┼─┤ "


def test_columns_have_their_names_below_their_lines():
    assert column_names(picture("b2"), SMALLEST) == " a b c d e"
    assert column_names(picture("b2"), LARGE, 3) == "  d   e "
    wide = picture("a1", "mnk:30,3,3")
    # Names of two letters would run into each other.
    assert column_names(wide, SMALLEST, 24).split() == ["y", "aa", "ac"]


@pytest.mark.parametrize("theme", THEMES)
def test_in_every_theme_stones_can_be_told_apart_and_from_the_board(theme):
    colours = pens(theme)
    stones = colours.stones[BLACK].stone, colours.stones[WHITE].stone
    bright = sorted(colour.brightness for colour in (*stones, colours.board))
    assert stones[0].brightness < stones[1].brightness
    assert all(second - first >= 0.15 for first, second in pairwise(bright))


@given(boards())
def test_every_line_is_as_long_as_the_board_is_wide(board):
    shown = BoardPicture(width=board.width, position=board.position)
    for size in SIZES:
        for row in range(board.height):
            for part in range(size.rows):
                glyphs = row_of_glyphs(shown, size, row, part, "wood")
                assert len(glyphs) == board.width * size.columns + 1
                assert all(len(glyph.text) == 1 and glyph.ground for glyph in glyphs)
