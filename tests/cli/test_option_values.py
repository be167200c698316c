"""How the values of options are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tengen.cli import option_values as values
from tengen.game.clock import TimeControl
from tengen.game.errors import TengenError
from tengen.game.rules import Rules

SETTINGS: values.Reader[dict[str, Any]] = values.settings(
    dict, {"file": values.file_path, "score": values.whole, "both": values.truth}, bare="file"
)


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (values.whole, "0", 0),
        (values.positive, "12", 12),
        (values.at_most(64), "64", 64),
        (values.at_most(64, least=0), "0", 0),
        (values.node_count, "20000000000", 20_000_000_000),
        (values.one_of("plain", "json"), "json", "json"),
        (values.seconds, "0.5", 0.5),
        (values.minutes, "2", 120.0),
        (values.milliseconds, "250", 0.25),
        (values.number, "-1e3", -1000.0),
        (values.share, "1", 1.0),
        (values.span, "3-8", (3, 8)),
        (values.span, "4", (4, 4)),
        (values.names, "own, dead", ("own", "dead")),
        (values.time_control, "60+0.5", TimeControl.parse("60+0.5")),
        (values.each(values.positive), "5", (5, 5)),
        (values.each(values.positive), "5:7", (5, 7)),
        (SETTINGS, "book.txt,score=3,both=true", {"file": Path("book.txt"), "score": 3, "both": True}),
        (values.bounds, "own=0.5:2", ("own", (0.5, 2.0))),
        (values.file_path, "a/b", Path("a/b")),
        (values.file_path, "~/b", Path.home() / "b"),
        (values.record_file, "a.sgf", Path("a.sgf")),
        (values.language, "zh", "zh"),
    ],
)
def test_values(read, text, value):
    assert read("--x", text) == value


@pytest.mark.parametrize(
    ("read", "text", "key"),
    [
        (values.whole, "-1", "error.cli.whole"),
        (values.whole, "٣", "error.cli.whole"),
        (values.whole, "1" * 10, "error.cli.most"),
        (values.positive, "1" * 5000, "error.cli.most"),
        (values.positive, "0" * 30, "error.cli.positive"),
        (values.node_count, "1" * 20, "error.cli.most"),
        (values.node_count, "0", "error.cli.positive"),
        (values.positive, "0", "error.cli.positive"),
        (values.at_most(64), "65", "error.cli.most"),
        (values.one_of("plain"), "json", "error.cli.choice"),
        (values.seconds, "0", "error.cli.seconds"),
        (values.seconds, "nan", "error.cli.seconds"),
        (values.minutes, "0", "error.cli.minutes"),
        (values.minutes, "inf", "error.cli.number"),
        (values.share, "1.1", "error.cli.share"),
        (values.number, "x", "error.cli.number"),
        (values.span, "3-", "error.cli.span"),
        (values.each(values.positive), "5:", "error.cli.positive"),
        (SETTINGS, "a,b", "error.cli.setting"),
        (SETTINGS, "who=1", "error.cli.setting"),
        (SETTINGS, "score=x", "error.cli.whole"),
        (SETTINGS, "both=yes", "error.cli.choice"),
        (values.sprt_test, "5", "error.sprt.text"),
        (values.bounds, "own=2:1", "error.tune.bounds"),
        (values.file_path, "", "error.cli.path"),
        (values.file_path, "~nobody-of-this-name/x", "error.cli.path"),
        (values.record_file, "", "error.cli.path"),
        (values.record_file, "games.pdf", "error.file.extension"),
        (values.language, "fr", "error.cli.lang"),
    ],
)
def test_what_cannot_be_read(read, text, key):
    with pytest.raises(TengenError) as caught:
        read("--x", text)
    assert caught.value.message.key == key


def test_a_test_of_two_hypotheses():
    assert str(values.sprt_test("--sprt", "elo0=0,elo1=5")).startswith("elo0=0,elo1=5")


def test_rules_of_a_group():
    from tengen.cli.options import FoulRulesOptions, RulesOptions

    assert RulesOptions().chosen() == Rules.named("freestyle")
    assert FoulRulesOptions(rules="renju", fouls="loses").chosen().fouls == "loses"
    assert FoulRulesOptions(size="9").chosen(passing=True).passing
