"""What may be said to a player in its spec."""

from __future__ import annotations

from typing import Any

import pytest

from tengen.players.registry import ENTRIES, player
from tengen.players.settings import settings, summary
from tengen.words import Message
from tests.errors import key_of


class Mine:
    """Plays somewhere.

    More is said elsewhere.
    """

    name = "py:tests.players.test_settings:Mine"

    def __init__(self, level: int, preset: str = "x", quick: bool = True, *, weight: float = 2.5) -> None:
        self.told = level, preset, quick, weight

    def choose(self, *_: Any) -> Any:
        raise NotImplementedError

    def explain(self, *_: Any) -> Any:
        raise NotImplementedError


class Silent(Mine):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(1)


def told(spec: str) -> dict[str, str]:
    return {each.name: "..." if each.required else each.text for each in settings(spec)}


def test_those_of_tengens_own():
    assert told("mcts")["playouts"] == str(settings("mcts")[0].default)
    assert "strength" in told("engine")
    assert told("engine,strength=40")["strength"] == "40"
    assert told("minimax")["depth"]
    assert told("level:10") == {"seed": "0", "seconds": "0"}
    assert told("lines:tuned")["growth"] == "2.5"
    assert told("cmd=./x,ready=99")["ready"] == "99"
    assert told("prover") == {"file": "...", "otherwise": "engine"}


@pytest.mark.parametrize("name", ENTRIES)
def test_every_setting_is_taken_with_its_default(name):
    for each in settings(name):
        if each.text and not (name == "level" and each.name == "seconds"):
            assert player(f"{name},{each.name}={each.text}"), each


def test_those_of_somebodys_own_reach_init():
    spec = "py:tests.players.test_settings:Mine"
    assert told(spec) == {"level": "...", "preset": "x", "quick": "true", "weight": "2.5"}
    assert told(f"{spec},level=7") == {"level": "7", "preset": "x", "quick": "true", "weight": "2.5"}
    made: Any = player(f"{spec},level=3,quick=false,weight=1.5,preset=abc")
    assert made.told == (3, "abc", False, 1.5)
    assert summary(spec) == Message("free_text", {"text": "Plays somewhere."})
    assert settings("py:tests.players.test_settings:Silent") == ()


@pytest.mark.parametrize("spec", ["nobody", "py:nowhere:X", "level:99", "py:x"])
def test_who_is_nobody(spec):
    assert key_of(settings, spec).startswith("error.spec.")


@pytest.mark.parametrize("spec", [None, 3, Mine(1), Mine])
def test_what_is_no_spec(spec):
    assert key_of(player, spec) == "error.spec.type"
