"""INFO lines: ``INFO key value``, and the values as they are told one after the other.

Times are in milliseconds and memory in bytes, as the protocol has them. *Yixin protocol* (K. Sun) adds
``time_increment``, ``thread_num``, ``max_node`` and ``max_depth``.

The protocol has whole numbers; managers also send fractions, numbers too large for any machine, and a unit
or a remark behind them. What can be read is taken, what cannot leaves the value as it was.
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

_KINDS = frozenset(("rule", "game_type"))
"""Keys whose value is no amount, so that nothing stands between two of them."""

_MOST = 10**18
"""Any number beyond it is taken for it."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,9})?", re.IGNORECASE)

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
            ProtocolError: the value is no number, or that of no rules.
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
        """The rules on a square board of this size: those told, as far as Tengen plays them."""
        rules = rule_numbers.rules_of(self._rule_played, size)
        assert rules is not None  # `told` takes no other number
        return rules

    def rule_remark(self) -> Message | None:
        """That the rules played are not quite those told; None where they are."""
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
    """The line that tells a value."""
    return f"{CommandName.INFO} {key} {value}"


def parse_info(text: str) -> tuple[str, str]:
    """Key, in lower case, and value of what follows INFO."""
    key, *value = text.split(maxsplit=1) or [""]
    return key.lower(), "".join(value).strip()


def _number(key: str, value: str) -> int:
    """The number of a value.

    Raises:
        ProtocolError: it is none.
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
    # A negative time has run out. A negative bound on anything else is how some say that there is none.
    return number if key == "time_left" else max(number, 0)


def _whole(text: str) -> int:
    """A number without its fraction; 1 for what is less but not nothing, as 0 often means no bound."""
    digits = text.lstrip("+-")
    if digits.isdecimal():
        number = int(digits) if len(digits) < len(str(_MOST)) else _MOST
    else:
        amount = min(float(digits), float(_MOST))
        number = max(int(amount), 1) if amount > 0 else 0
    return -number if text.startswith("-") else number
