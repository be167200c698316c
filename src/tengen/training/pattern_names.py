"""What patterns and classes of points are called."""

from __future__ import annotations

from functools import lru_cache

from tengen.engine.patterns import Pattern
from tengen.engine.weights import class_patterns
from tengen.words import say

PATTERN_KEYS = {
    Pattern.DEAD: "train.pattern.dead",
    Pattern.ONE: "train.pattern.one",
    Pattern.OPEN_ONE: "train.pattern.open_one",
    Pattern.TWO: "train.pattern.two",
    Pattern.SLIM_TWO: "train.pattern.slim_two",
    Pattern.OPEN_TWO: "train.pattern.open_two",
    Pattern.THREE: "train.pattern.three",
    Pattern.WIDE_THREE: "train.pattern.wide_three",
    Pattern.SLIM_OPEN_THREE: "train.pattern.slim_open_three",
    Pattern.OPEN_THREE: "train.pattern.open_three",
    Pattern.FOUR: "train.pattern.four",
    Pattern.DOUBLE_FOUR: "train.pattern.double_four",
    Pattern.OPEN_FOUR: "train.pattern.open_four",
    Pattern.FIVE: "train.pattern.five",
    Pattern.OVERLINE: "train.pattern.overline",
}
"""What a pattern is called."""


def class_name(number: int, lang: str) -> str:
    """A class of points by its patterns, the strongest first: ``open three + 2 × two``."""
    patterns = [Pattern(pattern) for pattern in _classes_patterns()[number]]
    names = []
    for pattern in sorted(set(patterns) - {Pattern.DEAD}, reverse=True):
        count, name = patterns.count(pattern), say(PATTERN_KEYS[pattern], lang)
        names.append(name if count == 1 else f"{count} × {name}")
    return " + ".join(names) or say(PATTERN_KEYS[Pattern.DEAD], lang)


@lru_cache(maxsize=1)
def _classes_patterns() -> list[list[int]]:
    found: list[list[int]] = class_patterns().tolist()
    return found
