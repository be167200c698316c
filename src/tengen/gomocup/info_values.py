"""INFO lines: ``INFO key value``, and the values as they are told one after the other.

Times are in milliseconds and memory in bytes, as the protocol has them. *Yixin protocol* (K. Sun) adds
``time_increment``, ``thread_num``, ``max_node`` and ``max_depth``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from tengen.game import rule_numbers
from tengen.game.notation import shorten
from tengen.game.rules import Rules
from tengen.gomocup.command_names import CommandName
from tengen.gomocup.protocol_lines import ProtocolError, whole_number

UNLIMITED = 2_147_483_647
"""What ``time_left`` is where the game has no time limit, and the largest number that is told."""

_CLOCKS = frozenset(("timeout_turn", "timeout_match", "time_left", "time_increment"))
"""Keys whose value is a time."""

TIMES = _CLOCKS | {"max_node", "max_depth"}
"""Keys that say how long a move may take."""

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
"""Keys that Yixin-Board alone sends. It says rule 2 for renju (K. Sun, *Yixin protocol*)."""

_SIGNED = ("time_left", "rule")
"""Keys whose value may be negative."""

_TOLD_FIRST = ("max_memory", "timeout_match", "timeout_turn", "game_type", "rule")
"""Keys that are told in the beginning even where the value goes without saying."""


@dataclass(frozen=True, slots=True)
class InfoValues:
    """What has been told so far.

    Attributes:
        max_memory: bytes for the process; 0 without bound.
        timeout_match: for a game; 0 without bound.
        timeout_turn: for a move; 0 at once, None where nothing was said.
        time_increment: added after every move.
        max_depth: plies; 0 without bound.
        max_node: nodes of a move; 0 without bound.
        game_type: who the opponent is: 0 a person, 1 a program, 2 and 3 in a tournament.
        rule: the number of the rules, see `tengen.game.rule_numbers`.
        folder: where files may be kept.
        thread_num: threads; None where nothing was said.
        time_left: of the game; None where nothing was said.
        yixin: whether it is Yixin-Board that speaks.
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

    def told(self, text: str) -> Self:
        """The values after ``INFO text``; keys that mean nothing here change nothing.

        Raises:
            ProtocolError: the value is no number.
        """
        key, value = parse_info(text)
        if key in _YIXIN_ONLY:
            return replace(self, yixin=True)
        if key not in _KEYS:
            return self
        changed: dict[str, Any] = {key: value if key == "folder" else _number(key, value)}
        return replace(self, **changed)

    def news(self, told: Mapping[str, int | str]) -> dict[str, int | str]:
        """What there is to tell somebody who has been told some values before, in a good order.

        The time left is told always; what goes without saying only to take something else back.
        """
        values = {key: getattr(self, key) for key in _KEYS}
        silent = {
            field.name: field.default for field in fields(InfoValues) if field.name not in _TOLD_FIRST
        }
        return {
            key: value
            for key, value in values.items()
            if value is not None and (key == "time_left" or value != told.get(key, silent.get(key)))
        }

    def rules(self, size: int) -> Rules:
        """The rules on a square board of this size.

        Raises:
            ProtocolError: rules that Tengen does not play.
        """
        number = self.rule
        if number == rule_numbers.CONTINUOUS and self.yixin:
            number = rule_numbers.RENJU
        rules = rule_numbers.rules_of(number, size)
        if rules is None:
            raise ProtocolError("error.gomocup.rule", rule=self.rule)
        return rules


_KEYS = tuple(field.name for field in fields(InfoValues) if field.name != "yixin")


def info_line(key: str, value: int | str) -> str:
    """The line that tells a value."""
    return f"{CommandName.INFO} {key} {value}"


def parse_info(text: str) -> tuple[str, str]:
    """Key, in lower case, and value of what follows INFO."""
    key, _, value = text.partition(" ")
    return key.lower(), value.strip()


def _number(key: str, value: str) -> int:
    number = whole_number(value)
    if number is None:
        raise ProtocolError("error.gomocup.info", key=key, value=shorten(value))
    if key in _CLOCKS:
        number = min(number, UNLIMITED)  # weeks; no timer takes the ages that 18 digits can name
    # A negative time has run out. A negative bound on anything else is how some say that there is none.
    return number if key in _SIGNED else max(number, 0)
