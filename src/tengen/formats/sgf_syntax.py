"""The syntax of SGF: its tokens, and recovery after errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tengen.formats.sgf_properties import Properties

TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z0-9]+)|\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\])", re.DOTALL)
"""A bracket or a semicolon, the name of a property, or a value."""

START = re.compile(r"\(\s*;")
"""The beginning of a game."""

LIKELY_START = re.compile(r"\(\s*;\s*(?:FF|GM|CA|AP|SZ|PB|PW|EV|GN)\s*\[")
"""A beginning that is safe to look for in the middle of another game."""

POINTS = frozenset(("B", "W", "AB", "AW", "AE", "TR", "SQ", "CR", "MA", "M", "PL", "SZ", "GM", "FF"))
"""Properties whose values are points, or as short."""

NEW_GAME = re.compile(r"\(\s*;\s*(?:FF|GM|CA)\s*\[")
"""The beginning of a game that cannot be a variation."""

SWALLOWED = re.compile(r"[()\s]*;\s*(?:[BW]\s*\[[A-Za-z]{2}|(?:FF|GM)\s*\[[0-9])\Z")
"""The next move, or game, swallowed by the end of a value that was not closed before it."""

_CLOSE = re.compile(r"\](?=\s*(?:[()\[]|\Z|;\s*(?:[A-Za-z]+\s*\[|[;()]|\Z)|[A-Z][A-Za-z0-9]{0,20}\s*\[))")
_PROPERTY = re.compile(r"[A-Z]\[|;\s*[BW]\s*\[")
_LONGEST_REPAIR = 4000

_SHORT_VALUE = re.compile(r"[A-Za-z0-9:]{0,9}")
_NEXT = re.compile(r"[;()]|(?<![A-Za-z0-9])[A-Z][A-Za-z0-9]{0,20}\s*\[")


def next_token(text: str, place: int) -> int:
    """Return the offset of the next possible token after `place`; the end of the text if there is none."""
    match = _NEXT.search(text, place)
    return len(text) if match is None else match.start()


def short_value(value: str) -> str | None:
    """Return a short value without the text it swallowed; None if it swallowed nothing."""
    if "[" not in value and ";" not in value:
        return None
    match = _SHORT_VALUE.match(value)
    return match.group() if match is not None else ""


class OpenNode:
    """The node being read.

    Attributes:
        properties: the properties read so far; None between nodes.
        hides_move: True if it holds a move that cannot be read.
        doubtful: True if it holds anything that cannot be read.
    """

    def __init__(self) -> None:
        self.reset(is_open=False)

    def reset(self, *, is_open: bool) -> None:
        """Begin a node, or leave one."""
        self.properties: Properties | None = {} if is_open else None
        self.hides_move = self.doubtful = False
        self._name = ""
        self._values: list[tuple[str, int]] | None = None
        self._last: list[tuple[str, int]] | None = None

    @property
    def takes_value(self) -> bool:
        """True if a value may come next."""
        return self._values is not None

    @property
    def takes_name(self) -> bool:
        """True if a property may begin."""
        return self.properties is not None and not self.is_waiting

    @property
    def is_waiting(self) -> bool:
        """True if a property has begun whose value is still to come."""
        return self._values == []

    def begin_property(self, name: str) -> None:
        """Begin a property, or continue one of the same name."""
        if self.properties is not None:
            self._name = name if name.isupper() else short_name(name)
            self._values = self.properties.setdefault(self._name, [])

    def add(self, raw: str, place: int) -> int | None:
        """Add a value; return its length if it was not closed."""
        cut: int | None = None
        if self._name in POINTS:
            short = short_value(raw)
            cut = None if short is None else len(short)
        elif (swallowed := SWALLOWED.search(raw)) is not None:
            cut = swallowed.start()
        if self._values is not None:
            self._values.append((raw if cut is None else raw[:cut], place))
            self._last = None if self._name in POINTS else self._values
        return cut

    def give_up_property(self) -> None:
        """Leave out a property that has no value."""
        if self.is_waiting and self.properties is not None:
            del self.properties[self._name]
            self.hides_move = self.hides_move or self._name in ("B", "W")
        self.doubtful = True
        self._values = None

    def mend(self, text: str) -> int | None:
        """Treat a bracket within the last text as a part of it; return the end of the text then."""
        if not self._last or self.properties is None:
            return None
        raw, place = self._last[-1]
        behind = place + len(raw) + 1
        close = _CLOSE.search(text, behind, behind + _LONGEST_REPAIR)
        if close is None or _PROPERTY.search(text, behind, close.start()):
            return None
        self._last[-1] = (text[place : close.start()], place)
        if self.is_waiting:
            del self.properties[self._name]
        self._values = self._last
        return close.end()

    def complete(self) -> Properties | None:
        """Return the properties that have values; None between nodes."""
        if self.properties is None:
            return None
        return {name: values for name, values in self.properties.items() if values}


def short_name(name: str) -> str:
    """Return a property's name as FF[4] writes it; older files have meaningless small letters in it."""
    return "".join(letter for letter in name if not letter.islower()) or name


def structure_faults(text: str, most: int = 5) -> int:
    """Count the syntax errors of a text, up to `most`; an early end is none."""
    start = START.search(text)
    if start is None:
        return most
    faults = depth = 0
    place: int | None = start.start()
    name = ""
    while faults < most and place is not None:
        token = TOKEN.match(text, place)
        if token is None:
            if text[place:].lstrip()[:1] in ("", "["):
                break
            faults += 1
            place = next_token(text, place + 1)
            continue
        place = token.end()
        if token.lastindex == 1:
            depth += (token[1] == "(") - (token[1] == ")")
            if depth == 0:
                again = START.search(text, place)
                place = None if again is None else again.start()
        elif token.lastindex == 2:
            name = token[2]
            faults += text[place : place + 40].lstrip()[:1] != "["
        else:
            faults += _is_unclosed(name, token[3])
    return faults


def _is_unclosed(name: str, value: str) -> bool:
    """Return whether a value has swallowed the text after it."""
    if name in POINTS:
        return short_value(value) is not None
    return SWALLOWED.search(value) is not None
