from __future__ import annotations

import io
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from tengen import BLACK, WHITE, Board, Rules
from tengen.formats.pictures.raster import COVERED, MAX_PIXELS, MAX_SIDE, MIN_SIDE, check_size, to_png
from tengen.formats.pictures.svg import draw
from tengen.formats.pictures.svg_layout import CELL, fitted
from tengen.formats.pictures.svg_themes import THEMES
from tests import strategies
from tests.errors import key_of
from tests.formats.pictures.compare import brightness, pixels


def at(drawing, point, width):
    """The pixel a little to the lower right of a point, where stones are out of the light."""
    plan, _ = fitted(drawing.picture.layout(), width)
    scale = width / plan.width
    return tuple((place + 0.2 * CELL) * scale for place in plan.at(point))


def differ(first: bytes, second: bytes) -> bool:
    one, other = (pixels(png).convert("RGB") for png in (first, second))
    return one.size != other.size or ImageChops.difference(one, other).getbbox() is not None


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [200, 480, 803])
def test_stones_are_dark_and_light_where_they_stand(theme, width):
    board = Board.from_stones(black=["h8", "a1", "o15"], white=["i9", "a15", "c2"])
    drawing = draw(board, theme=theme)
    image = pixels(drawing.png(width))
    assert image.width == width
    for point in board.stones(BLACK):
        assert brightness(image, *at(drawing, point, width)) < 60
    for point in board.stones(WHITE):
        assert brightness(image, *at(drawing, point, width)) > 200


def test_a1_is_at_the_bottom_left():
    """Where things are in the picture itself, whatever the layout says."""
    image = pixels(draw(Board.from_stones(black=["a1"]), theme="print", coordinates=False).png(300))
    dark = image.convert("L").point(lambda light: 255 if light < 100 else 0)
    corner = dark.crop((0, 150, 150, 300))
    box = corner.resize((15, 15)).point(lambda light: 255 if light > 128 else 0).getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert right <= 5
    assert top >= 10
    assert left < right
    assert top < bottom


def test_the_board_between_the_stones_shows_its_theme():
    for theme, (least, most) in {"wood": (150, 210), "plain": (250, 255), "dark": (30, 70)}.items():
        image = pixels(draw(Board(), theme=theme).png(400))
        assert least < brightness(image, 200 + 6, 200 + 6) <= most


def test_lines_are_sharp():
    """Every line inside the board is one pixel wide, and as dark as its colour."""
    drawing = draw(Board(), theme="print")
    image = pixels(drawing.png(800))
    plan, _ = fitted(drawing.picture.layout(), 800)
    scale = 800 / plan.width
    y = int((plan.at(0)[1] - CELL / 2) * scale)
    row = [brightness(image, x, y) for x in range(800)]
    for column in range(1, 14):
        x = int(plan.at(column)[0] * scale)
        assert [row[x - 1] > 240, row[x] < 15, row[x + 1] > 240] == [True] * 3


@given(strategies.boards(), st.sampled_from(list(THEMES)), st.integers(MIN_SIDE, 300), st.booleans())
@settings(max_examples=25)
def test_any_board_at_any_width(board, theme, width, flag):
    drawing = draw(board, theme=theme, coordinates=flag, fouls=flag)
    image = pixels(drawing.png(width))
    assert image.size == (width, fitted(drawing.picture.layout(), width)[1])
    colours = image.getcolors(width * image.height)
    assert colours is not None
    assert len(colours) > 1


def test_the_picture_fills_its_height():
    for board in (Board(Rules.mnk(50, 1, 5)), Board(Rules.mnk(1, 50, 5)), Board(Rules.mnk(7, 6, 5))):
        image = pixels(draw(board, theme="plain").png(333))
        middle = image.width // 2
        edges = [image.getchannel("A").getpixel((middle, y)) for y in (0, image.height - 1)]
        assert edges == [255, 255]


# Letters


def glyph(text: str) -> bytes:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" font-size="24" text-anchor="middle">'
        f'<text x="20" y="28">&#{ord(text)};</text></svg>'
    )
    return to_png(svg, 40, 40)


def test_our_fonts_have_the_letters_they_should():
    blank, unknown = glyph(" "), glyph("\ue000")
    seen = {glyph(letter) for letter in COVERED - {" ", "\xa0", "\xad"}}
    assert blank not in seen
    assert unknown not in seen
    assert len(seen) > 0.95 * len(COVERED)


def test_both_weights_are_drawn():
    regular, bold = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" '
        f'font-family="Helvetica,Arial,sans-serif"><text y="28" font-weight="{weight}">8</text></svg>'
        for weight in (400, 700)
    )
    ink = [sum(pixels(to_png(svg, 40, 40)).getchannel("A").histogram()[128:]) for svg in (regular, bold)]
    assert 0 < ink[0] < ink[1]


def test_numbers_letters_and_figures_are_seen():
    board = Board.from_moves("h8i9")
    plain = draw(board).png(400)
    for other in (
        draw(board, numbers=True),
        draw(board, coordinates=False),
        draw(board, coordinate_style="chinese"),
        draw(board, {"h8": "A"}),
        draw(board, heat={"a1": 3}),
    ):
        assert differ(plain, other.png(400))
    assert differ(draw(board, {"h8": "A"}).png(400), draw(board, {"h8": "B"}).png(400))


def test_fonts_of_the_system_are_searched_only_for_other_letters(monkeypatch):
    import resvg_py

    asked = []
    real = resvg_py.svg_to_bytes

    def watched(**options):
        asked.append(options["skip_system_fonts"])
        return real(**options)

    monkeypatch.setattr(resvg_py, "svg_to_bytes", watched)
    for label in ("Aé…", "甲", "Ж"):
        draw(Board(), {"h8": label}).png(100)
    draw(Board(), coordinate_style="chinese").png(100)
    assert asked == [True, False, False, True]


# Limits


@pytest.mark.parametrize("width", [0, -5, MIN_SIDE - 1, MAX_SIDE + 1, 10**9])
def test_widths_out_of_range(width):
    assert key_of(draw(Board()).png, width) == "error.picture.width"


def test_pictures_with_too_many_pixels():
    assert key_of(draw(Board()).png, 6000) == "error.picture.pixels"
    assert key_of(draw(Board(Rules.mnk(1, 50, 5))).png, 4000) == "error.picture.pixels"
    check_size(8000, MAX_PIXELS // 8000)
    assert key_of(check_size, 8000, MAX_PIXELS // 8000 + 1) == "error.picture.pixels"


def test_the_smallest_and_a_large_picture():
    assert pixels(draw(Board()).png(MIN_SIDE)).size[0] == MIN_SIDE
    assert pixels(draw(Board(), theme="print").png(1600)).size[0] == 1600


def test_the_renderer_is_loaded_only_for_pixels():
    code = "import sys; from tengen import Board, draw; draw(Board()).svg; "
    code += "print('resvg_py' in sys.modules, 'PIL' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_a_png_is_a_png():
    data = draw(Board()).png()
    image = Image.open(io.BytesIO(data))
    assert (image.format, image.width) == ("PNG", 800)
