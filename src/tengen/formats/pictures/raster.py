"""Rasterising SVG by resvg, with fonts of our own unless those of the system are needed."""

from __future__ import annotations

from pathlib import Path

from tengen.extras import importing
from tengen.formats.pictures.svg_coordinates import NUMERALS
from tengen.formats.pictures.svg_themes import PictureError

MAX_PIXELS = 32_000_000
"""The most pixels that one picture may have."""

MAX_SIDE = 16_384
"""The largest width of a picture, in pixels."""

MIN_SIDE = 16
"""The smallest width."""

_FONTS = Path(__file__).with_name("fonts")
_FACES = ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf", "NotoSansCJKsc-Numerals.otf")
_FAMILY = "DejaVu Sans Condensed"
_SIGNS = "–—…←↑→↓−∞■□▲△◆◇○●★☆✓✗"
COVERED = frozenset([*map(chr, range(0x20, 0x7F)), *map(chr, range(0xA0, 0x100)), *_SIGNS, *NUMERALS])
"""The characters that our fonts hold."""


def check_size(width: int, height: int) -> None:
    """Refuse a picture that is too small to show anything, or too large to be drawn safely.

    Args:
        width: in pixels.
        height: in pixels.

    Raises:
        PictureError: the size is out of range.
    """
    if not MIN_SIDE <= width <= MAX_SIDE:
        raise PictureError("error.picture.width", width=width, least=MIN_SIDE, most=MAX_SIDE)
    if width * height > MAX_PIXELS:
        most = MAX_PIXELS // 1_000_000
        raise PictureError("error.picture.pixels", width=width, height=height, most=most)


def to_png(svg: str, width: int, height: int, text: str = "") -> bytes:
    """Draw an SVG of a size that `check_size` allows, or a part of one.

    Args:
        svg: the picture.
        width: in pixels.
        height: in pixels.
        text: the text that is drawn in it, as far as its characters may be outside `COVERED`; the
            system's fonts are searched only for those, as that can take long.

    Returns:
        A PNG file, transparent where the picture is.

    Raises:
        MissingPackage: resvg is not installed.
    """
    with importing():
        import resvg_py

    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        height=height,
        skip_system_fonts=COVERED.issuperset(text),
        font_files=[str(_FONTS / face) for face in _FACES],
        font_family=_FAMILY,
        sans_serif_family=_FAMILY,
    )
