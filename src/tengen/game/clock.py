"""Clocks: absolute time, increment (Fischer) and Japanese byo-yomi, written as one time control."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from tengen.game.errors import RulesError
from tengen.game.notation import shorten

_LONGEST = 1_000_000.0

_CONTROL = re.compile(
    r"(?P<main>[0-9]{1,7}(?:\.[0-9]{1,3})?)"
    r"(?:\+(?:(?P<periods>[0-9]{1,4})x(?P<period>[0-9]{1,7}(?:\.[0-9]{1,3})?)"
    r"|(?P<increment>[0-9]{1,7}(?:\.[0-9]{1,3})?)))?"
)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time each side has for a game; all times in seconds.

    Attributes:
        main: time for the whole game.
        increment: added after each move made within the main time.
        periods: byo-yomi periods that follow the main time. A move made within a period leaves it
            whole; a period overrun is lost, and with the last of them the game.
        period: length of a period.
    """

    main: float
    increment: float = 0.0
    periods: int = 0
    period: float = 0.0

    def __post_init__(self) -> None:
        for name in ("main", "increment", "period"):
            value = getattr(self, name)
            if not (is_seconds(value) and value <= _LONGEST):
                raise RulesError("error.clock.seconds", field=name, value=shorten(repr(value)))
        if not (isinstance(self.periods, int) and not isinstance(self.periods, bool) and self.periods >= 0):
            raise RulesError("error.clock.periods", value=shorten(repr(self.periods)))
        if (self.periods > 0) != (self.period > 0):
            raise RulesError("error.clock.period")
        if self.periods and self.increment:
            raise RulesError("error.clock.both")
        if not (self.main > 0 or self.periods):
            raise RulesError("error.clock.empty")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Parse a time control: ``300`` (seconds), ``300+5`` (increment) or ``300+3x30`` (byo-yomi).

        Raises:
            RulesError: anything else.
        """
        match = _CONTROL.fullmatch(text.strip())
        if match is None:
            raise RulesError("error.clock.text", text=shorten(text))
        part = match.groupdict(default="0")
        return cls(
            float(part["main"]), float(part["increment"]), int(part["periods"]), float(part["period"])
        )

    def __str__(self) -> str:
        text = _number(self.main)
        if self.periods:
            return f"{text}+{self.periods}x{_number(self.period)}"
        return f"{text}+{_number(self.increment)}" if self.increment else text


@dataclass(frozen=True, slots=True)
class Clock:
    """The time one side has left, between its moves.

    Attributes:
        control: the time control it runs under.
        main: seconds of main time left.
        periods: byo-yomi periods left.
    """

    control: TimeControl
    main: float
    periods: int

    @classmethod
    def full(cls, control: TimeControl) -> Clock:
        """Return an unused clock."""
        return cls(control, control.main, control.periods)

    def after(self, seconds: float) -> Clock:
        """Return the clock after `seconds` of thinking; the running period is not yet given back."""
        over = seconds - self.main
        if over < 0:
            return Clock(self.control, self.main - seconds, self.periods)
        if over >= self.periods * self.control.period:
            return Clock(self.control, 0.0, 0)
        return Clock(self.control, 0.0, self.periods - int(over / self.control.period))

    def pressed(self, seconds: float) -> Clock:
        """Return the clock once a move has been made after `seconds`, with any increment added."""
        used = self.after(seconds)
        if used.main > 0:
            return Clock(self.control, used.main + self.control.increment, used.periods)
        return used

    def left(self, seconds: float) -> float:
        """Return the seconds left in the main time, or else in the running period, after `seconds`."""
        over = seconds - self.main
        if over < 0:
            return -over
        if self.after(seconds).periods == 0:
            return 0.0
        return self.control.period - over % self.control.period

    def flagged(self, seconds: float) -> bool:
        """Return whether `seconds` of thinking use up all the time left."""
        used = self.after(seconds)
        return used.main == 0 and used.periods == 0

    def share(self, seconds: float) -> float:
        """Return a sensible time for the next move, in seconds, after `seconds` of thinking already."""
        left = self.left(seconds)
        if self.after(seconds).main == 0:
            return 0.8 * left
        if self.periods:
            return left / 25 + 0.8 * self.control.period
        # An increment comes only after the move.
        return min(left / 25 + 0.9 * self.control.increment, 0.8 * left)

    def with_left(self, main: float, periods: int) -> Clock:
        """Return the clock with this much time left.

        Raises:
            RulesError: values that no clock of this time control can have.
        """
        whole = isinstance(periods, int) and not isinstance(periods, bool)
        if not (whole and 0 <= periods <= self.control.periods):
            raise RulesError("error.clock.periods", value=shorten(repr(periods)))
        most = math.inf if self.control.increment else self.control.main
        if not (is_seconds(main) and main <= most):
            raise RulesError("error.clock.seconds", field="main", value=shorten(repr(main)))
        return Clock(self.control, main, periods)


def is_seconds(value: object) -> bool:
    """Return whether `value` is a length of time in seconds: a finite number, 0 or more."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < math.inf


def _number(value: float) -> str:
    """Format a number of seconds, to a thousandth, without trailing zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
