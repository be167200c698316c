from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Rules, RulesError
from tengen.game.rules import MAX_SIDE, NAMES, parse_size
from tests import strategies
from tests.errors import complaint, key_of

TEXT = (
    st.text()
    | st.text(alphabet="mnk:,0123456789xX×renju ")
    | st.sampled_from([*NAMES, "mnk", "custom", ""])
)


def test_the_presets():
    assert NAMES == ("tictactoe", "freestyle", "standard", "renju", "caro")
    assert Rules.named("tictactoe") == Rules(width=3, height=3, k=3)
    assert Rules.named("freestyle") == Rules() == Rules(width=15, height=15, k=5, overline="wins")
    assert Rules.named("standard") == Rules(overline="no_win")
    assert Rules.named("renju") == Rules(overline="foul", double_three=True, double_four=True)
    assert Rules.named("caro") == Rules(overline="no_win", blocked_five="no_win")
    assert {Rules.named(name).fouls for name in NAMES} == {"forbidden"}
    assert {Rules.named(name).passing for name in NAMES} == {False}


def test_a_size_is_a_side_or_a_width_and_a_height():
    assert Rules.named("renju", size=19) == Rules.named("renju", width=19, height=19)
    assert Rules.named("renju", (20, 15)) == Rules.named("renju", width=20, height=15)
    assert Rules.named("tictactoe", size=4).k == 3
    assert Rules.named("renju", size=19, height=12).size_text == "19x12"


def test_any_field_may_be_overridden():
    rules = Rules.named("renju", size=12, fouls="loses", passing=True, k=4)
    assert (rules.width, rules.fouls, rules.passing, rules.k) == (12, "loses", True, 4)
    assert rules.overline == "foul"


def test_the_mnk_game():
    assert Rules.mnk(7, 6, 4) == Rules(width=7, height=6, k=4)
    assert Rules.mnk(3, 3, 3) == Rules.named("tictactoe")
    assert Rules.parse("mnk:7,6,4") == Rules.mnk(7, 6, 4)
    assert Rules.parse("mnk:7,6,4", passing=True) == Rules(width=7, height=6, k=4, passing=True)
    assert Rules.parse("mnk:1,1,999999999").k == 999999999


def test_parsing_a_preset():
    assert Rules.parse("renju") == Rules.named("renju")
    assert Rules.parse("caro", size=19, passing=True) == Rules.named("caro", 19, passing=True)


@pytest.mark.parametrize("side", ["width", "height"])
def test_sides_go_from_one_to_fifty(side):
    assert Rules.from_dict({side: 1}).points == 15
    assert Rules.from_dict({side: MAX_SIDE}).points == 15 * 50
    assert key_of(Rules, **{side: 0}) == "error.rules.least"
    assert key_of(Rules, **{side: -3}) == "error.rules.least"
    assert key_of(Rules, **{side: 51}) == "error.rules.most"


def test_k_goes_from_one_up():
    assert Rules(k=1).k == 1
    assert Rules(k=10**6).k == 10**6
    assert key_of(Rules, k=0) == "error.rules.least"


@pytest.mark.parametrize("field", ["width", "height", "k"])
@pytest.mark.parametrize("value", [3.0, "3", None, True, [3]])
def test_sides_and_k_are_whole_numbers(field, value):
    assert key_of(Rules, **{field: value}) == "error.rules.integer"


@pytest.mark.parametrize("field", ["overline", "blocked_five", "fouls"])
@pytest.mark.parametrize("value", ["", "Wins", "never", None, 1, True, ["wins"]])
def test_choices(field, value):
    assert key_of(Rules, **{field: value}) == "error.rules.choice"


def test_a_five_cannot_be_a_foul_when_blocked():
    assert key_of(Rules, blocked_five="foul") == "error.rules.choice"


@pytest.mark.parametrize("field", ["double_three", "double_four", "passing"])
@pytest.mark.parametrize("value", ["true", 1, 0, None])
def test_flags(field, value):
    assert key_of(Rules, **{field: value}) == "error.rules.flag"


@pytest.mark.parametrize("field", ["double_three", "double_four"])
def test_threes_and_fours_need_four_in_a_row(field):
    assert Rules.from_dict({"k": 4, field: True}).has_fouls
    assert key_of(Rules, k=3, **{field: True}) == "error.rules.fouls_k"


def test_names_and_fields_that_there_are_not():
    assert key_of(Rules.named, "go") == "error.rules.preset"
    assert key_of(Rules.named, "mnk:3,3,3") == "error.rules.preset", "which does not offer mnk"
    assert key_of(Rules.parse, "go") == "error.rules.name"
    assert key_of(Rules.named, "renju", komi=7) == "error.rules.field"
    assert key_of(Rules.parse, "mnk:3,3,3", komi=7) == "error.rules.field"
    assert key_of(Rules.from_dict, {"widht": 15}) == "error.rules.field"


@pytest.mark.parametrize(
    "text", ["mnk", "mnk:", "mnk:3,3", "mnk:3,3,3,3", "mnk:a,b,c", "mnk:3;3;3", "mnk:-3,3,3"]
)
def test_texts_that_are_no_mnk_game(text):
    assert key_of(Rules.parse, text) == "error.rules.mnk"


def test_mnk_games_with_impossible_numbers():
    assert key_of(Rules.parse, "mnk:0,3,3") == "error.rules.mnk_range"
    assert key_of(Rules.parse, "mnk:51,3,3") == "error.rules.mnk_range"
    assert key_of(Rules.parse, "mnk:3,51,3") == "error.rules.mnk_range"
    assert key_of(Rules.parse, "mnk:3,3,0") == "error.rules.mnk_range"


def test_an_mnk_game_has_its_size_already():
    assert key_of(Rules.parse, "mnk:3,3,3", size=5) == "error.rules.mnk_size"


@pytest.mark.parametrize("size", [(15,), (15, 15, 15), (), [15]])
def test_sizes_with_too_many_or_too_few_sides(size):
    assert key_of(Rules.named, "renju", size) == "error.rules.size"


def test_errors_say_what_was_expected():
    with pytest.raises(
        RulesError,
        match="'go' is not the name of rules: expected one of tictactoe, freestyle, standard, renju, caro",
    ):
        Rules.named("go")
    with pytest.raises(RulesError, match="field overline is 'never': expected one of wins, no_win, foul"):
        Rules.named("renju", overline="never")


@given(strategies.rules())
def test_rules_round_trip(rules):
    assert Rules.from_dict(rules.to_dict()) == rules
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert copy.deepcopy(rules) == rules
    assert hash(Rules.from_dict(rules.to_dict())) == hash(rules)


@given(strategies.rules(), strategies.rules())
def test_rules_are_equal_when_all_their_fields_are(one, other):
    assert (one == other) == (one.to_dict() == other.to_dict())


def test_rules_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Rules().width = 19  # type: ignore[misc]


def test_rules_left_out_of_a_dict_are_freestyle():
    assert Rules.from_dict({}) == Rules()
    assert Rules.from_dict({"overline": "no_win"}) == Rules.named("standard")


@pytest.mark.parametrize("name", NAMES)
def test_presets_know_their_names(name):
    assert Rules.named(name).name == name
    assert Rules.named(name, passing=True, fouls="claimed").name == name


@pytest.mark.parametrize("name", NAMES[1:])
def test_a_preset_keeps_its_name_on_any_board(name):
    assert Rules.named(name, size=(9, 20)).name == name


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        (Rules.mnk(7, 6, 4), "mnk:7,6,4"),
        (Rules.mnk(4, 3, 3), "mnk:4,3,3"),
        (Rules.named("tictactoe", size=4), "mnk:4,4,3"),
        (Rules.mnk(3, 3, 3), "tictactoe"),
        (Rules.mnk(9, 9, 5), "freestyle"),
        (Rules.named("freestyle", passing=True, k=4), "mnk:15,15,4"),
        (Rules.named("renju", double_three=False), "custom"),
        (Rules.named("standard", k=6), "custom"),
        (Rules(overline="foul"), "custom"),
        (Rules(blocked_five="no_win"), "custom"),
    ],
)
def test_names_of_other_rules(rules, name):
    assert rules.name == name


@given(strategies.rules())
def test_a_name_leads_back_to_the_rules(rules):
    if rules.name == "custom":
        return
    size = None if rules.name.startswith("mnk") else (rules.width, rules.height)
    assert Rules.parse(rules.name, size, passing=rules.passing, fouls=rules.fouls) == rules


def test_sizes_in_words_and_points():
    assert Rules.named("renju", size=(20, 15)).size_text == "20x15"
    assert Rules.named("renju", size=(20, 15)).points == 300


def test_which_rules_have_fouls():
    assert [name for name in NAMES if Rules.named(name).has_fouls] == ["renju"]
    assert Rules(overline="foul").has_fouls
    assert Rules(double_three=True).has_fouls
    assert Rules(double_four=True).has_fouls


@pytest.mark.parametrize(
    ("overline", "black", "white"), [("wins", True, True), ("no_win", False, False), ("foul", False, True)]
)
def test_who_wins_by_an_overline(overline, black, white):
    rules = Rules(overline=overline)
    assert (rules.overline_wins(BLACK), rules.overline_wins(WHITE)) == (black, white)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("15", (15, 15)),
        ("20x15", (20, 15)),
        (" 9 ", (9, 9)),
        ("9X10", (9, 10)),
        ("9×10", (9, 10)),
        ("007", (7, 7)),
    ],
)
def test_sizes_as_text(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text", ["", "x", "15x", "x15", "15 x 15", "15x15x15", "-15", "1.5", "fifteen", "9" * 10]
)
def test_texts_that_are_no_size(text):
    assert key_of(parse_size, text) == "error.rules.size"


@pytest.mark.parametrize("text", ["0", "51", "15x0", "51x15", "999999999"])
def test_sizes_out_of_range(text):
    with pytest.raises(RulesError):
        parse_size(text)


@given(TEXT, st.none() | st.integers(-1, 60))
def test_no_text_raises_anything_else(text, size):
    assert "\n" not in complaint(Rules.parse, text, size)
    assert "\n" not in complaint(parse_size, text)
    assert "\n" not in complaint(Rules.named, text, size)


@given(TEXT)
def test_a_board_takes_rules_as_text(text):
    try:
        rules = Rules.parse(text)
    except RulesError:
        with pytest.raises(RulesError):
            Board(text)
    else:
        assert Board(text).rules == rules
