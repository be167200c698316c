"""The game on the display and the buttons, as it is seen and pressed."""

from __future__ import annotations

import pytest

from tests.microbit.fake import LETTERS, Device, Image, X
from tests.microbit.scenes import A_WINS, DRAWN, WORKED, against, taps, two_people

EMPTY = "00000 00000 00000 00000 00000"


def lit(picture, cell, light):
    """The picture with one cell changed."""
    at = cell // 3 * 12 + cell % 3 * 2
    return picture[:at] + str(light) + picture[at + 1 :]


def test_the_worked_example_of_the_origin_frame_by_frame():
    """Each press shows one frame: the cursor where it has gone, or the stone that was dropped."""
    expected = [LETTERS["2"]]
    board, cursor = EMPTY, 0
    for number, cell in enumerate(WORKED):
        light = (9, 3)[number % 2]
        if number == 0:
            expected.append(lit(board, 0, light))
        while cursor != cell:
            cursor = (cursor + 1) % 9
            empty = board[cursor // 3 * 12 + cursor % 3 * 2] == "0"
            expected.append(lit(board, cursor, light) if empty else board)
        board = lit(board, cell, light)
        expected.append(board)
    assert board == "90903 00000 00909 00000 30303"
    expected.append("'B Win'")
    # Where the cursor goes over stones, the picture stays the same.
    distinct = [
        frame for number, frame in enumerate(expected) if number == 0 or frame != expected[number - 1]
    ]
    assert two_people(WORKED).frames == distinct


def test_every_drop_of_the_worked_example():
    """The same, written out: the boards after each stone."""
    frames = two_people(WORKED).frames
    boards = [
        "00000 00000 00900 00000 00000",
        "00003 00000 00900 00000 00000",
        "00903 00000 00900 00000 00000",
        "00903 00000 00900 00000 00300",
        "90903 00000 00900 00000 00300",
        "90903 00000 00900 00000 00303",
        "90903 00000 00909 00000 00303",
        "90903 00000 00909 00000 30303",
    ]
    found = iter(frames)
    assert all(board in found for board in boards)


@pytest.mark.parametrize(
    ("moves", "text"), [(WORKED, "'B Win'"), (A_WINS, "'A Win'"), (DRAWN, "'Draw Game'")]
)
def test_the_result_is_scrolled_after_the_last_board_was_seen(moves, text):
    device = two_people(moves)
    assert device.frames[-1] == text
    assert sum(frame[0] == "'" for frame in device.frames) == 1
    dropped = device.planned - 50
    assert 1500 <= device.times[-1] - dropped < 1600


def test_after_the_end_only_a_new_game_is_possible():
    device = two_people(A_WINS, "- - - - - - - - - - A B A A B")
    assert device.frames[-1] == "'A Win'"
    device = two_people(A_WINS, "A+B A B")
    assert "00900 00000 00000 00000 00000" in device.frames
    assert "'A Win'" not in device.frames
    device = two_people(A_WINS, "- - - - - - - - - - A+B A B")
    at = device.frames.index("'A Win'")
    assert device.frames[at + 1 : at + 3] == [
        "90000 00000 00000 00000 00000",
        "00900 00000 00000 00000 00000",
    ]


def test_an_occupied_cell_shows_an_x_and_the_same_player_tries_again():
    device = Device()
    device.tap("B B B - - A B")
    device.run(100)
    at = device.frames.index(X)
    assert device.frames[at - 1] == "90000 00000 00000 00000 00000"
    assert device.times[at + 1] - device.times[at] == 500
    assert device.frames[at + 1 :] == [
        "90000 00000 00000 00000 00000",
        "90300 00000 00000 00000 00000",
    ]


def test_a_button_ends_the_x_at_once():
    device = Device()
    device.tap("B B B A")
    device.run(0)
    at = device.frames.index(X)
    assert device.times[at + 1] - device.times[at] == 200
    assert device.frames[at + 1] == "90300 00000 00000 00000 00000"


def test_the_cursor_blinks_in_the_light_of_the_player_and_winks_over_a_stone():
    device = Device()
    device.tap("B")
    device.run(1000)
    start = device.times[1]
    assert device.frames[1:5] == ["90000 00000 00000 00000 00000", EMPTY] * 2
    assert [time - start for time in device.times[1:5]] == pytest.approx([0, 250, 500, 750], abs=20)
    device = Device()
    device.tap("B B")
    device.run(1100)
    dropped = device.times[1] + 200
    assert device.frames[1:] == ["90000 00000 00000 00000 00000", EMPTY, "90000 00000 00000 00000 00000"]
    assert device.times[2] - dropped == pytest.approx(750, abs=20)
    device = Device()
    device.tap("B B A")
    device.run(300)
    assert device.frames[2:] == ["90300 00000 00000 00000 00000", "90000 00000 00000 00000 00000"]


def test_the_cursor_goes_through_all_cells_and_round():
    device = Device()
    device.tap("B " + "A " * 9 + "B")
    device.run(0)
    cells = [lit(EMPTY, cell, 9) for cell in range(9)]
    assert device.frames == [LETTERS["2"], *cells, cells[0]]


def test_both_buttons_restart_at_any_time_and_do_nothing_else():
    device = Device()
    device.tap("B " + taps([4, 0]) + " A+B A")
    device.run(0)
    assert device.frames[-2:] == ["90000 00000 00000 00000 00000", "00900 00000 00000 00000 00000"]


@pytest.mark.parametrize("first", ["A", "B"])
def test_both_buttons_need_not_go_down_or_up_together(first):
    """Whichever comes first, it neither moves the cursor nor drops a stone."""
    device = Device()
    device.tap("B " + taps([4]))
    second = "B" if first == "A" else "A"
    at = device.planned
    device.buttons[first].taps.append((at + 20, at + 120))
    device.buttons[second].taps.append((at + 80, at + 200))
    device.planned += 220
    device.run(0)
    assert device.frames[-2:] == ["00000 00000 00900 00000 00000", "90000 00000 00000 00000 00000"]


def test_a_tap_that_is_shorter_than_a_step_counts():
    device = Device()
    device.tap("B")
    device.buttons["A"].taps.append((device.planned + 5, device.planned + 9))
    device.run(200)
    assert device.frames[-1] == "00900 00000 00000 00000 00000"


def test_the_menu_goes_round():
    device = Device()
    device.tap("A A A A")
    device.run(0)
    assert device.frames == [LETTERS[sign] for sign in "2ABR2"]


def test_the_menu_by_radio_asks_for_a_digit():
    device = Device()
    device.tap("A A A B " + "A " * 10 + "A B - -")
    device.run(0)
    assert device.frames == [LETTERS[sign] for sign in "2ABR01234567890" + "1"]
    assert device.radio.is_on
    assert device.radio.channel == 25


def test_against_the_micro_bit_as_a():
    """It answers after a moment, and takes the win that it is left."""
    device = against("A", [0, 1, 5], seed=3)
    boards = [frame for frame in device.frames if frame[0] != "'"]
    assert device.frames[-1] == "'B Win'"
    assert "90000 00000 00300 00000 00000" in boards
    own = boards.index("90000 00000 00000 00000 00000")
    answer = boards.index("90000 00000 00300 00000 00000")
    assert device.times[answer] - device.times[own] >= 800


def test_against_the_micro_bit_as_b():
    """It begins, in the centre."""
    device = against("B", [1], seed=2)
    centre = device.frames.index("30000 00000 00900 00000 00000")
    assert device.frames[centre - 1] == EMPTY
    assert "00300 00000 00900 00000 00000" in device.frames


def test_the_buttons_do_nothing_while_the_micro_bit_is_to_move():
    device = Device()
    device.tap("A A B B A B", after=200)
    device.run(200)
    assert device.frames[3:] == [EMPTY, "30000 00000 00900 00000 00000"]


def test_the_fake_display_refuses_what_the_real_one_does():
    with pytest.raises(ValueError, match="image"):
        Image(5, 5, bytearray(24))
    with pytest.raises(ValueError, match="image"):
        Image(5, 5, bytearray([10] * 25))
