"""What is compiled is kept, and works as well when it comes from the disk: crashes show only then."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from tengen.engine.kernels import jit as compiled
from tengen.engine.kernels.compile_events import heard
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


def test_a_folder_for_each_version(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    folder = compiled.cache_folder()
    assert folder is not None
    assert folder.parent == tmp_path
    (tmp_path / "file").touch()
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path / "file"))
    assert compiled.cache_folder() is None


def test_what_nobody_uses_goes_after_a_month(tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    old, new = tmp_path / "kernels-old", tmp_path / "kernels-new"
    for folder in (old, new):
        folder.mkdir()
    long_ago = time.time() - 40 * 24 * 3600
    os.utime(old, (long_ago, long_ago))
    compiled.cache_folder()
    assert not old.exists()
    assert new.exists()


def test_the_users_own_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("TENGEN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    folder = compiled.cache_folder()
    assert folder is not None
    assert folder.parent == Path(tmp_path) / "tengen"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package's sources."""
    copy = tmp_path_factory.mktemp("copy") / "tengen"
    for source in compiled.PACKAGE.rglob("*.py"):
        there = copy / source.relative_to(compiled.PACKAGE)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, there)
    return copy


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("engine/search/pruning.py", "depth <= 6", "depth <= 5"),
        ("engine/board/worths.py", "UNIT = 16", "UNIT = 32"),
        ("game/player.py", "WIN = 30_000", "WIN = 31_000"),
        ("game/points.py", "BLACK: Colour = 1", "BLACK: Colour = 2"),
        ("game/rules.py", "def overline_wins", "def overline_loses"),
    ],
)
def test_what_is_compiled_in_makes_another_version(package, file, old, new):
    """A constant of the game too: once it stayed as it was when first compiled."""
    before, text = compiled.fingerprint(package), (package / file).read_text("utf-8")
    assert text.count(old) == 1
    (package / file).write_text(text.replace(old, new), "utf-8")
    assert compiled.fingerprint(package) != before
    (package / file).write_text(text, "utf-8")
    assert compiled.fingerprint(package) == before == compiled.fingerprint()


@pytest.mark.parametrize("file", ["engine/engine.py", "engine/handicap.py", "cli/__init__.py"])
def test_what_is_not_compiled_does_not(package, file):
    before = compiled.fingerprint(package)
    with (package / file).open("a", encoding="utf-8") as text:
        text.write("# another line\n")
    assert compiled.fingerprint(package) == before


def test_no_compiled_function_is_overlooked():
    """Each is in one of the sources, and so is each that is called by one outside the engine."""
    sources = set(compiled.sources())
    functions = set()
    rooms = (compiled.PACKAGE / name for name in ("engine", "solver"))
    modules = (file.relative_to(compiled.PACKAGE) for room in rooms for file in room.rglob("*.py"))
    for name in [*(".".join(file.with_suffix("").parts) for file in modules), *OUTSIDE]:
        module = importlib.import_module(f"tengen.{name.removesuffix('.__init__')}")
        found = {value.py_func for value in vars(module).values() if isinstance(value, Dispatcher)}
        functions |= {one for one in found if one.__module__ != module.__name__ or name not in OUTSIDE}
    files = {Path(one.__code__.co_filename) for one in functions}
    assert len(files) > 6
    assert files <= sources


OUTSIDE = (
    "training.games.position_kernels",
    "training.models.fitting_kernels",
    "training.models.network_kernels",
    "training.models.policy_kernels",
)
"""Modules whose compiled functions no other calls: for those Numba's own look at the file is enough."""


def test_those_outside_are_all_known():
    asks = re.compile(r"^from tengen\.engine\.kernels\.jit import .*(OPTIONS|inlined)", re.MULTILINE)
    files = (file for file in compiled.PACKAGE.rglob("*.py") if asks.search(file.read_text("utf-8")))
    outside = {
        file
        for file in files
        if not file.is_relative_to(compiled.PACKAGE / "engine")
        and not file.is_relative_to(compiled.PACKAGE / "solver")
    }
    assert outside == {compiled.PACKAGE.joinpath(*name.split(".")).with_suffix(".py") for name in OUTSIDE}


def counted(values):
    """Makes an array, and counts how often."""
    calls = []

    def make():
        calls.append(1)
        return np.array(values, np.int16)

    return make, calls


@pytest.mark.parametrize("damage", ["", "cut", "one bit", "other", "folder"])
def test_a_table_is_worked_out_once_and_again_where_it_is_damaged(tmp_path, monkeypatch, damage):
    monkeypatch.setattr(compiled, "FOLDER", tmp_path)
    make, calls = counted([[1, -2], [3, 4], [5, 6]])
    names: list[str] = []
    for _ in range(2):
        with heard(lambda *_: None, names.append):
            found = compiled.kept_array("some", (3, 2), np.int16, make)
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
        assert np.array_equal(compiled.kept_array("some", (3, 2), np.int16, make), found)
    assert len(calls) == {"": 1, "folder": 3}.get(damage, 2)


def test_where_nothing_can_be_kept_a_table_is_worked_out_each_time(monkeypatch):
    monkeypatch.setattr(compiled, "FOLDER", None)
    make, calls = counted([1])
    for _ in range(2):
        assert compiled.kept_array("some", (1,), np.int16, make) == [1]
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
    assert {file.name.split("-")[0] for file in ours.rglob("*.nbc")} == {"table.stored_depth"}


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
