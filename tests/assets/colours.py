"""How well one colour stands out from another."""

from __future__ import annotations

from typing import TypeAlias

Colour: TypeAlias = tuple[float, float, float]
"""Red, green and blue, from 0 to 255."""


def from_hex(text: str) -> Colour:
    """A colour written as ``#rgb`` or ``#rrggbb``."""
    digits = text.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue


def luminance(colour: Colour) -> float:
    """https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio"""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
