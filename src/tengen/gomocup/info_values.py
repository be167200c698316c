"""INFO lines, ``INFO key value``, and the values they set.

Times are in milliseconds and memory in bytes, as in the protocol. *Yixin protocol* (K. Sun) adds
``time_increment``, ``thread_num``, ``max_node`` and ``max_depth``.

The protocol has whole numbers; managers also send fractions, numbers too large for any machine, and a unit
or a remark after them. A value that can be parsed is taken; one that cannot leaves the former value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from tengen.game import rule_numbers
from tengen.game.notation import shorten
from tengen.game.rules import Rules
from tengen.gomocup.command_names import CommandName
from tengen.gomocup.protocol_lines import ProtocolError, without_remark
from tengen.words import Message

UNLIMITED = 2_147_483_647
"""The value of ``time_left`` in a game without a time limit, and the largest number ever sent."""

_CLOCKS = frozenset(("timeout_turn", "timeout_match", "time_left", "time_increment"))
"""Keys whose value is a time."""

_AMOUNTS = _CLOCKS - {"time_left"} | {"max_memory"}
"""Keys whose value cannot be negative; to some managers a negative bound on nodes or plies is none."""

TIMES = _CLOCKS | {"max_node", "max_depth"}
"""Keys that limit the time of a move."""

_YIXIN_ONLY = frozenset(
    {
        "caution_factor",
        "checkmate",
        "hash_size",
        "nbestsym",
        "show_detail",
        "start_depth",
        "thread_split_depth",
        "usedatabase",
        "vcthread",
    }
)
"""Keys that only Yixin-Board sends, whose rule 2 is renju (K. Sun, *Yixin protocol*)."""

_KINDS = frozenset(("rule", "game_type"))
"""Keys with a code for a value, not an amount, so that fractions make no sense."""

_MOST = 10**18
"""The largest number; larger ones are cut to it."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,9})?", re.IGNORECASE)

_ALWAYS_SENT = ("max_memory", "timeout_match", "timeout_turn", "game_type", "rule")
"""Keys sent at the start of a game even if the value is the default."""


@dataclass(frozen=True, slots=True)
class InfoValues:
    """The values received so far.

    Attributes:
        max_memory: bytes for the process; 0 is no limit.
        timeout_match: time for a game; 0 is no limit.
        timeout_turn: time for a move; 0 means at once, None if never received.
        time_increment: time added after every move.
        max_depth: plies; 0 is no limit.
        max_node: nodes of a move; 0 is no limit.
        game_type: the kind of opponent: 0 a person, 1 a program, 2 and 3 in a tournament.
        rule: the number of the rules, see `tengen.game.rule_numbers`.
        folder: a folder for persistent files.
        thread_num: threads; None if never received.
        time_left: time left of the game; None if never received.
        yixin: True if the manager is Yixin-Board.
    """

    max_memory: int = 0
    timeout_match: int = 0
    timeout_turn: int | None = None
    time_increment: int = 0
    max_depth: int = 0
    max_node: int = 0
    game_type: int = 0
    rule: int = 0
    folder: str = ""
    thread_num: int | None = None
    time_left: int | None = None
    yixin: bool = False

    def updated(self, text: str) -> Self:
        """Return the values after ``INFO text``; unknown keys change nothing.

        Raises:
            ProtocolError: the value is no number, or the number of no rules.
        """
        key, value = parse_info(text)
        if key in _YIXIN_ONLY:
            return replace(self, yixin=True)
        if key not in _KEYS:
            return self
        changed: dict[str, Any] = {key: value if key == "folder" else _number(key, value)}
        if key == "rule" and rule_numbers.nearest(changed[key]) is None:
            raise ProtocolError("error.gomocup.rule", rule=changed[key])
        return replace(self, **changed)

    def unsent(self, sent: Mapping[str, int | str]) -> dict[str, int | str]:
        """Return the values to send to a program that has received `sent` before, in order.

        The time left is always sent; a default value only to replace another.
        """
        values = {key: getattr(self, key) for key in _KEYS}
        silent = {
            field.name: field.default for field in fields(InfoValues) if field.name not in _ALWAYS_SENT
        }
        return {
            key: value
            for key, value in values.items()
            if value is not None and (key == "time_left" or value != sent.get(key, silent.get(key)))
        }

    def rules(self, size: int) -> Rules:
        """Return the rules on a square board of this size, as far as Tengen plays them."""
        rules = rule_numbers.rules_of(self._rule_played, size)
        assert rules is not None  # `updated` accepts no other number
        return rules

    def rule_remark(self) -> Message | None:
        """Return a remark if the rules played are not quite those received, else None."""
        if self._rule_played == self.rule or self._yixin_renju:
            return None
        name = Message(f"rules.{self.rules(rule_numbers.USUAL_SIZE).name}")
        return Message("gomocup.rule", {"rule": self.rule, "rules": name})

    @property
    def _rule_played(self) -> int:
        if self._yixin_renju:
            return rule_numbers.RENJU
        return rule_numbers.nearest(self.rule) or 0

    @property
    def _yixin_renju(self) -> bool:
        return self.yixin and self.rule == rule_numbers.CONTINUOUS


_KEYS = tuple(field.name for field in fields(InfoValues) if field.name != "yixin")


def info_line(key: str, value: int | str) -> str:
    """Write the line that sends a value."""
    return f"{CommandName.INFO} {key} {value}"


def parse_info(text: str) -> tuple[str, str]:
    """Parse the text after INFO: the key, in lower case, and the value."""
    key, *value = text.split(maxsplit=1) or [""]
    return key.lower(), "".join(value).strip()


def negative_remark(text: str) -> Message | None:
    """Return a remark if the value after INFO is an amount below 0, which is taken as 0, else None.

    Raises:
        ProtocolError: it is an amount, but no number.
    """
    key, value = parse_info(text)
    if key not in _AMOUNTS or _number("time_left", value) >= 0:
        return None
    return Message("error.gomocup.negative", {"key": key, "value": shorten(value)})


def _number(key: str, value: str) -> int:
    """Parse a value as a number.

    Raises:
        ProtocolError: it is no number.
    """
    text = without_remark(value, _NUMBER)
    if _NUMBER.fullmatch(text) is None:
        raise ProtocolError("error.gomocup.info", key=key, value=shorten(value))
    number = _whole(text)
    if key in _KINDS:
        if number != float(text):
            raise ProtocolError("error.gomocup.info", key=key, value=shorten(value))
        return number
    if key in _CLOCKS:
        number = min(number, UNLIMITED)  # weeks; no timer takes the ages that 18 digits can name
    # A negative time has run out. A negative bound on anything else means none to some managers.
    return number if key == "time_left" else max(number, 0)


def _whole(text: str) -> int:
    """Parse a number without its fraction; between 0 and 1 it is 1, as 0 often means no bound."""
    digits = text.lstrip("+-")
    if digits.isdecimal():
        number = int(digits) if len(digits) < len(str(_MOST)) else _MOST
    else:
        amount = min(float(digits), float(_MOST))
        number = max(int(amount), 1) if amount > 0 else 0
    return -number if text.startswith("-") else number
