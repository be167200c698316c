"""What is compiled just in time is kept, and works as well from the disk: crashes show only then."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from tengen.words import say
from tests.console import environment, process

SOLVE = ("solve", "vcf", "h8a1i8a3j8a5", "--shortest")


@pytest.mark.long
def test_cold_then_warm_then_without_a_place_to_keep_it(tmp_path):
    cold = process(*SOLVE, TENGEN_KERNELS="jit", TENGEN_CACHE=str(tmp_path))
    # Where compiling takes long, the search for a win says how long it has been going on.
    assert (cold.status, cold.err.splitlines()[0]) == (0, f"tengen: {say('compiling.once')}")
    kept = set(tmp_path.rglob("*.nbc"))
    assert kept
    warm = process(*SOLVE, TENGEN_KERNELS="jit", TENGEN_CACHE=str(tmp_path))
    assert (warm.status, warm.out, warm.err) == (0, cold.out, "")
    assert set(tmp_path.rglob("*.nbc")) == kept
    file = tmp_path / "file"
    file.touch()
    unkept = process(*SOLVE, TENGEN_KERNELS="jit", TENGEN_CACHE=str(file))
    assert (unkept.status, unkept.out) == (0, cold.out)
    assert unkept.err.splitlines()[0] == f"tengen: {say('compiling.always')}"


@pytest.mark.long
def test_what_is_used_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    use = "from tengen.engine.board.fouls import is_foul; is_foul.build()"

    def used():
        environ = environment(TENGEN_KERNELS="jit", TENGEN_CACHE=str(tmp_path))
        subprocess.run([sys.executable, "-c", use], env=environ, check=True, capture_output=True)

    used()
    files = list(tmp_path.rglob("*.is_foul-*.nb?"))
    days_ago = time.time() - 5 * 24 * 3600
    for file in files:
        os.utime(file, (days_ago, days_ago))
    used()
    assert len(files) == 2
    assert all(file.stat().st_mtime > days_ago + 1 for file in files)


USER = """
import numba
from numba import njit

@njit(cache=True)
def before(x):
    return x + 1

from tengen.engine.search import table

@njit(cache=True)
def after(x):
    return table.stored_depth(x) + 1

print(before(1), after(5 << 17), repr(numba.config.CACHE_DIR))
"""


@pytest.mark.long
@pytest.mark.parametrize("folder", ["", "mine"])
def test_functions_of_others_are_kept_where_they_would_be_without_tengen(tmp_path, folder):
    """Beside their source, or in the folder that Numba's own variable names."""
    script, ours, theirs = tmp_path / "user.py", tmp_path / "ours", tmp_path / (folder or "__pycache__")
    script.write_text(USER, encoding="utf-8")
    asked = str(theirs) if folder else ""
    done = subprocess.run(
        [sys.executable, str(script)],
        env=environment(TENGEN_CACHE=str(ours), NUMBA_CACHE_DIR=asked),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said = f"tengen: {say('compiling.once')}\n"  # of ours, which is compiled, too
    assert (done.returncode, done.stdout, done.stderr) == (0, f"2 6 {asked!r}\n", said)
    assert {file.name.split("-")[0] for file in theirs.rglob("*.nbc")} == {"user.before", "user.after"}
    assert {file.name.split("-")[0] for file in ours.rglob("*.nbc")} == {
        "tengen.engine.search.table.stored_depth"
    }
