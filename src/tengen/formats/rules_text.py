"""Rules as a short text that any file with room for a comment can carry.

``renju 15x15`` or ``freestyle 7x6 k=4 passing=true``: the name of a preset, the size, and the fields
that differ from the preset's.
"""

from __future__ import annotations

import re
from typing import Any

from tengen.game.errors import RulesError
from tengen.game.notation import shorten
from tengen.game.rules import NAMES, Rules, Size, parse_size

_WHOLE = re.compile(r"[0-9]{1,9}")
_SIZE = re.compile(r"[0-9]+([xX×][0-9]+)?")


def preset_of(rules: Rules) -> str:
    """Return the name of the preset that differs from these rules in the fewest fields."""
    # Tic-tac-toe differs from freestyle in k alone, and stands for nothing else.
    names = sorted(NAMES, key=lambda name: name == "tictactoe")
    return min(names, key=lambda name: len(_differences(rules, name)))


def format_rules(rules: Rules, size: bool = True) -> str:
    """Format rules, with or without the size of the board."""
    name = preset_of(rules)
    words = [name, rules.size_text] if size else [name]
    for field, value in _differences(rules, name).items():
        shown = str(value).lower() if isinstance(value, bool) else value
        words.append(f"{field}={shown}")
    return " ".join(words)


def name_of_rules(rules: Rules) -> str:
    """Format rules for people: like `format_rules`, but m,n,k games by their numbers.

    `parse_rules` and ``--rules`` accept this form. Files keep the other one.
    """
    five, tictactoe = Rules.named("freestyle").k, Rules.named("tictactoe")
    if rules == Rules.mnk(rules.width, rules.height, rules.k) and rules.k != five and rules != tictactoe:
        return f"mnk:{rules.width},{rules.height},{rules.k}"
    return format_rules(rules)


def parse_rules(text: str, size: Size | None = None) -> Rules:
    """Parse rules in the form of `format_rules`, or a mere name such as ``renju`` or ``mnk:7,6,4``.

    Args:
        text: the rules.
        size: size of the board if the text gives none; the preset's own if None.

    Raises:
        RulesError: no such preset or field, or a value out of range.
    """
    name, *words = text.split() or [""]
    fields: dict[str, Any] = {}
    for word in words:
        field, equals, value = word.partition("=")
        if equals:
            fields[field] = _value(value)
        elif _SIZE.fullmatch(word):
            size = parse_size(word)
        else:
            raise RulesError("error.rules.word", text=shorten(word))
    return Rules.parse(name, None if name.startswith("mnk") else size, **fields)


def _differences(rules: Rules, name: str) -> dict[str, Any]:
    preset = Rules.named(name, (rules.width, rules.height)).to_dict()
    return {field: value for field, value in rules.to_dict().items() if value != preset[field]}


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if _WHOLE.fullmatch(text) else text
