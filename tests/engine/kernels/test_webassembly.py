"""Kernels in WebAssembly, under wasmtime: the same answers as native ones, at every depth."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.solver.build_kernels import kernels_for_web
from tests.console import environment

wasmtime = pytest.importorskip("wasmtime")

ANSWERS = """
import json, sys
from pathlib import Path
if len(sys.argv) > 1:
    from tests.engine.kernels.on_webassembly import use
    use(Path(sys.argv[1]))
from tengen import Board, Engine, Limit, Rules, solve_vcf, solve_vct
answers = []
for name in ("freestyle", "standard", "renju", "caro"):
    for moves in ("h8i9g7f6h10i8", "h8a1i8a3j8a5", "h8a1i9a15i7o1h7g10"):
        board = Board.from_moves(moves, Rules.named(name))
        for settings, limit in (({}, Limit(nodes=5000)), ({"strength": 30}, Limit(depth=4))):
            for info in Engine(memory_mb=4, **settings).infos(board, limit, lines=2):
                answers.append([info.depth, info.point, info.score.value, info.nodes, info.line])
        found = solve_vcf(board, Limit(nodes=2000)), solve_vct(board, Limit(nodes=2000))
        answers.append([[each.winner, each.line, each.nodes] for each in found])
    small = Engine().choose(Board.from_moves("c3", Rules.named(name, width=7, height=7)), Limit(depth=3))
    answers.append([small.point, small.nodes])
both = Engine(threads=2, memory_mb=1).analyse(Board.from_moves("h8h9"), Limit(seconds=0.3))
print(json.dumps([answers, both[0].depth > 2]))
"""


@pytest.fixture(scope="session")
def folder(pytestconfig) -> Path:
    """The folder that keeps the kernels of former runs."""
    kept: Path = pytestconfig.cache.mkdir("webassembly")
    return kept


def answers(*arguments):
    """The answers in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", ANSWERS, *arguments],
        env=environment(PYTHONPATH=str(Path.cwd())),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.long
def test_the_same_answers_as_native_kernels(folder):
    inside, outside = answers(str(folder)), answers()
    assert inside == outside
    assert inside[1], "two threads search on one memory"


@pytest.mark.long
def test_every_kernel_is_in_it(folder):
    from tests.engine.kernels.on_webassembly import built

    loaded = built(folder)
    assert loaded.manifest.target == "wasm32-threads"
    for kernel in kernels_for_web():
        assert callable(loaded.function(kernel.name, kernel.signature))
    assert not [name for name in loaded.manifest.kernels if ".batch." in name], "no page uses them"
