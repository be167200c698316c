"""Points written as two numbers, ``8,8`` or ``(8, 8)`` or ``8-8``.

`tengen.formats.move_lists` decides what the numbers count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tengen.formats.written_points import NotThisWayError, Numbering, Stone, colour_of
from tengen.game.points import BLACK, WHITE, Colour

_DASHED = "\x01"
"""A substitute for a dash between two digits, which is not the sign of a number."""

_BETWEEN_DIGITS = re.compile(r"(?<=[0-9])(\s*)-(\s*)(?=[0-9])")
_NUMBER = re.compile(r"[-+]?[0-9]{1,9}(?![0-9])")
_GROUP = re.compile(
    rf"[(\[{{<]\s*([-+]?[0-9]{{1,9}}(?:[\s,;.:/|{_DASHED}]+[-+]?[0-9]{{1,9}}){{1,3}})\s*[)\]}}>]"
)
_INNER = (",", _DASHED, "/", ";", "|", "_", ":", ".", "")
_TIGHT = frozenset(":.")
_COUNTS = re.compile(r"\s*[.):\]]+\s*")
_CROSSED = re.compile(r"(?<=[0-9])\s*x\s*(?=[0-9])", re.IGNORECASE)
_FEW = 2
_SHORT_TIME = 50
"""Milliseconds that at least one value in a column of times exceeds, unless all are 0."""

_RESULT = re.compile(r"\s*(?:1-0|0-1|1/2-1/2)\s*")
_DRAWN = re.compile(r"[._]{2}|--")
_COLUMN_NAMES = {
    "x": "x",
    "col": "x",
    "column": "x",
    "列": "x",
    "y": "y",
    "row": "y",
    "行": "y",
    "move": "number",
    "no": "number",
    "n": "number",
    "ply": "number",
    "step": "number",
    "turn": "number",
    "#": "number",
    "index": "number",
    "手数": "number",
    "color": "colour",
    "colour": "colour",
    "player": "colour",
    "side": "colour",
    "stone": "colour",
    "who": "colour",
    "time": "time",
    "ms": "time",
    "seconds": "time",
}
_SIDES = {"1": BLACK, "2": WHITE, "-1": WHITE}
_PLAIN_NUMBER = re.compile(r"[0-9]{1,9}")
_BETWEEN = frozenset(" \t\n,;.:/|_()[]{}<>\"'`!?#=~>" + _DASHED)


@dataclass(frozen=True, slots=True)
class NumberedStones:
    """Stones whose columns and rows are numbers.

    Attributes:
        stones: the stones in order.
        signed: True if a column or a row has a sign.
        named: True if the text names columns and rows.
        third: the meaning of a third number, ``colour`` or ``time``; empty if there is none.
    """

    stones: list[Stone]
    signed: bool = False
    named: bool = False
    third: str = ""


def numbered_stones(text: str) -> NumberedStones:
    """Parse the stones of a prepared text of numbers.

    Raises:
        NotThisWayError: it has anything else, or numbers that are no pairs.
    """
    if _RESULT.fullmatch(text) or _DRAWN.search(text):
        raise NotThisWayError(0)  # the result of a game, or a row of a board
    table = _table(text)
    if table is not None:
        return table
    dashed = _BETWEEN_DIGITS.sub(lambda match: f"{match[1]}{_DASHED}{match[2]}", text)
    numbered = _of_groups(_bracketed(dashed) or _by_line(dashed) or _in_a_row(dashed))
    negative = any(stone.y < 0 or (stone.x or 0) < 0 for stone in numbered.stones)
    return replace(numbered, signed=negative or re.search(r"\+[0-9]", dashed) is not None)


def crossed_stones(text: str) -> NumberedStones:
    """Parse the stones of a prepared text such as ``8x8 9x9``; a single 15x15 is the size of a board.

    Raises:
        NotThisWayError: it is something else.
    """
    crossed, count = _CROSSED.subn(",", text)
    if count < _FEW or re.search("[A-Za-z]", crossed):
        raise NotThisWayError(0)
    return numbered_stones(crossed)


def _table(text: str) -> NumberedStones | None:
    """Parse the stones below a line that names the columns of a table; None without such a line."""
    lines = [line for line in text.split("\n") if line.strip()]
    names = [_COLUMN_NAMES.get(name.lower()) for name in _cells(lines[0])] if lines else []
    if len(lines) < _FEW or names.count("x") != 1 or names.count("y") != 1 or None in names:
        return None
    stones = []
    sides: dict[str, Colour] = {}
    for line in lines[1:]:
        cells = _cells(line)
        row = dict(zip(names, cells, strict=False))
        point = _PLAIN_NUMBER.fullmatch(row.get("x", "")), _PLAIN_NUMBER.fullmatch(row.get("y", ""))
        if len(cells) != len(names) or None in point:
            raise NotThisWayError(text.find(line))
        side = row.get("colour")
        if side is not None and side not in sides:
            first_taken = BLACK in sides.values()
            sides[side] = colour_of(side) or _SIDES.get(side) or (WHITE if first_taken else BLACK)
        written = f"{row['x']},{row['y']}"
        stones.append(Stone(int(row["x"]), int(row["y"]), written, None if side is None else sides[side]))
    if len(sides) != len(set(sides.values())):
        raise NotThisWayError(0)
    return NumberedStones(stones, named=True)


def _cells(line: str) -> list[str]:
    sign = next((sign for sign in "\t;,|" if sign in line), None)
    return [cell.strip("\"' ") for cell in line.split(sign)]


def _bracketed(text: str) -> list[list[int]]:
    """Numbers in brackets, with nothing outside but separators and numbers that count them."""
    groups = list(_GROUP.finditer(text))
    outside = _GROUP.sub(lambda group: " " * (group.end() - group.start()), text)
    if not groups or set(re.sub(r"[0-9]+", "", outside)) - _BETWEEN:
        return []
    numbering = Numbering()
    for number in re.finditer(r"[0-9]{1,9}", outside):
        before = sum(group.start() < number.start() for group in groups)
        if before == len(groups) or not numbering.fits(int(number.group()), before):
            return []
    return [_numbers(group.group(1)) for group in groups]


def _by_line(text: str) -> list[list[int]]:
    """The numbers of each line, where all lines have the same number of them."""
    lines = [line for line in text.split("\n") if line.strip()]
    groups = [_numbers(line) for line in lines]
    same = len({len(group) for group in groups}) == 1 and len(groups[0]) in (2, 3, 4)
    if len(groups) < _FEW or not same or set(_NUMBER.sub("", text)) - _BETWEEN:
        return []
    return groups


def _in_a_row(text: str) -> list[list[int]]:
    """Numbers that stand in pairs, with numbers that count them before some."""
    numbers = list(_NUMBER.finditer(text))
    gaps = [text[left.end() : right.start()] for left, right in pairwise(numbers)]
    ends = text[: numbers[0].start()] + text[numbers[-1].end() :] if numbers else text
    if not numbers or set("".join([ends, *gaps])) - _BETWEEN:
        raise NotThisWayError(0)
    for sign in _INNER:
        pairs = _pairs(numbers, gaps, sign)
        if pairs:
            return pairs
    raise NotThisWayError(numbers[0].start())


def _pairs(numbers: Sequence[re.Match[str]], gaps: Sequence[str], sign: str) -> list[list[int]]:
    """Return the pairs with this sign within them; none if they do not use all numbers."""
    within = [_is_within(gap, sign) for gap in gaps]
    if all(within):
        return (
            []
            if len(numbers) % 2
            else [
                [int(x.group()), int(y.group())] for x, y in zip(numbers[::2], numbers[1::2], strict=True)
            ]
        )
    pairs: list[list[int]] = []
    numbering = Numbering()
    at = 0
    while at < len(numbers):
        value = int(numbers[at].group())
        if at < len(within) and within[at]:
            if at + 1 < len(within) and within[at + 1]:
                return []
            pairs.append([value, int(numbers[at + 1].group())])
            at += 2
        elif (sign or _COUNTS.fullmatch("".join(gaps[at : at + 1]))) and numbering.fits(value, len(pairs)):
            at += 1
        else:
            return []
    return pairs if pairs and within[-1] else []


def _is_within(gap: str, sign: str) -> bool:
    """Return whether a gap is between the two numbers of a pair."""
    if "\n" in gap or (sign in _TIGHT and gap != sign):
        return False
    return gap.strip() == sign


def _numbers(text: str) -> list[int]:
    return [int(number.group()) for number in _NUMBER.finditer(text)]


def _of_groups(groups: Sequence[Sequence[int]]) -> NumberedStones:
    """Stones of numbers in twos; or in threes and fours, with a number, a colour or a time beside them."""
    if len({len(group) for group in groups}) != 1:
        raise NotThisWayError(0)
    count = len(groups[0])
    first, last = [group[0] for group in groups], [group[-1] for group in groups]
    if (
        count > 2
        and len(groups) > 1
        and first[0] in (0, 1)
        and first == list(range(first[0], first[0] + len(first)))
    ):
        return _of_groups([group[1:] for group in groups])
    if count == 2:
        return NumberedStones([Stone(x, y, f"{x},{y}") for x, y in groups])
    if count == 3 and len(groups) > 1:
        if set(last) in ({1, 2}, {1, -1}):
            return NumberedStones(_coloured((x, y, colour) for x, y, colour in groups), third="colour")
        if set(first) in ({1, 2}, {1, -1}) and max(map(max, groups)) > _FEW:
            return NumberedStones(_coloured((x, y, colour) for colour, x, y in groups), third="colour")
        if min(last) >= 0 and (max(last) == 0 or max(last) > _SHORT_TIME):
            return NumberedStones([Stone(x, y, f"{x},{y}") for x, y, _ in groups], third="time")
    raise NotThisWayError(0)


def _coloured(stones: Iterable[tuple[int, int, int]]) -> list[Stone]:
    return [Stone(x, y, f"{x},{y}", BLACK if colour == 1 else WHITE) for x, y, colour in stones]
