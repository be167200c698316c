"""A few games of the engine against itself, played once for all tests that learn from them."""

from __future__ import annotations

from functools import cache

from tengen import Rules
from tengen.training.run import TrainingData, gathered
from tengen.training.self_play import Plan, SelfPlayGame, play


@cache
def played_games(rules: str = "freestyle", count: int = 12, size: int = 9) -> tuple[SelfPlayGame, ...]:
    """Quick games."""
    plan = Plan(Rules.named(rules, size), nodes=40, seed=5)
    return tuple(play(plan, number) for number in range(count))


@cache
def games(rules: str = "freestyle") -> TrainingData:
    """The same, described."""
    return gathered(Rules.named(rules, 9), played_games(rules))
