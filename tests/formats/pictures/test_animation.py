from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image, ImageChops, ImageStat

from tengen import Board
from tengen.formats.pictures.animation import Patch, animate
from tengen.formats.pictures.raster import to_png
from tengen.formats.pictures.svg import Drawing, draw
from tests.errors import key_of
from tests.formats.pictures.compare import pixels

NEIGHBOURS = "h8i9g7i7i8g8h7h9g9j6"


@pytest.mark.parametrize(
    ("moves", "rules"),
    [(NEIGHBOURS, "freestyle"), ("a1o15a15o1a8h1", "freestyle"), ("b2a1c1a2a3", "tictactoe")],
)
def test_patches_on_the_frames_before_give_the_position(moves, rules):
    board = Board.from_moves(moves, rules)
    shown = animate(board, numbers=True)
    canvas = drawn(shown.frames[0].patches[0])
    for number, frame in enumerate(shown.frames):
        for patch in frame.patches:
            canvas.paste(drawn(patch), (patch.left, patch.top))
        position = board.copy()
        while position.ply > number:
            position.pop()
        picture = replace(draw(position, numbers=True).picture, rounded=False)
        whole = pixels(Drawing(picture).png(shown.width)).convert("RGB")
        difference = ImageChops.difference(canvas, whole).convert("L")
        # The outermost of a shadow may be lost, but no stone is ragged.
        assert ImageStat.Stat(difference).extrema[0][1] <= 30


def drawn(patch: Patch) -> Image.Image:
    return pixels(to_png(patch.svg, patch.width, patch.height)).convert("RGB")


def test_only_the_first_frame_and_the_last_are_drawn_whole():
    shown = animate(Board.from_moves(NEIGHBOURS))
    whole = [(0, 0, shown.width, shown.height)]
    boxes = [[(p.left, p.top, p.width, p.height) for p in frame.patches] for frame in shown.frames]
    assert boxes[0] == boxes[-1] == whole
    assert [len(patches) for patches in boxes[1:-1]] == [1] + [2] * 8


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"delay": 0}, "error.picture.seconds"),
        ({"delay": float("nan")}, "error.picture.seconds"),
        ({"hold": 61}, "error.picture.seconds"),
        ({"width": 3}, "error.picture.width"),
        ({"width": 8000}, "error.picture.pixels"),
        ({"theme": "pink"}, "error.picture.theme"),
        ({"numbers": -1}, "error.picture.numbers"),
    ],
)
def test_what_cannot_be_filmed(options, key):
    assert key_of(animate, Board(), **options) == key
