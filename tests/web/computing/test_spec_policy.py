from __future__ import annotations

import sys
from subprocess import run

import pytest

from tengen.game.rules import Rules
from tengen.game.session_state import HUMAN
from tengen.players.levels import levels_for
from tengen.players.registry import ENTRIES, player
from tengen.players.suitable import is_suitable
from tengen.web.computing.spec_policy import (
    SpecPlayer,
    allowed_occupant,
    allowed_player,
    players_for,
    spec_player,
)
from tengen.web.transport.errors import WrongFields

FREESTYLE = Rules.named("freestyle")


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "random,seed=7",
        "lines",
        "lines:o4",
        "shapes",
        "shapes:o2",
        "minimax,depth=3",
        "mcts,playouts=500",
        "threats,shapes=o2",
        "level:1",
        "level:3,seed=5",
    ],
)
def test_an_allowed_player_has_the_name_of_the_player_itself(spec: str) -> None:
    assert allowed_player(spec, FREESTYLE).name == player(spec).name


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["engine", "engine,nodes=5000,threads=1", "engine,strength=40,seed=3,without=vct", "level:7"]
)
def test_an_engine_that_sits_down_has_the_engines_name(spec: str) -> None:
    assert allowed_player(spec, FREESTYLE).name == player(spec).name


def test_humans_and_allowed_players_take_seats() -> None:
    assert allowed_occupant("human", FREESTYLE) == HUMAN
    assert allowed_occupant("shapes", FREESTYLE) == SpecPlayer("shapes:o5")
    assert spec_player("level:4") is spec_player("level:4")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("cmd=./pbrain-x", "is not a player"),
        ("py:os:system", "is not a player"),
        ("nobody", "is not a player"),
        ("", "is not a player"),
        ("engine:fast", "preset"),
        ("level:11", "preset"),
        ("engine,weights=/etc", "weights"),
        ("level:5,weights=/etc", "weights"),
        ("engine,threads=2", "threads"),
        ("engine,nodes=5,nodes=6", "nodes"),
        ("engine,without=everything", "everything"),
        ("engine,nodes=99999999999", "nodes"),
        ("engine,memory_mb=4096", "memory_mb"),
        ("engine,nodes=ten", "nodes"),
        ("engine,", "key=value"),
        ("mcts,playouts=100000000", "playouts"),
        ("minimax,depth=40", "depth"),
        ("minimax,depth=1e3", "depth"),
        ("shapes,nonsense=1", "nonsense"),
        ("random,seed=99999999999999999999999999", "seed"),
        ("random,seed=" + "9" * 5000, "characters"),
    ],
)
def test_who_may_not_sit_down(spec: str, said: str) -> None:
    with pytest.raises(WrongFields, match=said) as refused:
        allowed_player(spec, FREESTYLE)
    assert refused.value.status == 422


def test_who_does_not_play_by_the_rules_is_told_who_does() -> None:
    with pytest.raises(WrongFields, match=r"engine does not play 3 in a row on 3x3: .*lookup.*level:3$"):
        allowed_player("engine", Rules.named("tictactoe"))
    with pytest.raises(WrongFields, match="lookup:all does not play 5 in a row on 15x15"):
        allowed_player("lookup", FREESTYLE)
    assert allowed_player("lookup", Rules.named("tictactoe")).name == "lookup:all"


@pytest.mark.parametrize(
    "rules",
    [
        Rules.named("tictactoe"),
        FREESTYLE,
        Rules.named("renju", passing=True),
        Rules.named("caro", 4),
        Rules.named("caro", 5),
        Rules.named("standard", 22),
        Rules.named("standard", 23),
        Rules.named("freestyle", (15, 14)),
        Rules.mnk(15, 15, 6),
        Rules.mnk(3, 4, 3),
    ],
    ids=lambda rules: f"{rules.name} {rules.size_text}",
)
def test_those_who_play_by_some_rules_are_those_who_can(rules: Rules) -> None:
    found = players_for(rules)
    assert [name.removeprefix("level:") for name in found if name.startswith("level:")] == [
        *levels_for(rules)
    ]
    assert ("engine" in found) == ("level:4" in found) == (len(levels_for(rules)) == 10)
    small = rules.points <= 12 and not rules.passing
    assert ("lookup" in found) == small
    assert {"random", "lines", "shapes", "minimax", "mcts", "threats"} <= {*found}
    assert all(is_suitable(name, rules) for name in found)


def test_every_player_of_the_registry_may_come_by_some_rules() -> None:
    known = {name.partition(":")[0] for name in players_for(FREESTYLE)}
    assert known | {"lookup"} == {*ENTRIES}


def test_an_invitation_does_not_load_the_engine() -> None:
    code = (
        "import sys; from tengen import Rules; from tengen.web.computing.spec_policy import allowed_player;"
        "allowed_player('engine,nodes=50', Rules()); allowed_player('level:9', Rules());"
        "sys.exit('numba' in sys.modules)"
    )
    assert run([sys.executable, "-c", code], check=False).returncode == 0


def test_only_the_strongest_level_is_told_how_long_to_think() -> None:
    rules = Rules.named("freestyle")
    assert allowed_player("level:10,seconds=5", rules).name == "level:10,seconds=5"
    for spec in ("level:10,seconds=16", "level:10,seconds=0", "level:9,seconds=5", "level:3,seconds=5"):
        with pytest.raises(WrongFields):
            allowed_player(spec, rules)
