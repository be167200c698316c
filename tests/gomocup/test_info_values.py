"""INFO values: told, read, and taken for rules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Rules
from tengen.gomocup.info_values import UNLIMITED, InfoValues, info_line, negative_remark, parse_info
from tengen.words import say
from tests.errors import key_of

COUNTS = st.integers(0, UNLIMITED)
VALUES = st.builds(
    InfoValues,
    max_memory=COUNTS,
    timeout_match=COUNTS,
    timeout_turn=COUNTS,
    time_increment=COUNTS,
    max_depth=COUNTS,
    max_node=COUNTS,
    game_type=st.integers(0, 3),
    rule=st.sampled_from([0, 1, 4, 8, 9]),
    folder=st.sampled_from(["", "/tmp/brain", "C:\\Some Folder"]),
    thread_num=st.integers(1, 64),
    time_left=st.integers(-1000, UNLIMITED),
)


def heard(values, news):
    """What somebody knows after these keys and values."""
    for key, value in news.items():
        command, _, rest = info_line(key, value).partition(" ")
        assert command == "INFO"
        values = values.updated(rest)
    return values


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_what_is_told_is_known(steps):
    told: dict[str, int | str] = {}
    known = InfoValues()
    for values in steps:
        news = values.unsent(told)
        known = heard(known, news)
        told |= news
        assert known == values


@given(VALUES)
def test_nothing_is_told_twice_but_the_time_left(values):
    told = values.unsent({})
    assert values.unsent(told) == {"time_left": values.time_left}


def test_what_goes_without_saying():
    assert InfoValues().unsent({}) == {"max_memory": 0, "timeout_match": 0, "game_type": 0, "rule": 0}
    assert InfoValues().unsent({"max_node": 7, "folder": "x"}) == InfoValues().unsent({}) | {
        "max_node": 0,
        "folder": "",
    }


def test_keys_that_mean_nothing_here():
    for text in ("", "evaluate 1,1", "pondering 1", "yixin 1", "folders"):
        assert InfoValues().updated(text) == InfoValues()
    assert InfoValues().updated("RULE  4").rule == 4


@pytest.mark.parametrize("key", ["timeout_turn", "rule", "max_node", "game_type"])
@pytest.mark.parametrize(
    "value", ["", "soon", "1,5", "5 000", "500ms", "--5", ".", "1e", "inf", "nan", "0x10", "٣"]
)
def test_values_that_are_none(key, value):
    values = InfoValues().updated(f"{key} 1")
    assert key_of(values.updated, f"{key} {value}") == "error.gomocup.info"


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("500.5", 500),
        ("500.", 500),
        ("+500", 500),
        ("0500", 500),
        ("5e2", 500),
        ("500 ms", 500),
        ("500\t; half a second", 500),
        ("0.0", 0),
        (".5", 1),
        ("1e-400", 0),
        ("-0.5", 0),
        ("-1e400", 0),
        ("9" * 30, UNLIMITED),
        ("9" * 5000, UNLIMITED),
        ("1e400", UNLIMITED),
    ],
)
def test_values_as_managers_write_them(value, number):
    assert InfoValues().updated(f"timeout_turn {value}").timeout_turn == number
    assert InfoValues().updated(f"TIMEOUT_TURN\t {value}").timeout_turn == number


def test_numbers_that_name_a_kind_have_no_fraction():
    assert InfoValues().updated("rule 4.0").rule == 4
    for value in ("4.5", "45e-1", "1e-9", "1e30"):
        assert key_of(InfoValues().updated, f"rule {value}") == "error.gomocup.info"


def test_negative_values():
    values = InfoValues().updated("time_left -5").updated("max_node -1").updated("timeout_turn -1")
    assert (values.time_left, values.max_node, values.timeout_turn) == (-5, 0, 0)
    assert InfoValues().updated("time_left -5.5").time_left == -5
    assert InfoValues().updated("time_left -" + "9" * 30).time_left == -(10**18)


@pytest.mark.parametrize("key", ["timeout_turn", "timeout_match", "time_increment", "max_memory"])
def test_an_amount_below_zero_is_remarked_on(key):
    for value in ("-5", "-0.5", "-1e3 ms"):
        remark = negative_remark(f"{key.upper()} {value}")
        assert remark is not None
        assert str(remark) == f"INFO {key} '{value}' is taken as 0: expected a number of at least 0"
    for value in ("0", "-0", "5"):
        assert negative_remark(f"{key} {value}") is None


def test_other_values_may_be_below_zero():
    for text in (
        "time_left -5",
        "max_node -1",
        "max_depth -1",
        "thread_num -1",
        "nothing -1",
        "folder -1",
        "",
    ):
        assert negative_remark(text) is None


def test_parsing():
    assert parse_info("Folder  C:\\a b ") == ("folder", "C:\\a b")
    assert parse_info("folder\tC:\\a\tb") == ("folder", "C:\\a\tb")
    assert parse_info("") == ("", "")


@pytest.mark.parametrize("number", [12, 13, 14, 28, -1, -4])
def test_numbers_of_no_rules(number):
    assert key_of(InfoValues(rule=4).updated, f"rule {number}") == "error.gomocup.rule"


@pytest.mark.parametrize(
    ("number", "played"), [(2, 0), (3, 1), (6, 4), (7, 4), (10, 8), (11, 9), (16, 0), (20, 4), (1 << 40, 0)]
)
def test_rules_that_are_played_in_part(number, played):
    values = InfoValues().updated(f"rule {number}")
    assert values.rules(20) == InfoValues(rule=played).rules(20)
    remark = values.rule_remark()
    assert remark is not None
    assert remark.key == "gomocup.rule"
    assert say(remark).startswith(f"INFO rule {number} is not fully supported: Tengen plays ")


@pytest.mark.parametrize("number", [0, 1, 4, 5, 8, 9])
def test_rules_that_are_played(number):
    assert InfoValues().updated(f"rule {number}").rule_remark() is None


def test_rules():
    assert InfoValues(rule=9).rules(20) == Rules.named("caro", 20)
    yixin = InfoValues(rule=2).updated("caution_factor 1")
    assert yixin.rules(15) == Rules.named("renju")
    assert yixin.rule_remark() is None
    assert replace(yixin, rule=0).rules(15) == Rules.named("freestyle")


@pytest.mark.parametrize("key", ["timeout_turn", "timeout_match", "time_left", "time_increment"])
def test_times_that_no_timer_takes(key):
    assert getattr(InfoValues().updated(f"{key} {'9' * 18}"), key) == UNLIMITED


def test_large_bounds_that_are_no_times():
    assert InfoValues().updated("max_node 9999999999").max_node == 9_999_999_999
    assert InfoValues().updated("max_memory 8589934592").max_memory == 8 << 30
