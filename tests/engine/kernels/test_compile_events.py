"""Importing compiles nothing; what is compiled when it is used is told where people look."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest
from numba import njit
from numba.core import event

from tengen.engine.kernels.compile_events import CompileLog, listening
from tengen.engine.search import table
from tengen.words import say
from tests.console import environment

NOTHING_COMPILED = """
import numba.core.event as event

class Witness(event.Listener):
    def on_start(self, happening):
        print("compiled:", happening.data)
    def on_end(self, happening):
        pass

for kind in ("numba:compile", "tengen:table", "tengen:compile"):
    event.register(kind, Witness())
"""

EVERY_MODULE = """
import importlib, pkgutil, tengen
from importlib.util import find_spec

HAS = {name: find_spec(name) is not None for name in ("distributed", "matplotlib", "cma", "jax", "optax")}
modules = [one.name for one in pkgutil.walk_packages(tengen.__path__, "tengen.")]
modules = [name for name in modules if not name.endswith(("__main__", ".migrations.env"))]
assert len(modules) > 200
for name in modules:
    try:
        importlib.import_module(name)
    except ImportError as error:
        assert HAS.get(error.name or "") is False, (name, error)  # of an extra that is not installed
"""

EVERY_NAME = """
import pydoc, tengen
from tengen import *
assert Engine and Board and solve_vcf and winning_points
assert "class Engine" in pydoc.render_doc(tengen) or "Engine" in pydoc.render_doc(tengen)
assert "Args" in pydoc.render_doc(tengen.Engine) and pydoc.render_doc(tengen.engine.search.alpha_beta)
"""

PLAYERS = """
import tengen
board = tengen.Board.from_moves("h8i9")
engine = tengen.Engine(threads=2)
assert tengen.player("engine,nodes=500").name == "engine,nodes=500"
assert tengen.player("level:10") and tengen.player("level:1").choose(board)
assert tengen.player("minimax,depth=2").choose(board)
assert engine.choose(tengen.Board()).point == 112, "in the centre, without any search"
"""

COMMANDS = """
from tengen.cli import main
commands = ["--help", "players", "show h8i9", "fouls h8i9", "bench --help"]
for command in commands:
    assert main(command.split()) in (0, None), command
"""


def run(text: str, cache: Path) -> subprocess.CompletedProcess[str]:
    """Run a script in a fresh process with an empty cache."""
    return subprocess.run(
        [sys.executable, "-c", NOTHING_COMPILED + text],
        env=environment(TENGEN_CACHE=str(cache)),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("script", ["EVERY_MODULE", "EVERY_NAME", "PLAYERS", "COMMANDS"])
def test_nothing_is_compiled_before_it_is_used(tmp_path, script):
    done = run(globals()[script], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "compiled:" not in done.stdout
    assert not list(tmp_path.rglob("*.nb?"))


SOLVE = """
import tengen
{before}
board = tengen.Board.from_moves("h8a1i8a3j8a5")
for _ in range(2):
    found = tengen.solve_vcf(board, tengen.Limit(seconds=1))
    assert found.winner == tengen.BLACK and found.seconds < 30, found
"""


@pytest.mark.long
def test_a_library_says_once_that_it_compiles(tmp_path):
    """By the logger, which Python shows on stderr; no clock runs meanwhile."""
    done = run(SOLVE.format(before=""), tmp_path)
    assert (done.returncode, done.stderr) == (0, say("compiling.once") + "\n")
    assert "compiled:" in done.stdout, "the witness hears of it"
    quiet = run(
        SOLVE.format(before="import logging; logging.getLogger('tengen').disabled = True"), tmp_path
    )
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", ""), "kept, so there is nothing to say"


@pytest.fixture
def log(caplog):
    """What is logged by a `CompileLog`."""
    caplog.set_level(logging.WARNING, "test")
    return caplog


def logging_compiles(*, kept):
    return event.install_listener("numba:compile", CompileLog(kept, logging.getLogger("test")))


def said(log):
    return [record.getMessage() for record in log.records if record.name == "test"]


def fresh():
    """A function of the engine's that has never been compiled."""
    return njit(table.stored_depth.py_func)


@pytest.mark.parametrize(("kept", "key"), [(True, "compiling.once"), (False, "compiling.always")])
def test_what_is_logged(log, kept, key):
    with logging_compiles(kept=kept):
        for _ in range(2):
            assert fresh()(5 << 17) == 5
    assert said(log) == [say(key)]


def test_nothing_is_logged_where_somebody_listens(log):
    names: list[str] = []
    with logging_compiles(kept=True), listening(lambda name, _: names.append(name)):
        fresh()(0)
    assert names == ["tengen.engine.search.table.stored_depth"]
    assert said(log) == []


def test_functions_of_others_are_none_of_our_business(log):
    @njit
    def theirs(number):
        return number + 1

    with logging_compiles(kept=True):
        assert theirs(1) == 2
    assert said(log) == []
