"""What the page knows of players and rules before Python."""

from __future__ import annotations

import json

from tengen import Rules
from tengen.engine.board.playable import plays
from tengen.engine.evaluation.weights import FAMILIES, family
from tengen.engine.handicap import handicap
from tengen.players.levels import LEVELS, EngineLevel, needs_engine
from tengen.players.registry import ENTRIES
from tengen.schemas.rules import rules_fields
from tengen.web.computing.spec_policy import allowed_player
from tengen.web.site.engine_levels import engine_levels

KNOWN = json.loads(json.dumps(engine_levels()))


def test_every_level_of_the_engine_and_no_other_player():
    engine = {f"level:{level}" for level, how in LEVELS.items() if isinstance(how, EngineLevel)}
    assert KNOWN["players"].keys() == engine | {"engine"}
    assert all(map(needs_engine, KNOWN["players"]))


def test_their_settings_are_those_of_the_engine():
    fifth, tenth = KNOWN["players"]["level:5"], KNOWN["players"]["level:10"]
    errors = handicap(25)
    assert errors is not None
    assert fifth["handicap"]["nodes"] == errors.nodes
    assert fifth["handicap"]["oversight"] == errors.oversight
    assert fifth["handicap"]["without"] == int(errors.without)
    assert (fifth["limit"], fifth["parameters"]) == ({}, ["seed"])
    assert (tenth["handicap"], tenth["limit"]) == (None, {"nodes": 200_000})


def test_their_parameters_are_allowed():
    for spec, known in KNOWN["players"].items():
        for name in known["parameters"]:
            assert allowed_player(f"{spec},{name}=3", Rules()).name == f"{spec},{name}=3"


def test_rules_are_described_as_in_a_games_state():
    for name, known in KNOWN["rules"].items():
        for side, openings in known["openings"].items():
            rules = Rules.named(name, int(side))
            assert plays(rules) == (known["family"] is not None)
            sides = {"width": int(side), "height": int(side)}
            fields = {**known["fields"], "rules": {**known["fields"]["rules"], **sides}}
            described = rules_fields(rules)
            described = {**described, "rules": described["rules"].to_dict()}
            assert {**fields, "opening_names": tuple(openings)} == described


def test_the_kernels_play_the_rules_of_their_files():
    assert {known["family"] for known in KNOWN["rules"].values()} == {*FAMILIES, None}
    for name, known in KNOWN["rules"].items():
        if known["family"] is not None:
            assert family(Rules.named(name)) == known["family"]


def test_other_players_wait():
    assert {"level", "shapes", "minimax"} <= set(KNOWN["waiting"])
    assert set(KNOWN["waiting"]) == ENTRIES.keys() - {"engine"}
