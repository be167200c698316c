"""The graph of a game's win rates."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import pytest
from PIL import Image

from tengen.formats.files import FileError
from tengen.formats.pictures.svg_themes import PictureError
from tengen.formats.pictures.win_rate_graph import DOTS, WinRateGraph

SVG = "{http://www.w3.org/2000/svg}"


def parsed(graph: WinRateGraph) -> ElementTree.Element:
    return ElementTree.fromstring(graph.svg)


def circles(graph: WinRateGraph) -> list[tuple[float, float, str]]:
    """The marks in the plot: place and colour; the legend's come last."""
    found = parsed(graph).iter(f"{SVG}circle")
    dots = [(float(dot.get("cx", 0)), float(dot.get("cy", 0)), dot.get("fill", "")) for dot in found]
    return dots[: -len(DOTS)]


def test_marks_stand_on_the_curve():
    (dot,) = circles(WinRateGraph((0.5, 1.0, 0.0, 0.25), {2: "blunder", 7: "mistake"}))
    assert dot == (538.67, 248, "#d0402a")
    assert [y for _, y, _ in circles(WinRateGraph((0, 1), {0: "mistake", 1: "mistake"}))] == [248, 12]


def test_a_part_of_a_game_begins_at_its_ply():
    graph = WinRateGraph((0.5, 0.6, 0.7), {11: "mistake"}, first=10, turning_point=12)
    ((x, _, _),) = circles(graph)
    assert x == 48 + 736 / 2
    texts = [text.text for text in parsed(graph).iter(f"{SVG}text")]
    assert texts == ["100%", "50%", "0%", "10", "11", "12", "?!", "?", "??"]


def test_long_games_have_few_labels():
    texts = list(parsed(WinRateGraph((0.5,) * 226)).iter(f"{SVG}text"))
    assert [text.text for text in texts][3:8] == ["0", "20", "40", "60", "80"]


@pytest.mark.parametrize("rates", [(), (0.5,)])
def test_games_without_moves(rates):
    assert WinRateGraph(rates, turning_point=0).png()[1:4] == b"PNG"


def test_a_title_for_those_who_cannot_see_it():
    root = parsed(WinRateGraph((0.5, 0.5), title="<Black & White>", lang="zh"))
    assert root.get("aria-label") == "<Black & White>"
    assert root.find(f"{SVG}title") is not None


def test_a_png_has_the_width_that_was_asked_for():
    image = Image.open(io.BytesIO(WinRateGraph((0.5, 0.9)).png(400)))
    assert image.size == (400, 150)
    lightness = image.convert("L").getpixel((379, 110))
    assert isinstance(lightness, int)
    assert lightness < 100
    for width in (0, 15, 100_000):
        with pytest.raises(PictureError):
            WinRateGraph((0.5,)).png(width)


def test_what_has_not_been_evaluated_is_hatched():
    graph = WinRateGraph((0.5, 1.0), {7: "blunder"}, first=6, missing=6)
    ((x, _, _),) = circles(graph)
    assert x == 784
    texts = [text.text for text in parsed(graph).iter(f"{SVG}text")]
    assert texts == ["2 / 8", "100%", "50%", "0%", *map(str, range(8)), "?!", "?", "??"]
    assert "stroke-dasharray" in graph.svg
    assert "stroke-dasharray" not in WinRateGraph((0.5, 1.0)).svg
    assert WinRateGraph((), missing=5).png()[1:4] == b"PNG"


def test_a_graph_is_saved_in_the_format_of_its_extension(tmp_path):
    graph = WinRateGraph((0.5, 0.9, 0.1))
    graph.save(tmp_path / "graph.svg")
    graph.save(tmp_path / "graph.png", width=300)
    assert (tmp_path / "graph.svg").read_text("utf-8") == graph.svg
    assert (tmp_path / "graph.png").read_bytes() == graph.png(300)
    with pytest.raises(FileError, match=r"one of \.svg"):
        graph.save(tmp_path / "graph.gif")
