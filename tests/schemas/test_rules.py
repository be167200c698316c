from __future__ import annotations

from dataclasses import fields

from tengen.game.rules import Rules
from tengen.schemas.rules import RulesData, WithRules, rules_fields


def test_rules_have_their_own_fields_alone():
    rules = Rules.named("renju", fouls="claimed", passing=True)
    told = RulesData.of(rules)
    assert Rules.from_dict(told.to_dict()) == rules
    assert list(RulesData.model_fields) == [field.name for field in fields(Rules)]


def test_what_follows_from_rules_stands_beside_them():
    told = WithRules(**rules_fields(Rules.named("renju", 15, fouls="loses"))).to_dict()
    assert told.pop("rules")["k"] == 5
    assert "rif" in told.pop("opening_names")
    assert told == {"rules_name": "renju", "has_fouls": True, "fouls_mode": "loses"}
    assert WithRules(**rules_fields(Rules.mnk(4, 3, 3))).rules_name == "mnk:4,3,3"
