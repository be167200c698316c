"""The numbers of a player that a search turns, and the coordinates in which it turns them.

A player can be tuned if it has a mapping `parameters` of names to numbers and takes each of them under the
same name as a setting of its spec; `tengen.players.lines` is an example.

The numbers of one player may lie between 0.1 and a million, and what matters of most of them is the ratio,
not the difference. So a positive number is searched *by factors*: one step of its coordinate multiplies it
by e. A number that is zero or negative is searched *by amounts*: one step adds its own size, or the typical
size of the player's other numbers where it is zero. Coordinate 0 is where the search begins. With bounds on
both sides one step is a quarter of the way between them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from tengen.arena.arena_error import ArenaError
from tengen.arena.player_pool import close_player
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.players.registry import player
from tengen.players.spec import PlayerSpec
from tengen.words import Message

_FACTORS = (1000.0, 100.0, 10.0, 3.0, 1.5)
"""Default bounds of a number, as factors of its start: the first that the player accepts."""

_DIGITS = 6
"""Significant digits of the numbers that are tried."""

_FEWEST = 3
"""Significant digits that an answer has at least, where it was searched by factors."""

_HARMLESS = 0.1
"""Standard deviations of the search by which a number may move when it is rounded at its end."""

_RANGE = re.compile(r"(?P<low>[^:]*):(?P<high>[^:]*)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that is searched for.

    Attributes:
        name: the setting's name.
        start: its value in the spec as it was given.
        low: the least value.
        high: the greatest value.
        step: the effect of one step of the coordinate: a factor of ``e^step`` where `factors`, or else an
            addition of `step`.
        factors: search by factors.
    """

    name: str
    start: float
    low: float
    high: float
    step: float
    factors: bool

    def value(self, coordinate: float) -> float:
        """The number at a coordinate, to six significant digits and within the bounds."""
        if self.factors:
            exact = self.start * math.exp(self.step * coordinate)
        else:
            exact = self.start + self.step * coordinate
        return self.bounded(float(f"{exact:.{_DIGITS}g}"))

    def bounded(self, value: float) -> float:
        """The value, or the bound that it is beyond."""
        return min(max(value, self.low), self.high)

    def coordinate(self, value: float) -> float:
        """Return the coordinate of a value; the inverse of `value`, but for rounding."""
        if self.factors:
            return math.log(value / self.start) / self.step
        return (value - self.start) / self.step


def parameters_of(spec: str) -> dict[str, float]:
    """The numbers of a player that can be tuned.

    Raises:
        ArenaError: it has none.
        SpecError: the spec names no player.
    """
    found = _numbers(spec)
    if not found:
        raise ArenaError("error.tune.none", spec=shorten(spec))
    return found


def search_space(
    spec: str,
    only: Collection[str] = (),
    bounds: Mapping[str, tuple[float, float]] | None = None,
) -> tuple[Parameter, ...]:
    """Return the parameters to search, in the order in which the player names them.

    Args:
        spec: the player.
        only: the names of the numbers to turn; all if empty.
        bounds: the least and the greatest value of some of them. The others may grow and shrink a
            thousandfold (by a thousand typical sizes, where they are searched by amounts), or as far as the
            player accepts.

    Raises:
        ArenaError: nothing can be tuned, a name is none of the player's, or bounds make no sense.
        SpecError: the spec names no player.
    """
    numbers = parameters_of(spec)
    bounds = bounds or {}
    for name in (*only, *bounds):
        if name not in numbers:
            raise ArenaError(
                "error.tune.name", name=shorten(name), spec=shorten(spec), names=tuple(numbers)
            )
    chosen = [name for name in numbers if not only or name in only]
    for name in bounds:
        if name not in chosen:
            raise ArenaError("error.tune.only", name=name)
    sizes = [abs(value) for value in numbers.values() if value]
    typical = median(sizes) if sizes else 1.0
    return tuple(
        _bounded(spec, name, numbers[name], *bounds[name])
        if name in bounds
        else _free(spec, name, numbers[name], typical)
        for name in chosen
    )


def parse_bounds(text: str) -> tuple[str, tuple[float, float]]:
    """Bounds as the command line writes them, ``name=low:high``.

    Raises:
        ArenaError: the text is none.
    """
    name, _, values = text.partition("=")
    match = _RANGE.fullmatch(values)
    try:
        low, high = (float(match[side]) for side in ("low", "high")) if match else (1.0, 0.0)
    except ValueError:
        low, high = 1.0, 0.0
    if not (name.strip() and math.isfinite(low) and math.isfinite(high) and low < high):
        raise ArenaError("error.tune.bounds", text=shorten(text))
    return name.strip(), (low, high)


def with_values(spec: str, values: Mapping[str, float]) -> str:
    """Return the spec with these settings in place of its own."""
    changed = {name: _text(value) for name, value in values.items()}
    return str(PlayerSpec.parse(spec).with_settings(changed))


def at(parameters: Sequence[Parameter], coordinates: Sequence[float]) -> dict[str, float]:
    """The numbers at a point of the search, by name."""
    return {
        parameter.name: parameter.value(coordinate)
        for parameter, coordinate in zip(parameters, coordinates, strict=True)
    }


def rounded(
    parameters: Sequence[Parameter],
    mean: Sequence[float],
    deviations: Sequence[float],
) -> dict[str, float]:
    """The numbers at the mean of a search, as a reader wants them.

    Digits beyond the precision of the search are not written. A number that is searched by factors gets
    three significant digits, or as many more as it takes to move it by less than a tenth of the search's
    standard deviation; one that is searched by amounts as many decimals as that takes.

    Args:
        parameters: the dimensions of the search.
        mean: coordinates.
        deviations: the standard deviation of each coordinate.
    """
    return {
        parameter.name: _rounded(parameter, coordinate, _HARMLESS * deviation)
        for parameter, coordinate, deviation in zip(parameters, mean, deviations, strict=True)
    }


def _rounded(parameter: Parameter, coordinate: float, allowed: float) -> float:
    """The shortest number that is no farther than `allowed` from a coordinate."""
    exact = parameter.value(coordinate)
    there = parameter.coordinate(exact)
    if parameter.factors:
        shorter = (float(f"{exact:.{digits}g}") for digits in range(_FEWEST, _DIGITS))
    else:
        shorter = (round(exact, decimals) + 0.0 for decimals in range(-_DIGITS, 2 * _DIGITS))
    for short in shorter:
        value = parameter.bounded(short)
        if abs(parameter.coordinate(value) - there) <= allowed:
            return value
    return exact


def _bounded(spec: str, name: str, start: float, low: float, high: float) -> Parameter:
    if not low <= start <= high:
        raise ArenaError(
            "error.tune.start", name=name, start=_text(start), low=_text(low), high=_text(high)
        )
    for value in (low, high):
        problem = _refused(spec, name, value)
        if problem is not None:
            raise ArenaError("error.tune.refused", name=name, value=_text(value), reason=problem)
    factors = low > 0
    step = math.log(high / low) / 4 if factors else (high - low) / 4
    return Parameter(name, start, low, high, step, factors)


def _free(spec: str, name: str, start: float, typical: float) -> Parameter:
    problem = _refused(spec, name, start)
    if problem is not None:
        raise ArenaError("error.tune.refused", name=name, value=_text(start), reason=problem)
    factors = start > 0
    size = abs(start) or typical

    def farthest(direction: int) -> float:
        for factor in _FACTORS:
            value = start * factor**direction if factors else start + direction * factor * size
            if _refused(spec, name, value) is None:
                return value
        return start

    low, high = farthest(-1), farthest(1)
    if low == high:
        raise ArenaError("error.tune.stuck", name=name, value=_text(start))
    return Parameter(name, start, low, high, 1.0 if factors else size, factors)


def _refused(spec: str, name: str, value: float) -> Message | None:
    """The reason why a player refuses this value of a setting; None if it accepts it."""
    changed = with_values(spec, {name: value})
    try:
        taken = _numbers(changed).get(name)
    except TengenError as error:
        return error.message
    return None if taken == value else Message("tune.ignored")


def _numbers(spec: str) -> dict[str, float]:
    made = player(spec)
    try:
        parameters = getattr(made, "parameters", None)
        if not isinstance(parameters, Mapping):
            return {}
        return {
            str(name): value
            for name, value in parameters.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        }
    finally:
        close_player(made)  # it was only asked for its numbers


def _text(value: float) -> str:
    """A number as a spec has it: whole numbers without a point, the others to their last digit."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))
