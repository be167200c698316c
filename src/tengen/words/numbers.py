"""Numbers as a language writes them, and the plural forms that they need, by Unicode's CLDR.

`cldr.json` holds the rules of all languages; in the browser, `Intl` knows them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache
from pathlib import Path
from typing import Any

_MOST_DIGITS = 3
"""The most digits after the decimal sign of a number whose digits are not prescribed, as in `Intl`."""

_EXACT = Context(prec=400)
"""Precise enough for every finite number."""

_RELATION = re.compile(r"([nivwftce])(?: % (\d+))? (!?=) ([\d.,]+)")


def format_number(value: Any, language: str, digits: int | None = None) -> str:
    """Return a number as a language writes it; anything else, infinity included, as it is.

    Args:
        value: the number, or a text of digits.
        language: the language's code.
        digits: how many digits follow the decimal sign; as many as needed, but at most three, if None.
    """
    plain = _plain(value, digits)
    if plain is None:
        return str(value)
    decimal, group, sizes, least, minus = _signs(language)
    whole, dot, fraction = plain.lstrip("-").partition(".")
    parts: list[str] = []
    if sizes and len(whole) >= sizes[0] + least:
        for size in (*sizes[:-1], *[sizes[-1]] * len(whole)):
            if len(whole) <= size:
                break
            parts.insert(0, whole[-size:])
            whole = whole[:-size]
    sign = minus if plain.startswith("-") else ""
    return sign + group.join((whole, *parts)) + (decimal + fraction if dot else "")


def plural_category(value: Any, language: str) -> str:
    """Return the category of plural forms that a number needs, such as ``"one"``, ``"few"`` or ``"other"``.

    What is no number needs ``"other"``.
    """
    plain = _plain(value, None)
    if plain is not None:
        whole, _, fraction = plain.lstrip("-").partition(".")
        operands = {
            "n": float(plain.lstrip("-")),
            "i": int(whole),
            "v": len(fraction),
            "w": len(fraction.rstrip("0")),
            "f": int(fraction or 0),
            "t": int(fraction.rstrip("0") or 0),
            "c": 0,
            "e": 0,
        }
        for category, rule in _rules(language).items():
            either = (part.split(" and ") for part in rule.split(" or "))
            if any(all(_holds(relation, operands) for relation in part) for part in either):
                return category
    return "other"


def plural_categories(language: str) -> tuple[str, ...]:
    """Return the categories of plural forms that a language has; ``"other"`` comes last."""
    return (*_rules(language), "other")


def _plain(value: Any, digits: int | None) -> str | None:
    """Return the digits of a number, such as ``"-1234.5"``; None if it is no finite number."""
    try:
        number = value if isinstance(value, (int, float)) else float(value)
    except (TypeError, ValueError):
        return None
    if not math.isfinite(number):
        return None
    places = Decimal(1).scaleb(-(_MOST_DIGITS if digits is None else digits))
    # Halves are rounded away from zero, as in `Intl`.
    text = f"{Decimal(str(+number)).quantize(places, ROUND_HALF_UP, _EXACT):f}"
    return text.rstrip("0").rstrip(".") if digits is None else text


def _holds(relation: str, operands: Mapping[str, float]) -> bool:
    """Evaluate one relation of a rule, such as ``n % 100 = 3..10,13``."""
    match = _RELATION.fullmatch(relation.strip())
    if match is None:
        raise ValueError(relation)
    name, modulus, sign, ranges = match.groups()
    value = operands[name] % int(modulus) if modulus else operands[name]
    inside = any(
        int(low) <= value <= int(high or low) and value == int(value)
        for low, _, high in (each.partition("..") for each in ranges.split(","))
    )
    return inside == (sign == "=")


@cache
def _table(kind: str) -> dict[str, Any]:
    """Return one of the tables of CLDR by language."""
    rows = json.loads(Path(__file__).with_name("cldr.json").read_text("utf-8"))[kind]
    return {language: value for languages, value in rows for language in languages.split()}


def _rules(language: str) -> dict[str, str]:
    found: dict[str, str] = _of(language, "plurals")
    return found


def _signs(language: str) -> tuple[str, str, list[int], int, str]:
    found: tuple[str, str, list[int], int, str] = _of(language, "numbers")
    return found


def _of(language: str, kind: str) -> Any:
    """Return what a table has for a language, or if it has nothing, for the language without its region."""
    table = _table(kind)
    return table[language] if language in table else table[language.partition("-")[0]]
