"""Who sits down: seats told apart, saved, and given something to roll."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tengen.arena.game import Seat
from tengen.game.clock import TimeControl
from tengen.game.errors import TengenError
from tengen.players.registry import player


class ArenaError(TengenError):
    """Something that the arena cannot do as it was asked."""


def told_apart(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """The seats with a name each that no other has; a program is called what its player calls it.

    Raises:
        SpecError: a seat's spec names no player.
    """
    seen: Counter[str] = Counter()
    named = []
    for seat in seats:
        label = seat.name or getattr(player(seat.spec), "label", seat.spec)
        seen[label] += 1
        times = seen[label]
        name = label if times == 1 else f"{label} ({times})"
        named.append(seat if name == seat.label else replace(seat, name=name))
    return tuple(named)


def seeded(seat: Seat, seed: int) -> Seat:
    """The seat with a player that rolls by this seed, under the name it had."""
    return replace(seat, spec=f"{seat.spec},seed={seed}", name=seat.label)


def rolls(spec: str) -> bool:
    """Whether a player leaves something to chance and its spec does not say what.

    Raises:
        SpecError: the spec names no player.
    """
    player(spec)
    try:
        player(f"{spec},seed=1")
    except TengenError:
        return False
    return True


def seat_to_dict(seat: Seat) -> dict[str, Any]:
    """A seat as JSON-ready data; what is not set is left out."""
    data = {
        "spec": seat.spec,
        "name": seat.name,
        "time": None if seat.time is None else str(seat.time),
        "seconds": seat.seconds,
        "nodes": seat.nodes,
        "depth": seat.depth,
    }
    return {key: value for key, value in data.items() if value not in (None, "")}


def seat_from_dict(data: Mapping[str, Any]) -> Seat:
    """The seat that `seat_to_dict` wrote."""
    given = dict(data)
    if "time" in given:
        given["time"] = TimeControl.parse(given["time"])
    return Seat(**given)
