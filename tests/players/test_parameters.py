from __future__ import annotations

import math

import pytest

from tengen import Board, Rules, TengenError, player
from tengen.players.lines import Lines
from tengen.players.registry import ENTRIES
from tengen.players.shapes import Shapes
from tengen.players.spec import SpecError


@pytest.mark.parametrize("spec", ["lines:open,own=2,growth=2.5,seed=3", "shapes:o2,w_111=3000,pair_1=0"])
def test_the_name_is_the_spec_that_makes_the_player_again(spec):
    made = player(spec)
    assert made.name == spec
    assert vars(player(made.name)) == vars(made)


def test_a_parameter_that_is_as_the_preset_has_it_is_not_named():
    assert player("lines:open,own=1").name == "lines:open"


def test_presets_are_the_ones_that_the_registry_names():
    for name, make in (("lines", Lines), ("shapes", Shapes)):
        assert player(name).name == f"{name}:{ENTRIES[name].presets[0]}"
        for preset in ENTRIES[name].presets:
            assert make(preset).name == player(f"{name}:{preset}").name == f"{name}:{preset}"


def test_a_preset_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(SpecError, match="no preset 'o3': expected one of open, tuned, o4"):
        Lines("o3")


def test_a_parameter_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(TengenError, match="no parameter 'w_3': expected one of w_1, w_11"):
        player("shapes:o5,w_3=1")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e7", "-1000001", "true", "much", "9" * 400])
def test_a_parameter_that_is_no_number_of_a_sensible_size_is_refused(value):
    with pytest.raises(TengenError, match="expected a number from -1000000 to 1000000"):
        player(f"lines,growth={value}")


@pytest.mark.parametrize("value", [1_000_000, -1_000_000])
def test_the_largest_parameters_have_finite_weights(value):
    board = Board.from_stones(black=range(49), turn=1, rules=Rules.mnk(50, 1, 50))
    changes = dict.fromkeys(("own", "enemy", "growth", "win", "block", "dead"), value)
    weights = Lines("open", **changes).explain(board).weights
    assert 0 < abs(weights[49]) < math.inf
