"""How commands are declared: groups of options become options, and values reach the command read."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer

from tengen.cli.application import CliError, Command, Unreadable
from tengen.cli.declaration import Options, argument, option, refuse_besides, spread
from tengen.cli.option_values import each, positive, whole
from tests.console import run


@dataclass(frozen=True, kw_only=True)
class Inner(Options):
    nodes: Annotated[tuple[int, int] | None, option("--nodes", "text", "N", each(positive))] = None
    # Called like the reader of another field, which has to stay what it is.
    whole: Annotated[bool, option("--whole", "text")] = False
    seed: Annotated[int, option("--seed", "text", "N", whole)] = 1


@dataclass(frozen=True, kw_only=True)
class Outer(Options):
    games: Annotated[int, option("--games", "text", "N", positive)] = 2
    inner: Inner


@dataclass(frozen=True, kw_only=True)
class More(Outer):
    counts: Annotated[list[int] | None, option("--count", "text", "N", whole)] = None


def called(*words):
    """What a command gets that is called with these words."""
    got: dict[str, object] = {}

    def command(
        context: typer.Context,
        one: Annotated[str | None, argument("text", "A")] = None,
        *,
        more: More,
        keep: Annotated[bool, option("--keep/--no-keep", "text")] = True,
        resume: Annotated[str | None, option("--resume", "text", "FILE")] = None,
    ) -> None:
        if resume is not None:
            refuse_besides(context, "resume", "keep", "counts")
        got.update(one=one, more=more, keep=keep)

    app = typer.Typer()
    app.command(cls=Command)(spread(command))
    typer.main.get_command(app).main(list(words), standalone_mode=False)
    return got


def test_a_group_is_made_of_the_options_of_all_groups_in_it():
    got = called("x", "--nodes", "5:7", "--count", "3", "--count", "4", "--no-keep", "--seed", "0")
    inner = Inner(nodes=(5, 7), seed=0)
    assert got == {"one": "x", "more": More(inner=inner, counts=[3, 4]), "keep": False}


def test_defaults_are_not_read():
    assert called() == {"one": None, "more": More(inner=Inner()), "keep": True}


def test_what_cannot_be_read_is_said_in_our_words():
    with pytest.raises(Unreadable) as caught:
        called("--nodes", "5:0")
    assert caught.value.message.key == "error.cli.positive"
    assert caught.value.message.values == {"option": "--nodes", "text": "0"}


def test_every_command_takes_a_language():
    def alone() -> None: ...

    assert list(inspect.signature(spread(alone)).parameters) == ["lang"]


def test_what_does_not_go_together_is_refused_in_the_order_of_help_pages():
    assert called("--resume", "f", "--no-keep", "--count", "1")["keep"] is False
    with pytest.raises(CliError) as caught:
        called("x", "--seed", "1", "--games", "2", "--resume", "f")
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
