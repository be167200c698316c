"""After the warm-up nothing is left to compile, whatever is asked of the engine."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from numba import njit

from tengen import Rules, RulesError
from tengen.engine.kernels import jit  # noqa: F401 - it hears what Numba compiles
from tengen.engine.kernels.compile_events import listening
from tengen.engine.search import table
from tengen.solver.warmup import warm_up
from tests.console import environment, process

EVERYTHING = """
from tengen.engine.kernels.compile_events import listening
from tengen.solver.warmup import warm_up

warm_up(everything=True)
names = []
with listening(lambda name, _: names.append(name)):
    from tengen import BLACK, Board, Engine, Limit, Rules, solve_vcf

    for name in ("freestyle", "standard", "renju", "caro"):
        for moves in ("h8", "h8i9g7f6h10i8", "h8a1i8a3j8a5", "h8a1i8a3j8a5k8", "h8a1i8a3j8a5a7i9"):
            board = Board.from_moves(moves, Rules.named(name))
            Engine().analyse(board, Limit(nodes=2000), lines=3)
            Engine(threads=2).analyse(board, Limit(seconds=0.02, depth=3))
            solve_vcf(board, shortest=True)
            solve_vcf(board, Limit(nodes=50), colour=BLACK)
    board = Board.from_stones(black=["c3", "d4"], white=["e5"], rules=Rules.named("renju", 9))
    Engine(nodes=500).choose(board)
    Engine(nodes=500).explain(board)
print(names)
"""


@pytest.mark.long
def test_nothing_is_left_to_compile():
    done = subprocess.run(
        [sys.executable, "-c", EVERYTHING],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")


def test_a_second_time_there_is_nothing_to_do():
    first = warm_up()
    again = warm_up(Rules.named("caro", 9))
    assert again.functions == 0
    assert warm_up(everything=True).functions == 0
    assert again.folder == first.folder


def test_rules_that_the_engine_does_not_play():
    with pytest.raises(RulesError):
        warm_up(Rules.named("tictactoe"))


def test_what_is_compiled_is_heard():
    warm_up()
    names: list[str] = []
    fresh = njit(table.stored_depth.py_func)  # as the engine has it, but not kept anywhere
    with listening(lambda name, _: names.append(name)):
        assert fresh(5 << 17) == 5
        assert fresh(6 << 17) == 6, "it is there already"
    assert names == ["tengen.engine.search.table.stored_depth"]
    njit(table.stored_depth.py_func)(0)
    assert len(names) == 1, "nobody is listening any more"


def test_a_callback_that_fails_ends_the_warm_up_and_nothing_else():
    """Ctrl-C while something is compiled, say."""

    def fail(*_):
        raise KeyboardInterrupt

    fresh = njit(table.stored_depth.py_func)
    with pytest.raises(KeyboardInterrupt), listening(fail):
        fresh(0)
    assert fresh(5 << 17) == 5


def cold(folder):
    """An environment in which nothing has been compiled."""
    return {"TENGEN_KERNELS": "jit", "TENGEN_CACHE": str(folder)}


def start(folder, *words):
    """A warm-up in a process of its own, with another cache."""
    command = [sys.executable, "-m", "tengen", "warmup", *words]
    env, pipe = environment(**cold(folder)), subprocess.PIPE
    return subprocess.Popen(command, env=env, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.slow
def test_two_processes_at_once_and_then_all_is_there(tmp_path):
    for one in [start(tmp_path, "--json") for _ in range(2)]:
        out, err = one.communicate(timeout=600)
        assert one.returncode == 0, err
        assert json.loads(out)["functions"] > 0
        assert len(err.splitlines()) == 1
    done = process("warmup", "--json", **cold(tmp_path))
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out)["functions"] == 0
    solved = process("solve", "vcf", "h8a1i8a3j8a5", "--json", **cold(tmp_path))
    assert solved.err == ""
    assert json.loads(solved.out)["winner"] == "black"


@pytest.mark.slow
def test_where_nothing_can_be_kept(tmp_path):
    (tmp_path / "file").touch()
    running = start(tmp_path / "file")
    out, err = running.communicate(timeout=600)
    assert running.returncode == 0
    assert "the result cannot be kept" in out
    assert err.count("the result cannot be kept") == 1
