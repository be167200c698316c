"""Small pieces of SVG: lengths, signs of marks, and texts that fit."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping

from tengen.formats.pictures.svg_layout import LENGTHS

MAX_LABEL: int = LENGTHS["letters"]
"""The most characters of a mark's label that are drawn."""

_MARK: Mapping[str, float] = LENGTHS["mark"]


def figure(weight: float) -> str:
    """Format a weight in at most about five characters: ``500``, ``−0.35``, ``12.3k``."""
    size = abs(weight)
    if size and not 1e-3 <= size < 999.5e6:
        mantissa, _, power = f"{weight:.0e}".partition("e")
        text = f"{mantissa}e{int(power)}"
    elif size >= 999_500:
        text = f"{weight / 1e6:.3g}M"
    elif size >= 9_999.5:
        text = f"{weight / 1e3:.3g}k"
    elif size >= 99.95 or float(weight).is_integer():
        text = f"{weight:.0f}"
    else:
        text = f"{weight:.{1 if size >= 0.995 else 2 if size >= 0.0095 else 3}f}"
    return text.replace("-", "−")


def shortened(label: str) -> str:
    """Shorten a label for drawing: printable, on one line and not longer than `MAX_LABEL`."""
    plain = "".join(c if c.isprintable() else " " for c in label[: 4 * MAX_LABEL]).strip()
    return plain if len(plain) <= MAX_LABEL else plain[: MAX_LABEL - 1] + "…"


def fit(text: str, size: float, room: float) -> float:
    """Return the font size, at most `size`, at which bold text is at most `room` wide in any usual font."""
    width = sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.63 for c in text)
    return min(size, room / width) if width else size


def shape(kind: str, x: float, y: float, size: float) -> str:
    """Return the path of a mark: a triangle, a square, a circle, or else a cross."""
    if kind == "triangle":
        side = _MARK["triangle"] * size
        dx, dy = side * math.sqrt(3) / 2, side / 2
        return f"M{num(x)} {num(y - side)}L{num(x + dx)} {num(y + dy)}H{num(x - dx)}Z"
    if kind == "square":
        half = _MARK["square"] * size
        return f"M{num(x - half)} {num(y - half)}h{num(2 * half)}v{num(2 * half)}h{num(-2 * half)}Z"
    if kind == "circle":
        radius = _MARK["circle"] * size
        arc = f"a{num(radius)} {num(radius)} 0 1 0"
        return f"M{num(x - radius)} {num(y)}{arc} {num(2 * radius)} 0{arc} {num(-2 * radius)} 0Z"
    return cross(x, y, _MARK["cross"] * size)


def cross(x: float, y: float, half: float) -> str:
    """Return the path of a cross that reaches `half` from its middle to each side."""
    full = num(2 * half)
    return f"M{num(x - half)} {num(y - half)}l{full} {full}m-{full} 0l{full} -{full}"


def num(value: float, decimals: int = 2) -> str:
    """Format a length briefly."""
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
