from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, PASS, WHITE, Board, Rules, TengenError
from tengen.formats.pictures.svg import Drawing, Style, draw, shows_signs
from tengen.formats.pictures.svg_coordinates import CoordinateStyle
from tengen.formats.pictures.svg_layout import CELL, fitted, layout, star_points
from tengen.formats.pictures.svg_shapes import MAX_LABEL, figure
from tengen.formats.pictures.svg_themes import THEMES, PictureError
from tengen.game.notation import column_name, point_name
from tengen.game.record import Mark, MarkKind
from tests import strategies
from tests.errors import key_of
from tests.formats.pictures.compare import CASES, GOLDEN, SVG, layer, parsed, places, structure, texts

ELEMENTS = {
    *("svg", "title", "desc", "defs", "g", "use", "rect", "circle", "path", "text", "stop"),
    *("linearGradient", "radialGradient"),
}


def middle(drawing: Drawing, point: int) -> tuple[float, ...]:
    """Where a point of a drawing is, as SVG writes it."""
    board = drawing.picture
    plan, _ = fitted(board.layout(), int(parsed(drawing).attrib["width"]))
    return tuple(round(place, 2) for place in plan.at(point))


def near(found, expected):
    """Whether two lists of places are the same but for rounding."""
    return [x for place in found for x in place] == pytest.approx(
        [x for place in expected for x in place], abs=0.02
    )


# What is in a picture


@pytest.mark.parametrize("name", CASES)
def test_golden_pictures(name):
    golden = parsed((GOLDEN / f"{name}.svg").read_text("utf-8"))
    assert structure(parsed(CASES[name]())) == structure(golden)


def test_a_picture_is_the_same_whenever_it_is_drawn():
    code = (
        "from tengen import Board; from tengen.formats.pictures.svg import draw; "
        "print(draw(Board.from_moves('h8i9g7', 'renju'), heat={'a1': 1, 'b2': 2}, fouls=True).svg)"
    )
    seeds = ("1", "2")
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in seeds
    }
    assert len(found) == 1


def test_stones_stand_where_they_are():
    board = Board.from_moves("h8i9a1o15")
    drawing = draw(board)
    for colour, name in ((BLACK, "black"), (WHITE, "white")):
        expected = sorted(middle(drawing, point) for point in board.stones(colour))
        assert near(sorted(places(parsed(drawing), name)), expected)


def test_letters_run_from_the_left_and_numbers_from_the_bottom():
    root = parsed(draw(Board(Rules.mnk(28, 3, 5))))
    elements = [element for element in layer(root, "coordinates") if element.tag == SVG + "text"]
    letters, numbers = elements[:28], elements[28:]
    assert [element.text for element in letters] == [column_name(x).upper() for x in range(28)]
    across = [float(element.attrib["x"]) for element in letters]
    assert across == sorted(across)
    assert [element.text for element in numbers] == ["1", "2", "3"]
    down = [float(element.attrib["y"]) for element in numbers]
    assert down == sorted(down, reverse=True)


def test_without_coordinates_there_is_less_margin():
    with_them, without = draw(Board()), draw(Board(), coordinates=False)
    assert not layer(parsed(without), "coordinates")
    assert without.picture.layout().width < with_them.picture.layout().width


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (15, "d4 l4 h8 d12 l12"),
        (19, "d4 j4 p4 d10 j10 p10 d16 j16 p16"),
        (13, "d4 j4 g7 d10 j10"),
        (9, "c3 g3 e5 c7 g7"),
        (11, "f6"),
        (5, "c3"),
        (3, ""),
        (20, ""),
        ((15, 19), "h10"),
        ((15, 20), ""),
    ],
)
def test_star_points(size, expected):
    width, height = size if isinstance(size, tuple) else (size, size)
    assert " ".join(point_name(point, width) for point in star_points(width, height)) == expected
    root = parsed(draw(Board(Rules.mnk(width, height, 5))))
    assert len(places(root, "stars")) == len(expected.split())


@pytest.mark.parametrize(
    ("rules", "signs"),
    [
        ("tictactoe", True),
        ("mnk:7,6,4", True),
        ("mnk:8,8,4", True),
        ("mnk:9,8,4", False),
        ("mnk:5,5,5", False),
        ("freestyle", False),
        ("mnk:1,1,1", True),
    ],
)
def test_small_boards_with_short_rows_have_signs(rules, signs):
    board = Board(rules)
    assert shows_signs(board.rules) == signs
    assert draw(board).picture.signs == signs


def test_signs_are_crosses_and_rings_in_cells():
    drawing = draw(Board.from_moves("b2a1", "tictactoe"))
    root = parsed(drawing)
    definitions = {element.get("id"): element.tag for element in root.iter() if element.get("id")}
    assert definitions["tengen-wood-b-sign"] == SVG + "path"
    assert definitions["tengen-wood-w-sign"] == SVG + "circle"
    assert not layer(root, "stars")
    lines = layer(root, "grid")[1:]
    assert sum(line.attrib["d"].count("M") for line in lines) == 4 + 4
    assert {element.get("id") for element in parsed(draw(Board.from_moves("b2"))).iter()} & {
        "tengen-wood-b"
    }
    assert draw(Board("tictactoe"), style="stones").picture.signs is False


def test_move_numbers():
    board = Board.from_moves("h8i9g7i7")
    assert texts(parsed(draw(board)), "numbers") == []
    assert sorted(texts(parsed(draw(board, numbers=True)), "numbers")) == ["1", "2", "3", "4"]
    assert sorted(texts(parsed(draw(board, numbers=3)), "numbers")) == ["3", "4"]
    assert texts(parsed(draw(board, numbers=5)), "numbers") == []
    assert key_of(draw, board, numbers=-1) == "error.picture.numbers"
    assert key_of(draw, board, numbers=1.5) == "error.picture.numbers"


def test_a_pass_counts_but_is_not_drawn():
    board = Board.from_moves("h8i9g7--i7", Rules.named("renju", passing=True))
    assert sorted(texts(parsed(draw(board, numbers=True)), "numbers")) == ["1", "2", "3", "5"]
    board.pop()
    assert not layer(parsed(draw(board)), "last")


def test_the_last_move():
    board = Board.from_moves("h8i9")
    drawing = draw(board)
    assert near(places(parsed(drawing), "last"), [middle(drawing, board.point("i9"))])
    assert not layer(parsed(draw(Board())), "last")
    assert not layer(parsed(draw(Board.from_moves("h8i9"), last=False)), "last")


def test_the_ring_of_the_last_move_makes_room_for_what_else_is_there():
    board = Board.from_moves("h8i9")
    plain = layer(parsed(draw(board)), "last")[0]
    for other in (draw(board, numbers=True), draw(board, marks={"i9": "A"}), draw(board, heat={"i9": 1})):
        assert float(layer(parsed(other), "last")[0].attrib["r"]) > 2 * float(plain.attrib["r"])


def test_the_last_number_stands_out():
    board = Board.from_moves("h8i9")
    for theme in ("wood", "plain", "dark"):
        groups = [e for e in layer(parsed(draw(board, numbers=True, theme=theme)), "numbers")[1:] if len(e)]
        colours = {group[0].text: group.get("fill") for group in groups}
        assert colours == {"1": THEMES[theme].stones[BLACK].text, "2": THEMES[theme].stones[WHITE].last}


def ends(path):
    start, _, end = path.removeprefix("M").partition("L")
    return [tuple(float(number) for number in part.split()) for part in (start, end)]


def test_the_winning_row_is_joined():
    board = Board.from_moves("h8h9i8i9j8j9k8k9l8")
    drawing = draw(board)
    path = layer(parsed(drawing), "win")[1].attrib["d"]
    assert near(ends(path), [middle(drawing, board.point(name)) for name in ("h8", "l8")])
    assert not layer(parsed(draw(Board.from_moves("h8h9"))), "win")


def test_a_row_with_numbers_on_it_lies_behind_its_stones():
    board = Board.from_moves("h8h9i8i9j8j9k8k9l8")
    order = [element.get("class") for element in parsed(draw(board, numbers=True))]
    assert order.index("win") < order.index("black")
    order = [element.get("class") for element in parsed(draw(board))]
    assert order.index("win") > order.index("white")


def test_two_rows_won_at_once():
    black = ["h8", "i8", "j8", "k8", "l9", "l10", "l11", "l12"]
    board = Board.from_stones(black, turn=BLACK)
    board.push("l8")
    assert layer(parsed(draw(board)), "win")[1].attrib["d"].count("M") == 2


def test_a_lost_foul_is_drawn_in_broken_lines():
    rules = Rules.named("renju", fouls="loses")
    root = parsed(draw(Board.from_moves("f8i10g8j7h7e9h6g5h8", rules)))
    lines = layer(root, "loss")
    assert any("stroke-dasharray" in line.attrib for line in lines)
    assert lines[1].attrib["d"].count("M") == 2
    assert not layer(root, "win")


def test_forbidden_points_are_crossed_only_if_asked_for():
    board = Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
    assert not layer(parsed(draw(board)), "fouls")
    drawing = draw(board, fouls=True)
    (cross,) = layer(parsed(drawing), "fouls")
    x, y = middle(drawing, board.point("h8"))
    half = 0.17 * CELL
    assert cross.attrib["d"].startswith(f"M{x - half:g} {y - half:g}"[:5])
    assert cross.attrib["d"].count("M") == 1


@pytest.mark.parametrize("kind", get_args(MarkKind))
def test_marks_are_seen_on_stones_of_both_colours_and_on_empty_points(kind):
    board = Board.from_moves("h8i9")
    for name, theme in THEMES.items():
        for point in ("h8", "i9", "a1"):
            root = parsed(draw(board, [Mark(board.point(point), kind, "Q")], theme=name))
            found = layer(root, "marks")
            colours = {e.get("stroke") or e.get("fill") for e in found[1:]} - {None, "none"}
            expected = {"h8": theme.stones[BLACK].text, "i9": theme.stones[WHITE].text, "a1": theme.ink}
            assert expected[point] in colours
            if kind == "label":
                assert texts(root, "marks") == ["Q"]
            else:
                assert [e.get("class") for e in found[1:]] == [kind]


def test_marks_by_name():
    root = parsed(draw(Board(), {"h8": "triangle", "i9": "A", "a1": "label"}))
    assert texts(root, "marks") == ["A", "label"]
    assert len(layer(root, "triangle")) == 1


def test_labels_are_short_and_printable():
    assert texts(parsed(draw(Board(), {"h8": "a" * 100_000})), "marks") == ["a" * (MAX_LABEL - 1) + "…"]
    assert texts(parsed(draw(Board(), {"h8": "a\n\x00b"})), "marks") == ["a  b"]


def area(element):
    return float(element.attrib["r"]) ** 2


def test_heat_is_proportional():
    root = parsed(draw(Board(), heat={"a1": 400, "b1": 100, "c1": 0, "d1": 200}))
    discs = [element for element in layer(root, "heat") if element.get("fill-opacity")]
    assert [area(disc) / area(discs[0]) for disc in discs] == pytest.approx([1, 0.25, 0.5], rel=0.01)
    assert sorted(texts(root, "heat")) == ["100", "200", "400"]
    assert texts(root, "legend") == ["400", "200", "40"]


def test_the_heaviest_point_is_outlined_if_there_is_one():
    drawing = draw(Board(), heat={"a1": 1, "b1": 3, "c1": 2})
    assert near(places(parsed(drawing), "chosen"), [middle(drawing, 1)])
    assert not places(parsed(draw(Board(), heat={"a1": 3, "b1": 3})), "chosen")


def test_weights_below_zero_are_rings():
    root = parsed(draw(Board(), heat={"a1": -4, "b1": 1}))
    ring, disc = [element for element in layer(root, "heat") if element.tag == SVG + "circle"][:2]
    assert ring.attrib["fill"] == "none"
    assert disc.attrib["fill"] != "none"
    assert texts(root, "legend") == ["0.40", "−4"]


def test_no_weights_no_legend():
    for heat in (None, {}, {"a1": 0}):
        root = parsed(draw(Board(), heat=heat))
        assert not layer(root, "heat")
        assert not layer(root, "legend")


@pytest.mark.parametrize(
    ("weight", "text"),
    [
        *((500, "500"), (0.5, "0.50"), (-0.35, "−0.35"), (5.0, "5"), (12.34, "12.3"), (99.96, "100")),
        *((9999.4, "9999"), (12345, "12.3k"), (999_949, "1M"), (1.5e6, "1.5M"), (0.0042, "0.004")),
        *((0.0009, "9e−4"), (1e300, "1e300"), (-3e9, "−3e9")),
    ],
)
def test_figures(weight, text):
    assert figure(weight) == text


@given(st.floats(-1e300, 1e300))
def test_figures_are_short_and_true(weight):
    text = figure(weight)
    assert len(text) <= 7
    suffix = {"k": 1e3, "M": 1e6}.get(text[-1], 1)
    value = float(text.rstrip("kM").replace("−", "-")) * suffix
    assert value == pytest.approx(weight, rel=0.5, abs=1e-12)


def test_arrows_point_from_one_point_to_the_other():
    board = Board()
    drawing = draw(board, arrows=[("c3", "c9")])
    line, head = layer(parsed(drawing), "arrows")[1:]
    (ax, ay), (bx, by) = (middle(drawing, board.point(name)) for name in ("c3", "c9"))
    (x1, y1), (x2, y2) = ends(line.attrib["d"])
    assert near([(x1, x2)], [(ax, bx)])
    assert by < y2 < y1 < ay
    tip = head.attrib["d"].split("L")[1].split()
    assert by < float(tip[1]) < y2
    assert key_of(draw, board, arrows=[("c3", "c3")]) == "error.picture.arrow"


# What a picture says to those who cannot see it


def test_title_and_description():
    root = parsed(draw(Board.from_moves("h8i9g7", "renju")))
    assert root.get("role") == "img"
    assert root[0].tag == SVG + "title"
    assert root.get("aria-label") == root[0].text == "Renju, 15x15, 3 moves"
    assert root[1].tag == SVG + "desc"
    assert root[1].text == "Black: g7 h8. White: i9. Last move: g7."


def test_the_description_tells_of_rows_and_fouls():
    won = parsed(draw(Board.from_moves("h8h9i8i9j8j9k8k9l8")))
    assert "Winning row: h8 i8 j8 k8 l8." in (won[1].text or "")
    moves = "f8i10g8j7h7e9h6g5"
    barred = parsed(draw(Board.from_moves(moves, "renju"), fouls=True))
    assert "Forbidden to Black: h8." in (barred[1].text or "")
    lost = parsed(draw(Board.from_moves(moves + "h8", Rules.named("renju", fouls="loses"))))
    assert "Foul: f8 g8 h8." in (lost[1].text or "")


def test_in_chinese():
    root = parsed(draw(Board.from_moves("h8"), lang="zh"))
    assert root[0].text == "五子棋（无禁手），15x15，1 手"
    assert "黑：h8。" in (root[1].text or "")
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "zh"


@given(st.text())
def test_any_text_is_escaped(text):
    svg = draw(Board(), {"h8": text}, title=text).svg
    root = parsed(svg)
    assert "<script" not in draw(Board(), {"h8": "<script>"}, title="<script>alert(1)</script>").svg
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ELEMENTS


def test_a_title_keeps_its_letters():
    title = "A & B <1> \"x\" 'y' 五\x00\ud800"
    root = parsed(draw(Board(), title=title))
    assert root[0].text == root.get("aria-label") == "A & B <1> \"x\" 'y' 五��"


# Coordinates in Chinese style


@pytest.mark.parametrize("side", [9, 15, 19])
def test_numbers_stand_above_and_chinese_numerals_down_the_side(side):
    drawing = draw(Board(Rules.named("freestyle", size=side)), coordinate_style="chinese")
    root = check(drawing)
    assert texts(root, "coordinates")[:side] == [str(number) for number in range(1, side + 1)]
    assert texts(root, "coordinates")[side:][::-1][:10] == list("一二三四五六七八九十")[:side]
    (group,) = (element for element in root.iter() if element.get("class") == "coordinates")
    places = [(float(text.attrib["x"]), float(text.attrib["y"])) for text in group]
    plan = drawing.picture.layout()
    above, aside = places[:side], places[side:]
    assert max(y for _, y in above) < plan.top < min(y for _, y in aside)
    # Two numerals, each as wide as high, have room between the edge and the stones.
    for (x, _), text in zip(aside, texts(root, "coordinates")[side:], strict=True):
        half = len(text) * float(group.attrib["font-size"]) / 2
        assert x - half > 0
        assert x + half < plan.left - 0.467 * CELL


def test_coordinates_that_are_left_out_take_no_room_in_any_style():
    plans = [
        draw(Board(), coordinates=False, coordinate_style=style).picture.layout()
        for style in get_args(CoordinateStyle)
    ]
    assert plans[0].width == plans[1].width


# Pictures of all boards


def check(drawing: Drawing) -> ET.Element:
    """The root of a picture, which is well formed, asks for nothing from elsewhere, and is not cut off."""
    root = parsed(drawing)
    known = {element.get("id") for element in root.iter()} - {None}
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ELEMENTS
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name != "style"
            assert name == "aria-label" or "://" not in value
            if name == "href":
                assert value[1:] in known
            if value.startswith("url("):
                assert value[5:-1] in known
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].split())
    for name in ("black", "white", "heat", "last", "chosen", "legend", "stars", "numbers", "coordinates"):
        for element in layer(root, name):
            if element.tag in (SVG + "circle", SVG + "text", SVG + "use"):
                x, y = (float(element.get(a, element.get(f"c{a}", ""))) for a in "xy")
                reach = float(element.get("r", 1))
                assert reach <= x <= width - reach
                assert reach <= y <= height - reach
    for group in layer(root, "legend"):
        for text in group.findall(SVG + "text"):
            length = 0.6 * float(group.attrib["font-size"]) * len(text.text or "")
            assert float(text.attrib["x"]) + length <= width
    return root


SIZES = sorted(
    {(side, side) for side in range(1, 51)}
    | {(long, short) for long in range(1, 51) for short in (1, 2, 8)}
    | {(short, long) for long in range(1, 51) for short in (1, 2, 8)}
)


@pytest.mark.long
@pytest.mark.parametrize("style", get_args(Style))
def test_every_size(style):
    for width, height in SIZES:
        board = Board(Rules.mnk(width, height, 5))
        corner = board.rules.points - 1
        board.push(corner)
        for written in get_args(CoordinateStyle):
            root = check(
                draw(board, heat={0: 1, corner: 7}, numbers=True, style=style, coordinate_style=written)
            )
            assert len(texts(root, "coordinates")) == width + height


@given(
    strategies.boards(),
    st.sampled_from(list(THEMES)),
    st.integers(0, 9),
    st.sampled_from((None, *get_args(Style))),
    st.booleans(),
    st.data(),
)
def test_any_board_with_anything_on_it(board, theme, numbers, style, flag, data):
    points = st.integers(0, board.rules.points - 1)
    weights = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-500, 500)
    kinds = st.sampled_from(get_args(MarkKind))
    marks = data.draw(st.lists(st.builds(Mark, points, kinds, st.text(max_size=9)), max_size=9))
    heat = data.draw(st.dictionaries(points, weights, max_size=20))
    arrows = data.draw(
        st.lists(st.tuples(points, points).filter(lambda pair: pair[0] != pair[1]), max_size=3)
        if board.rules.points > 1
        else st.just([])
    )
    drawing = draw(
        board, marks, heat, numbers, theme, arrows=arrows, fouls=flag, coordinates=flag, style=style
    )
    root = check(drawing)
    for colour, name in ((BLACK, "black"), (WHITE, "white")):
        assert len(places(root, name)) == len(board.stones(colour))
    assert len(places(root, "last")) <= 1
    shown = {p for ply, p in enumerate(board.moves, 1) if p != PASS and 0 < numbers <= ply}
    assert len(texts(root, "numbers")) == len(shown)


@given(strategies.boards())
def test_drawing_changes_nothing(board):
    before = board.copy()
    draw(board, fouls=True, numbers=True)
    assert board == before
    assert board.moves == before.moves


@given(st.integers(1, 50), st.integers(1, 50), st.booleans(), st.booleans(), st.integers(16, 4000))
def test_a_fitted_board_fits(columns, rows, signs, flag, pixels):
    plan = layout(columns, rows, signs=signs, coordinates=flag, legend=flag)
    fitting, height = fitted(plan, pixels)
    scale = pixels / fitting.width
    assert fitting.height * scale == pytest.approx(height)
    x, y = fitting.at(0)
    least = 1.001 / scale  # lines move to the middle of a pixel
    assert x >= plan.left - least
    assert fitting.width - fitting.right >= plan.left - least
    assert fitting.top >= plan.top - least
    assert fitting.height - fitting.bottom >= plan.height - plan.bottom - least
    if CELL * scale >= 13:
        lines = ((x - fitting.reach) * scale, (y + fitting.reach) * scale)
        assert [line % 1 for line in lines] == pytest.approx([0.5, 0.5], abs=1e-6)
        assert CELL * scale == pytest.approx(round(CELL * scale))
        assert [round(width * scale, 6) % 2 for width in fitting.lines] == [1, 1]


# What cannot be drawn


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"theme": "pink"}, "error.picture.theme"),
        ({"style": "hexagons"}, "error.picture.style"),
        ({"coordinate_style": "runes"}, "error.picture.coordinate_style"),
        ({"marks": [Mark(0, "star")]}, "error.picture.mark"),  # type: ignore[arg-type]
        ({"marks": [Mark(225, "circle")]}, "error.off_board"),
        ({"marks": {"p1": "A"}}, "error.off_board"),
        ({"marks": {"--": "A"}}, "error.pass.point"),
        ({"marks": {"": "A"}}, "error.notation.point"),
        ({"heat": {"h8": float("nan")}}, "error.picture.weight"),
        ({"heat": {"h8": float("-inf")}}, "error.picture.weight"),
        ({"heat": {225: 1}}, "error.off_board"),
        ({"heat": {PASS: 1}}, "error.pass.point"),
        ({"arrows": [("h8", "p1")]}, "error.off_board"),
        ({"numbers": -1}, "error.picture.numbers"),
        ({"lang": "fr"}, "error.picture.lang"),
    ],
)
def test_what_cannot_be_drawn(options, key):
    assert key_of(draw, Board(), **options) == key


def test_a_picture_error_is_a_value_error():
    with pytest.raises(PictureError, match="'pink' is not a theme: expected one of wood, plain, dark"):
        draw(Board(), theme="pink")
    assert issubclass(PictureError, ValueError)


def test_notebooks():
    drawing = draw(Board.from_moves("h8"))
    assert drawing._repr_svg_() == drawing.svg
    assert repr(drawing) == "<Drawing 'Freestyle gomoku, 15x15, 1 move'>"


def test_a_drawing_is_saved_in_the_format_of_its_extension(tmp_path):
    drawing = draw(Board.from_moves("h8i9"), lang="zh", title="天元")
    for path in (tmp_path / "a.svg", str(tmp_path / "b.SVG")):
        drawing.save(path)
        assert Path(path).read_text("utf-8") == drawing.svg
    drawing.save(tmp_path / "c.png", width=300)
    assert (tmp_path / "c.png").read_bytes() == drawing.png(300)


@pytest.mark.parametrize("name", ["board.gif", "board", "", "missing/board.svg", "nul\0.svg", 5, None])
def test_where_a_drawing_cannot_be_saved(name, tmp_path):
    before = list(tmp_path.iterdir())
    path = tmp_path / name if isinstance(name, str) else name
    with pytest.raises(TengenError):
        draw(Board()).save(path)
    with pytest.raises(TengenError):
        draw(Board()).save(tmp_path / "a.png", width=-1)
    assert list(tmp_path.iterdir()) == before
