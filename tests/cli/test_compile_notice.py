"""Whoever has to wait for the compiler is told so, once."""

from __future__ import annotations

import pytest
from numba import njit

from tengen.cli.compile_notice import compile_notice, ready_for
from tengen.cli.printing import LANGUAGE
from tengen.engine.kernels import jit
from tengen.engine.search import table
from tengen.words import LANGUAGES, say

pytestmark = pytest.mark.usefixtures("compiled")


def compile_something():
    """Something of the engine's, anew."""
    assert njit(table.stored_depth.py_func)(5 << 17) == 5


def test_nothing_is_said_where_nothing_is_compiled(capsys):
    with compile_notice():
        ready_for(["engine"])
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_one_plain_line(lang, capsys):
    token = LANGUAGE.set(lang)
    try:
        with compile_notice():
            compile_something()
            compile_something()
    finally:
        LANGUAGE.reset(token)
    assert capsys.readouterr() == ("", f"tengen: {say('compiling.once', lang)}\n")


def test_where_nothing_can_be_kept_that_is_said_once(monkeypatch, capsys):
    monkeypatch.setattr(jit, "cache_folder", lambda: None)
    language = LANGUAGE.get()  # that of whatever test has run before
    with compile_notice():
        compile_something()
        compile_something()
    assert capsys.readouterr() == ("", f"tengen: {say('compiling.always', language)}\n")


def test_players_without_the_engine_wait_for_nothing(monkeypatch):
    monkeypatch.setattr("tengen.solver.warmup.warm_up", pytest.fail)
    ready_for([None, "random", "level:3"])
