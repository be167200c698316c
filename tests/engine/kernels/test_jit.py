"""What is compiled is kept, and works as well when it comes from the disk: crashes show only then."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from numba.core import typing as types

from tengen.engine.kernels import jit
from tengen.engine.kernels.compile_events import listening
from tengen.engine.search import table
from tengen.words import say
from tests.console import environment, process
from tests.engine.helpers import called

SOLVE = ("solve", "vcf", "h8a1i8a3j8a5", "--shortest")


@pytest.mark.long
def test_cold_then_warm_then_without_a_place_to_keep_it(tmp_path):
    cold = process(*SOLVE, TENGEN_CACHE=str(tmp_path))
    # Where compiling takes long, the search for a win says how long it has been going on.
    assert (cold.status, cold.err.splitlines()[0]) == (0, say("compiling.once"))
    kept = set(tmp_path.rglob("*.nbc"))
    assert kept
    warm = process(*SOLVE, TENGEN_CACHE=str(tmp_path))
    assert (warm.status, warm.out, warm.err) == (0, cold.out, "")
    assert set(tmp_path.rglob("*.nbc")) == kept
    file = tmp_path / "file"
    file.touch()
    unkept = process(*SOLVE, TENGEN_CACHE=str(file))
    assert (unkept.status, unkept.out) == (0, cold.out)
    assert unkept.err.splitlines()[0] == say("compiling.always")


def test_the_folder_that_a_variable_names(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    folder = jit.cache_folder()
    assert folder is not None
    assert folder == tmp_path / "kernels"
    (tmp_path / "file").touch()
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path / "file"))
    assert jit.cache_folder() is None


def test_what_nobody_uses_goes_after_a_month(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    (tmp_path / "kernels").mkdir()
    old, new = tmp_path / "kernels" / "old.nbi", tmp_path / "kernels" / "new.nbi"
    for file in (old, new):
        file.touch()
    long_ago = time.time() - 40 * 24 * 3600
    os.utime(old, (long_ago, long_ago))
    jit.cache_folder()
    assert not old.exists()
    assert new.exists()


@pytest.mark.long
def test_what_is_used_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    use = "from tengen.engine.board.fouls import is_foul; is_foul.build()"

    def used():
        environ = environment(TENGEN_CACHE=str(tmp_path))
        subprocess.run([sys.executable, "-c", use], env=environ, check=True, capture_output=True)

    used()
    files = list(tmp_path.rglob("*.is_foul-*.nb?"))
    days_ago = time.time() - 5 * 24 * 3600
    for file in files:
        os.utime(file, (days_ago, days_ago))
    used()
    assert len(files) == 2
    assert all(file.stat().st_mtime > days_ago + 1 for file in files)


def test_an_import_creates_no_folder_and_changes_nothing_of_numbas(tmp_path):
    script = (
        "from numba.core import caching\n"
        "before = list(caching.CompileResultCacheImpl._locator_classes)\n"
        "import tengen.solver.warmup\n"
        "assert caching.CompileResultCacheImpl._locator_classes == before\n"
    )
    folder = tmp_path / "cache"
    environ = environment(TENGEN_CACHE=str(folder))
    subprocess.run([sys.executable, "-c", script], env=environ, check=True)
    assert not folder.exists()


def test_kernels_are_listed_after_those_that_they_call():
    import tengen.solver.warmup  # noqa: F401 - it imports all rooms that have some

    names = [kernel.name for kernel in jit.kernels()]
    assert len(names) == len(set(names)) > 6
    large = [kernel.name.rpartition(".")[2] for kernel in jit.kernels() if kernel.large]
    assert large[0] == "find_vcf"
    assert set(large) == {"find_vcf", "df_pn", "search"}
    assert all(isinstance(kernel.signature, types.Signature) for kernel in jit.kernels())


def test_the_users_own_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("TENGEN_CACHE", raising=False)
    monkeypatch.setattr("tengen.user_folders.cache_folder", lambda: tmp_path)
    assert jit.cache_folder() == tmp_path / "kernels"


def test_the_folders_of_earlier_versions_are_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    for name in ("kernels-0123abcd", "kernels", "kernels of mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "search.nbi").touch()
    jit.cache_folder()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["kernels", "kernels of mine"]
    assert (tmp_path / "kernels" / "search.nbi").exists()


def counted(values):
    """Makes an array, and counts how often."""
    calls = []

    def make():
        calls.append(1)
        return np.array(values, np.int16)

    return make, calls


@pytest.mark.parametrize("damage", ["", "cut", "one bit", "other", "folder"])
def test_a_table_is_worked_out_once_and_again_where_it_is_damaged(tmp_path, monkeypatch, damage):
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(jit, "_fingerprint", lambda _: "code")
    make, calls = counted([[1, -2], [3, 4], [5, 6]])
    names: list[str] = []
    for _ in range(2):
        with listening(lambda *_: None, names.append):
            found = jit.kept_array("some", (3, 2), np.int16, make)
        assert np.array_equal(found, [[1, -2], [3, 4], [5, 6]])
    assert (len(calls), names) == (1, ["some"])
    (file,) = tmp_path.iterdir()
    data = file.read_bytes()
    if damage == "folder":
        file.unlink()
        file.mkdir()
    elif damage:
        file.write_bytes({"cut": data[:-1], "one bit": data[:-1] + b"\1", "other": b"none"}[damage])
    for _ in range(2):
        assert np.array_equal(jit.kept_array("some", (3, 2), np.int16, make), found)
    assert len(calls) == {"": 1, "folder": 3}.get(damage, 2)


def test_where_nothing_can_be_kept_a_table_is_worked_out_each_time(monkeypatch):
    monkeypatch.setattr(jit, "cache_folder", lambda: None)
    make, calls = counted([1])
    for _ in range(2):
        assert jit.kept_array("some", (1,), np.int16, make) == [1]
    assert len(calls) == 2


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
    said = say("compiling.once") + "\n"  # of ours, which is compiled, too
    assert (done.returncode, done.stdout, done.stderr) == (0, f"2 6 {asked!r}\n", said)
    assert {file.name.split("-")[0] for file in theirs.rglob("*.nbc")} == {"user.before", "user.after"}
    assert {file.name.split("-")[0] for file in ours.rglob("*.nbc")} == {
        "tengen.engine.search.table.stored_depth"
    }


def test_helpers_are_called_by_compiled_functions_only():
    assert called(table.stored_depth)(5 << 17) == 5
    with pytest.raises(TypeError, match=r"^stored_depth can be called from compiled functions only$"):
        table.stored_depth(5 << 17)


def test_modules_are_imported_where_numba_compiles_nothing(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "import tengen.engine.search.alpha_beta"],
        env=environment(TENGEN_CACHE=str(tmp_path), NUMBA_DISABLE_JIT="1"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not list(tmp_path.rglob("*.nbc"))
