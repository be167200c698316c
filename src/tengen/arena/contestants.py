"""The players of a contest: told apart by name, given a seed, and written as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tengen.arena.game import Contestant
from tengen.game.clock import TimeControl
from tengen.game.errors import TengenError
from tengen.players.registry import player


class ArenaError(TengenError):
    """Something that the arena cannot do as it was asked."""


def told_apart(contestants: Iterable[Contestant]) -> tuple[Contestant, ...]:
    """The players with a name each that no other has; a program is called what its player calls it.

    Raises:
        SpecError: a spec names no player.
    """
    seen: Counter[str] = Counter()
    named = []
    for one in contestants:
        label = one.name or getattr(player(one.spec), "label", one.spec)
        seen[label] += 1
        times = seen[label]
        name = label if times == 1 else f"{label} ({times})"
        named.append(one if name == one.label else replace(one, name=name))
    return tuple(named)


def seeded(contestant: Contestant, seed: int) -> Contestant:
    """The same with a player that rolls by this seed, under the name it had."""
    return replace(contestant, spec=f"{contestant.spec},seed={seed}", name=contestant.label)


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


def contestant_to_dict(contestant: Contestant) -> dict[str, Any]:
    """A player as JSON-ready data; what is not set is left out."""
    data = {
        "spec": contestant.spec,
        "name": contestant.name,
        "time": None if contestant.time is None else str(contestant.time),
        "seconds": contestant.seconds,
        "nodes": contestant.nodes,
        "depth": contestant.depth,
    }
    return {key: value for key, value in data.items() if value not in (None, "")}


def contestant_from_dict(data: Mapping[str, Any]) -> Contestant:
    """The player that `contestant_to_dict` wrote."""
    given = dict(data)
    if "time" in given:
        given["time"] = TimeControl.parse(given["time"])
    return Contestant(**given)
