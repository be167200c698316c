"""Rules, and the data derived from them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tengen.game import opening_rules
from tengen.game.rules import BlockedFive, Fouls, Overline, Rules
from tengen.schemas.base import Schema


class RulesData(Schema):
    """The rules of a game; the fields are those of `tengen.Rules`."""

    width: int
    height: int
    k: int
    """Stones in an unbroken row that win."""
    overline: Overline
    """The effect of a longer row."""
    double_three: bool
    """True if two threes at once are a foul of Black's."""
    double_four: bool
    """True if two fours at once are a foul of Black's."""
    blocked_five: BlockedFive
    """The effect of a row with enemy stones at both ends."""
    passing: bool
    fouls: Fouls
    """The enforcement of fouls."""

    @classmethod
    def of(cls, rules: Rules) -> RulesData:
        """Return rules as data."""
        return cls(**rules.to_dict())


class WithRules(Schema):
    """Rules with the data derived from them: the base of all that is played or shown under rules."""

    rules: RulesData
    rules_name: str
    """A preset, `mnk:M,N,K`, or `custom`."""
    has_fouls: bool
    """True if any move can be a foul."""
    opening_names: tuple[str, ...]
    """The opening rules that can be played with these rules."""
    fouls_mode: Fouls
    """The enforcement of fouls, as in the rules."""


@lru_cache(maxsize=64)
def rules_fields(rules: Rules) -> dict[str, Any]:
    """Return the fields of `WithRules`; the result must not be changed."""
    return {
        "rules": RulesData.of(rules),
        "rules_name": rules.name,
        "has_fouls": rules.has_fouls,
        "opening_names": opening_rules.available(rules),
        "fouls_mode": rules.fouls,
    }
