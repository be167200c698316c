from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tengen import PASS, WHITE, Board, Rules
from tengen.formats.pictures import animation
from tengen.formats.pictures.animation import animate
from tengen.formats.pictures.gif import to_gif
from tengen.formats.pictures.svg import Drawing, draw
from tengen.formats.pictures.svg_themes import THEMES
from tests import strategies
from tests.formats.pictures.compare import durations, far_apart, frames, pixels

MOVES = "h8i9g7i7i8g8h7h9g9j6"


def test_a_frame_for_every_position():
    board = Board.from_moves(MOVES)
    data = to_gif(animate(board, width=200))
    assert data[:6] == b"GIF89a"
    assert len(frames(data)) == board.ply + 1
    assert frames(data)[0].width == 200
    assert durations(data) == [600] * board.ply + [3000]
    assert Image.open(io.BytesIO(data)).info["loop"] == 0


def test_times():
    assert durations(to_gif(animate(Board.from_moves("h8i9"), 100, delay=0.25, hold=1.5))) == [
        250,
        250,
        1500,
    ]


def test_an_empty_board_is_one_frame():
    assert len(frames(to_gif(animate(Board(), width=100)))) == 1
    assert durations(to_gif(animate(Board(), width=100, hold=2))) == [2000]


def whole(board: Board, width: int, **options: Any) -> Image.Image:
    """The position drawn at once, with square corners as in a film."""
    picture = replace(draw(board, **options).picture, rounded=False)
    return pixels(Drawing(picture).png(width)).convert("RGB")


def check_frames(board: Board, width: int, **options: Any) -> None:
    """Every frame shows what drawing its position at once shows."""
    shown = frames(to_gif(animate(board, width, **options)))
    positions = [board.copy()]
    while positions[-1].ply:
        before = positions[-1].copy()
        # A pass has no frame of its own.
        if before.pop() == PASS:
            positions.pop()
        positions.append(before)
    assert len(shown) == len(positions)
    for frame, position in zip(shown, reversed(positions), strict=True):
        # Colours are fewer than in a PNG; a stone or ring that is missing would differ by far more.
        assert far_apart(frame, whole(position, width, **options)) < 24


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("numbers", [False, 3])
@pytest.mark.long
def test_each_frame_shows_its_position(theme, numbers):
    check_frames(Board.from_moves(MOVES), 300, theme=theme, numbers=numbers)


def test_stones_at_the_edge_and_signs():
    check_frames(Board.from_moves("a1o15a15o1a8h1"), 203)
    check_frames(Board.from_moves("b2a1c1a2a3", "tictactoe"), 150)
    check_frames(Board.from_moves("b2a1", "tictactoe"), 150, style="stones", coordinates=False)


@pytest.mark.long
def test_a_won_game_ends_with_its_row():
    board = Board.from_moves("h8h9i8i9j8j9k8k9l8")
    check_frames(board, 300)
    check_frames(board, 300, numbers=True)


def test_a_game_on_a_set_up_position():
    board = Board.from_stones(black=["h8", "i8"], white=["a1"], turn=WHITE)
    board.push("i9")
    board.push("g7")
    check_frames(board, 200, numbers=True)


def test_a_pass_lengthens_the_frame_before_it():
    board = Board.from_moves("h8i9g7--i7", Rules.named("renju", passing=True))
    data = to_gif(animate(board, 200, numbers=True))
    assert sum(durations(data)) == 5 * 600 + 3000


@given(strategies.played(most=12), st.sampled_from(list(THEMES)), st.integers(60, 200), st.booleans())
@settings(max_examples=15)
def test_any_game_can_be_filmed(board, theme, width, flag):
    shown = frames(to_gif(animate(board, width, theme=theme, numbers=flag, coordinates=flag)))
    assert 1 <= len(shown) <= board.ply + 1
    assert {frame.width for frame in shown} == {width}
    assert far_apart(shown[-1], whole(board, width, theme=theme, numbers=flag, coordinates=flag)) < 30


def test_long_games_share_frames(monkeypatch):
    monkeypatch.setattr(animation, "MAX_TOTAL_PIXELS", 6 * 100 * 100)
    board = Board.from_moves(MOVES)
    data = to_gif(animate(board, 100))
    shown = frames(data)
    assert len(shown) <= 6
    assert far_apart(shown[-1], whole(board, 100)) < 30
    assert far_apart(shown[0], whole(Board(), 100)) < 30
    monkeypatch.setattr(animation, "MAX_TOTAL_PIXELS", 1)
    assert len(frames(to_gif(animate(board, 100)))) == 2


@pytest.mark.slow
def test_the_longest_game_there_is():
    board = Board(Rules.mnk(50, 50, 51))
    for point in range(board.rules.points):
        board.push(point)
    data = to_gif(animate(board, numbers=True))
    shown = frames(data)
    assert len(shown) * shown[0].width * shown[0].height <= animation.MAX_TOTAL_PIXELS
    assert len(data) < 20_000_000
