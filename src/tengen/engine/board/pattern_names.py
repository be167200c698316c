"""Names of patterns and point classes."""

from __future__ import annotations

from functools import lru_cache, reduce

from tengen.engine.board.patterns import Pattern
from tengen.engine.board.point_classes import class_patterns
from tengen.words import Message, say

PATTERN_KEYS = {
    Pattern.DEAD: "pattern.dead",
    Pattern.ONE: "pattern.one",
    Pattern.OPEN_ONE: "pattern.open_one",
    Pattern.TWO: "pattern.two",
    Pattern.SLIM_TWO: "pattern.slim_two",
    Pattern.OPEN_TWO: "pattern.open_two",
    Pattern.THREE: "pattern.three",
    Pattern.WIDE_THREE: "pattern.wide_three",
    Pattern.SLIM_OPEN_THREE: "pattern.slim_open_three",
    Pattern.OPEN_THREE: "pattern.open_three",
    Pattern.FOUR: "pattern.four",
    Pattern.DOUBLE_FOUR: "pattern.double_four",
    Pattern.OPEN_FOUR: "pattern.open_four",
    Pattern.FIVE: "pattern.five",
    Pattern.OVERLINE: "pattern.overline",
}
"""The key of each pattern's name."""


@lru_cache(maxsize=1 << 12)
def class_message(number: int) -> Message:
    """Return the name of a point class, its patterns from the strongest on: ``open three + 2 × two``."""
    patterns = [Pattern(pattern) for pattern in _classes_patterns()[number]]
    names = []
    for pattern in sorted(set(patterns) - {Pattern.DEAD}, reverse=True):
        count, name = patterns.count(pattern), Message(PATTERN_KEYS[pattern])
        names.append(name if count == 1 else Message("pattern.times", {"count": count, "pattern": name}))
    return reduce(_both, names) if names else Message(PATTERN_KEYS[Pattern.DEAD])


def class_name(number: int, lang: str) -> str:
    """Return the name of a point class in a language."""
    return say(class_message(number), lang)


def _both(one: Message, other: Message) -> Message:
    return Message("pattern.and", {"one": one, "other": other})


@lru_cache(maxsize=1)
def _classes_patterns() -> list[list[int]]:
    found: list[list[int]] = class_patterns().tolist()
    return found
