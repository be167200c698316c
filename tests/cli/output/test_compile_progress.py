"""Whoever has to wait for the compiler is told so."""

from __future__ import annotations

import io

import pytest
from numba import njit

from tengen.cli.output.compile_progress import compile_display, ready, ready_for
from tengen.engine.kernels import cache, jit  # noqa: F401 - it hears what Numba compiles
from tengen.engine.search import table
from tengen.words import LANGUAGES, say

pytestmark = pytest.mark.usefixtures("compiled")


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self):
        return True


def compile_something():
    """Something of the engine's, anew."""
    assert njit(table.stored_depth.py_func)(5 << 17) == 5


@pytest.mark.parametrize("stream", [io.StringIO, Screen])
def test_nothing_is_said_where_nothing_is_compiled(stream):
    out = stream()
    ready("en", out)
    with compile_display("en", out):
        pass
    assert out.getvalue() == ""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_one_plain_line(lang):
    out = io.StringIO()
    with compile_display(lang, out):
        compile_something()
        compile_something()
    assert out.getvalue() == say("compiling.once", lang) + "\n"


def test_a_line_for_each_large_function():
    out = io.StringIO()
    with compile_display("en", out, each=True):
        compile_something()
        compile_something()
    one = say("compiling.function", name="tengen.engine.search.table.stored_depth") + "\n"
    assert out.getvalue() == say("compiling.once") + "\n" + 2 * one


def test_a_line_that_comes_and_goes_on_a_terminal():
    out = Screen()
    with compile_display("en", out):
        compile_something()
        assert say("compiling.progress", time="0:00", name="table.stored_depth") in out.getvalue()
    assert out.getvalue().endswith("\r\x1b[K")
    assert "\n" not in out.getvalue()


@pytest.mark.parametrize("stream", [io.StringIO, Screen])
def test_where_nothing_can_be_kept_that_is_said_once(stream, monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: None)
    out = stream()
    with compile_display("en", out):
        compile_something()
        compile_something()
    assert out.getvalue().count("the result cannot be kept") == 1


def test_players_without_the_engine_wait_for_nothing():
    ready_for([None, "random", "level:3"], "en", io.StringIO())
