"""Kernels that were compiled ahead of time: the same answers, from a library that matches the sources."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tengen import Board, Rules, TengenError
from tengen.engine.board.conversion import position_of
from tengen.engine.kernels import library
from tengen.engine.kernels.declarations import Kernel, kernels
from tengen.engine.kernels.library import Library, Manifest, file_of, target_names
from tengen.engine.kernels.signatures import INT64, signature
from tengen.engine.kernels.source_hash import PACKAGE
from tengen.words import say
from tests.console import environment, process

LEVELS = ["linux-x86-64-v3", "linux-x86-64-v2", "linux-x86-64"]

HERE = target_names()[0]

BUILT = pytest.mark.skipif(HERE not in LEVELS, reason="libraries are built for Linux on x86-64 only")


@pytest.fixture(scope="session")
def built(tmp_path_factory) -> Path:
    """The library of this machine, from the source tree if it is there and matches."""
    found = library.matching()
    if found is not None:
        return found.file
    folder = tmp_path_factory.mktemp("libraries")
    done = subprocess.run(
        [sys.executable, "-m", "tengen.solver.build_kernels", str(folder), "host"],
        env=environment(PYTHONHASHSEED="0"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return file_of(HERE, folder)


def with_flags(monkeypatch, tmp_path, flags):
    """The targets of a processor with some features."""
    (tmp_path / "cpuinfo").write_text(f"processor\t: 0\nflags\t\t: {flags}\n", encoding="utf-8")
    real = Path
    monkeypatch.setattr(library, "Path", lambda path: real(path.replace("/proc", str(tmp_path))))
    monkeypatch.setattr(library, "host", lambda: ("linux", "x86-64"))
    return target_names()


V2 = "fpu cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3"


@pytest.mark.parametrize(
    ("flags", "names"),
    [
        ("fpu sse2", LEVELS[2:]),
        (V2, LEVELS[1:]),
        (f"{V2} avx avx2 bmi1 bmi2 f16c fma movbe xsave", LEVELS[1:]),
        (f"{V2} abm avx avx2 bmi1 bmi2 f16c fma movbe xsave avx512f", LEVELS),
    ],
)
def test_the_processor_decides(monkeypatch, tmp_path, flags, names):
    assert with_flags(monkeypatch, tmp_path, flags) == names


def test_a_system_without_that_file_has_the_oldest(monkeypatch, tmp_path):
    monkeypatch.setattr(library, "Path", lambda _: tmp_path / "none")
    monkeypatch.setattr(library, "host", lambda: ("windows", "x86-64"))
    assert target_names() == ["windows-x86-64"]
    monkeypatch.setattr(library, "host", lambda: ("macos", "aarch64"))
    assert target_names() == ["macos-aarch64"]


ANSWERS = """
import json, sys
from tengen import Board, Engine, Limit, Rules, solve_vcf, solve_vct
answers = []
for name in ("freestyle", "standard", "renju", "caro"):
    for moves in ("h8i9g7f6h10i8", "h8a1i8a3j8a5", "h8a1i9a15i7o1h7g10"):
        board = Board.from_moves(moves, Rules.named(name))
        best = Engine().analyse(board, Limit(nodes=3000), lines=2)
        answers.append([[each.point, each.score.value, each.nodes, each.line] for each in best])
        found = solve_vcf(board, Limit(nodes=2000)), solve_vct(board, Limit(nodes=2000))
        answers.append([[each.winner, each.line, each.nodes] for each in found])
print(json.dumps(answers), "numba" in sys.modules)
"""


def answers(kind):
    """The answers in a process of its own, and whether Numba was imported."""
    done = subprocess.run(
        [sys.executable, "-c", ANSWERS],
        env=environment(TENGEN_KERNELS=kind),
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.rsplit(" ", 1)


@BUILT
@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_same_answers_as_just_in_time(built):
    if built.parent != library.FOLDER:
        pytest.skip("the source tree has no library that matches it: pip install --editable . builds it")
    ahead, just_in_time = answers("aot"), answers("jit")
    assert ahead[0] == just_in_time[0]
    assert (ahead[1], just_in_time[1]) == ("False\n", "True\n")


@BUILT
def test_every_kernel_is_in_it(built):
    import tengen.solver.build_kernels  # noqa: F401 - it imports all rooms that have some

    loaded = Library(built)
    assert loaded.matches()
    assert loaded.manifest.target == HERE
    names = {kernel.name for kernel in kernels() if kernel.name.startswith("tengen.")}
    assert set(loaded.manifest.kernels) == names
    for kernel in kernels():
        assert callable(loaded.function(kernel.name, kernel.signature))
    with pytest.raises(KeyError):
        loaded.function("tengen.other", kernels()[0].signature)


@BUILT
def test_arrays_of_another_kind_are_refused(built):
    from tengen.engine.board.fouls import forbidden_cells, is_forbidden
    from tengen.engine.threats.vcf_kernel import winning_cell

    loaded = Library(built)
    state, tables = position_of(Board.from_moves("h8i9", Rules.named("renju")))
    check = loaded.function(is_forbidden.name, is_forbidden.signature)
    assert check(state, tables, np.int64(300)) is False
    for wrong in ((tables, tables, 300), (state, np.zeros(1, np.int64), 300)):
        with pytest.raises(TypeError, match="where a contiguous one of"):
            check(*wrong)
    several = loaded.function(forbidden_cells.name, forbidden_cells.signature)
    with pytest.raises(TypeError, match="where a contiguous one of"):
        several(state, tables, np.zeros(600, np.int64)[::2])
    with pytest.raises(ValueError, match="argument"):
        check(state, tables)
    assert loaded.function(winning_cell.name, winning_cell.signature)(state, 0) <= 0


@pytest.mark.long
@BUILT
def test_what_has_been_edited_is_compiled_just_in_time(built, monkeypatch, tmp_path):
    loaded = Library(built)
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path / "cache"))
    text = (PACKAGE / "engine" / "board" / "fouls.py").read_text("utf-8")
    copy = tmp_path / "tengen"
    for path in loaded.manifest.files:
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_bytes((PACKAGE / path).read_bytes().replace(b"\n", b"\r\n"))
    monkeypatch.setattr(library, "PACKAGE", copy)
    assert loaded.matches(), "whatever the line ends are"
    edited = copy / "engine" / "board" / "fouls.py"
    edited.write_text(text + "\n# edited\n", "utf-8")
    assert loaded.matches(), "the kernels of this package are the same still"
    changed = dict.fromkeys(loaded.manifest.kernels, "0123456789abcdef")
    loaded.manifest = Manifest("1", HERE, "", loaded.manifest.files, changed)
    assert not loaded.matches()
    edited.unlink()
    assert not loaded.matches()
    for path in loaded.manifest.files:
        (copy / path).unlink(missing_ok=True)
    assert loaded.matches(), "no sources have been installed"


@BUILT
@pytest.mark.parametrize("damage", ["empty", "no manifest", "gone"])
def test_what_is_no_library_is_left_alone(monkeypatch, tmp_path, damage):
    file = file_of(HERE, tmp_path)
    if damage == "empty":
        file.touch()
    elif damage == "no manifest":
        file.write_bytes(b"\x7fELF and nothing else")
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    monkeypatch.setattr(library, "file_of", lambda target: tmp_path / f"{target}.so")
    assert library.matching() is None


@pytest.mark.parametrize(
    ("value", "key"), [("fast", "error.kernels.variable"), ("aot", "error.kernels.none")]
)
def test_a_kind_that_is_not_there(monkeypatch, value, key):
    monkeypatch.setenv("TENGEN_KERNELS", value)
    monkeypatch.setattr(library, "matching", lambda: None)
    with pytest.raises(TengenError) as caught:
        library._library.__wrapped__()
    assert str(caught.value) == say(key, value=repr(value))


def test_a_command_says_it_in_a_line():
    answer = process("solve", "vcf", "h8i9", TENGEN_KERNELS="fast")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert "TENGEN_KERNELS" in answer.err


def test_other_kernels_run_in_place_of_the_library(monkeypatch):
    class Others:
        manifest = Manifest("", "", "", {}, {})

        def function(self, name, signature):
            return lambda *arguments: (name, len(signature.arguments), arguments)

    monkeypatch.setattr(library, "_used", [])
    library.use(Others())
    assert isinstance(library.selected(), Others)

    def added(one, other):
        return one + other

    kernel = Kernel(added, signature(INT64, INT64, INT64))
    assert kernel(1, 2) == (kernel.name, 2, (1, 2))
