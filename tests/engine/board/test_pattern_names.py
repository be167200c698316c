"""Patterns and classes have names, in both languages."""

from __future__ import annotations

from itertools import combinations_with_replacement

from tengen.engine.board.pattern_names import PATTERN_KEYS, class_name
from tengen.engine.board.patterns import Pattern
from tengen.engine.board.point_classes import CLASSES
from tengen.words import LANGUAGES


def test_classes_have_names_of_their_own():
    assert set(PATTERN_KEYS) == set(Pattern)
    for lang in LANGUAGES:
        assert len({class_name(number, lang) for number in range(CLASSES)}) == CLASSES
    numbers = {tuple(c): n for n, c in enumerate(combinations_with_replacement(range(len(Pattern)), 4))}
    one = numbers[Pattern.DEAD, Pattern.TWO, Pattern.TWO, Pattern.OPEN_THREE]
    assert class_name(one, "en") == "open three + 2 × two"
    assert class_name(one, "zh") == "活三 + 2 × 眠二"
    assert class_name(0, "en") == "nothing"
