"""How commands are declared: groups of options become options, and values reach the command read."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

import pytest
from cyclopts import CoercionError, UnknownOptionError

from tengen.cli.declaration import Options, argument, command, option, refuse_besides, remember
from tengen.cli.errors import CliError
from tengen.cli.option_values import each, positive, whole
from tests.console import run


@dataclass(frozen=True, kw_only=True)
class Inner(Options):
    nodes: Annotated[tuple[int, int] | None, option("text", each(positive))] = None
    flag: Annotated[bool, option("text")] = False
    seed: Annotated[int, option("text", whole)] = 1


@dataclass(frozen=True, kw_only=True)
class Outer(Options):
    games: Annotated[int, option("text", positive)] = 2
    inner: Inner = Inner()


@dataclass(frozen=True, kw_only=True)
class More(Outer):
    counts: Annotated[list[int] | None, option("text", whole, name="--count")] = None


def called(*words):
    """What a command gets that is called with these words."""
    got: dict[str, object] = {}

    @command
    def compare(
        one: Annotated[str | None, argument("text", "A")] = None,
        /,
        *others: Annotated[int, argument("text", "B", whole)],
        more: More = More(),
        keep: Annotated[bool, option("text", negative="--no-keep")] = True,
        resume: Annotated[str | None, option("text", metavar="FILE", name=("--resume", "-r"))] = None,
    ) -> None:
        if resume is not None:
            refuse_besides("resume", "keep", "counts")
        got.update(one=one, others=others, more=more, keep=keep)

    compare.config = (remember,)
    compare(words, print_error=False, exit_on_error=False, result_action="return_value")
    return got


def test_a_group_is_made_of_the_options_of_all_groups_in_it():
    got = called(
        "x", "--nodes", "5:7", "--count", "3", "2", "--count", "4", "--no-keep", "1", "--seed", "0"
    )
    inner = Inner(nodes=(5, 7), seed=0)
    assert got == {"one": "x", "others": (2, 1), "more": More(inner=inner, counts=[3, 4]), "keep": False}


def test_of_an_option_given_twice_the_last_one_counts():
    assert called("--games", "3", "--keep", "--games=4", "--no-keep") == {
        "one": None, "others": (), "more": More(games=4), "keep": False
    }  # fmt: skip


def test_defaults_are_not_read():
    assert called() == {"one": None, "others": (), "more": More(), "keep": True}


def test_what_cannot_be_read_is_said_in_our_words():
    with pytest.raises(CoercionError) as caught:
        called("--nodes", "5:0")
    error = caught.value.__cause__
    assert isinstance(error, CliError)
    assert error.message.key == "error.cli.positive"
    assert error.message.values == {"option": "--nodes", "text": "0"}


@pytest.mark.parametrize("words", [("-r-", "--no-keep"), ("--resume=-", "--count", "-1")])
def test_values_may_begin_with_a_hyphen_and_arguments_may_not(words):
    with suppress(CoercionError):  # the count of the second is not one
        assert called(*words)["keep"] is False
    with pytest.raises(UnknownOptionError):
        called("-r", "x", "-x")


def test_what_does_not_go_together_is_refused_in_the_order_of_help_pages():
    assert called("--resume", "f", "--no-keep", "--count", "1")["keep"] is False
    with pytest.raises(CliError) as caught:
        called("x", "--seed", "1", "--games", "2", "-r", "f")
    assert caught.value.message.values == {"option": "--resume", "options": ("A", "--games", "--seed")}


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("match", "--resume", "a.jsonl", "--no-repeat"), "--repeat"),
        (("tournament", "--resume", "a.sqlite", "--games", "4"), "--games"),
        (("ladder", "--resume", "a.sqlite", "--seed", "4"), "--seed"),
        (("tune", "--resume", "a.json", "--seed", "4"), "--seed"),
        (("play", "--load", "a.json", "--clock", "60"), "--clock"),
    ],
)
def test_nothing_is_left_out_of_account_in_silence(words, option, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = run(*words)
    assert answer.status == 2
    assert f"leave out {option}" in answer.err
