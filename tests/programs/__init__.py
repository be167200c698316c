"""Gomocup programs to play against: `good.py` keeps to the protocol, `bad.py` breaks it in every way.

Both are scripts for a Python without site-packages: ``python -S -E tests/programs/good.py shapes``.
"""

from __future__ import annotations

import sys
from pathlib import Path

_HERE = Path(__file__).parent


def good(spec: str = "shapes", *words: str) -> str:
    """The command of a program that plays as one of Tengen's players does.

    Args:
        spec: the player, without a comma.
        words: more words of the command; see `good.py`.
    """
    return " ".join([sys.executable, "-S", "-E", str(_HERE / "good.py"), spec, *words])


def bad(mode: str, *words: str) -> str:
    """The command of a program that misbehaves; the modes are in `bad.py`."""
    return " ".join([sys.executable, "-S", "-E", str(_HERE / "bad.py"), mode, *words])
