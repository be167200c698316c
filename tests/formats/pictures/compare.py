"""Reading pictures: what an SVG shows, and which colours a PNG has."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from tengen import Board, Rules
from tengen.formats.pictures.svg import Drawing, draw
from tengen.game.record import Mark

SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parents[2] / "data" / "pictures"

_NUMBER = re.compile(r"-?[0-9]*\.?[0-9]+(?:e-?[0-9]+)?")
_PLACES = ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "width", "height", "viewBox", "d")


def parsed(drawing: Drawing | str) -> ET.Element:
    """The root element of a picture."""
    return ET.fromstring(drawing if isinstance(drawing, str) else drawing.svg)


def layer(root: ET.Element, name: str) -> list[ET.Element]:
    """All elements of a class, and what is in them; empty if there is none."""
    return [below for top in root.iter() if top.get("class") == name for below in top.iter()]


def texts(root: ET.Element, name: str) -> list[str]:
    """The texts of a layer, in order."""
    return [element.text or "" for element in layer(root, name) if element.tag == SVG + "text"]


def places(root: ET.Element, name: str) -> list[tuple[float, float]]:
    """Where the discs, rings and stones of a layer are."""
    found = []
    for element in layer(root, name):
        if element.tag == SVG + "use":
            found.append((float(element.attrib["x"]), float(element.attrib["y"])))
        elif element.tag == SVG + "circle":
            found.append((float(element.attrib["cx"]), float(element.attrib["cy"])))
    return found


def structure(root: ET.Element) -> list[tuple[object, ...]]:
    """What a picture is made of: every element with its class, place and text; no colours, no fonts."""
    found: list[tuple[object, ...]] = []
    for element in root.iter():
        numbers = [
            round(float(number), 1) for name in _PLACES for number in _NUMBER.findall(element.get(name, ""))
        ]
        text = (element.text or "").strip()
        found.append((element.tag.removeprefix(SVG), element.get("class"), tuple(numbers), text))
    return found


def pixels(png: bytes) -> Image.Image:
    """The picture in a PNG file."""
    return Image.open(io.BytesIO(png)).convert("RGBA")


def brightness(image: Image.Image, x: float, y: float) -> float:
    """How light a pixel is, from 0 to 255."""
    colour = image.getpixel((int(x), int(y)))
    assert isinstance(colour, tuple)
    return sum(colour[:3]) / 3


def _everything() -> Drawing:
    board = Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
    marks = [
        Mark(board.point("i10"), "triangle"),
        Mark(board.point("f8"), "square"),
        Mark(board.point("d4"), "circle"),
        Mark(board.point("h7"), "cross"),
        Mark(board.point("l4"), "label", "A"),
    ]
    heat = {"h9": 500, "i8": 120, "c3": -40}
    return draw(board, marks, heat, fouls=True, arrows=[("g5", "h4")])


CASES: dict[str, Callable[[], Drawing]] = {
    "everything": _everything,
    "tictactoe": lambda: draw(Board.from_moves("b2a1c1a2a3", "tictactoe"), numbers=True),
    "win": lambda: draw(Board.from_moves("h8h9i8i9j8j9k8k9l8"), theme="print", numbers=5),
    "line": lambda: draw(Board.from_moves("a1b1", Rules.mnk(5, 1, 6)), theme="dark", lang="zh"),
}
"""The pictures whose structure is kept in `GOLDEN`."""


if __name__ == "__main__":  # python -m tests.formats.pictures.compare draws them anew, to be looked at
    for _name, _case in CASES.items():
        (GOLDEN / f"{_name}.svg").write_text(_case().svg, "utf-8")


def frames(data: bytes) -> list[Image.Image]:
    """All frames of a GIF, each whole."""
    image = Image.open(io.BytesIO(data))
    found = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        found.append(image.convert("RGB"))
    return found


def durations(data: bytes) -> list[int]:
    """How long each frame is shown, in milliseconds."""
    image = Image.open(io.BytesIO(data))
    found = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        found.append(image.info["duration"])
    return found


def far_apart(first: Image.Image, second: Image.Image) -> float:
    """The largest difference of any 8x8 block of two images, from 0 to 255."""
    difference = ImageChops.difference(first, second).convert("L")
    return ImageStat.Stat(difference.reduce(8)).extrema[0][1]
