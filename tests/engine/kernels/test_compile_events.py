"""Importing compiles nothing; what is compiled when it is used is told where people look."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tengen.engine.kernels import compile_events
from tengen.engine.kernels.compile_events import listening
from tengen.words import Message, say
from tests.console import environment

NOTHING_COMPILED = """
import numba.core.event as event

class Witness(event.Listener):
    def on_start(self, happening):
        print("compiled:", happening.data)
    def on_end(self, happening):
        pass

event.register("numba:compile", Witness())
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
        env=environment(TENGEN_CACHE=str(cache), TENGEN_KERNELS="jit"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.long
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
    assert (done.returncode, done.stderr) == (0, f"tengen: {say('compiling.once')}\n")
    assert "compiled:" in done.stdout, "the witness hears of it"
    quiet = run(
        SOLVE.format(before="import logging; logging.getLogger('tengen').disabled = True"), tmp_path
    )
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", ""), "kept, so there is nothing to say"


@pytest.mark.parametrize(("kept", "key"), [(True, "compiling.once"), (False, "compiling.always")])
def test_what_is_logged(caplog, monkeypatch, kept, key):
    monkeypatch.setattr(compile_events, "_logged", [])
    for name in ("first", "second"):
        compile_events.report_compilation(f"tengen.{name}", kept=kept)
    assert caplog.messages == [f"tengen: {say(key)}"]


def test_nothing_is_logged_where_somebody_listens(caplog, monkeypatch):
    monkeypatch.setattr(compile_events, "_logged", [])
    heard: list[tuple[str, Message]] = []
    with listening(lambda *what: heard.append(what)):
        compile_events.report_compilation("tengen.one", kept=True)
    assert (heard, caplog.messages) == ([("tengen.one", Message("compiling.once"))], [])
