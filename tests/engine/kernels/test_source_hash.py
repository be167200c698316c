"""Fingerprints change with what is compiled, and with nothing else."""

from __future__ import annotations

import importlib
import inspect
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from numba.core.dispatcher import Dispatcher

from tengen.engine.kernels.source_hash import PACKAGE, FingerprintFile, SourceGraph, raw_digest

KERNELS = {
    "search": ("tengen.engine.search.alpha_beta", "search"),
    "df_pn": ("tengen.engine.threats.pn_kernel", "df_pn"),
    "find_vcf": ("tengen.engine.threats.vcf_kernel", "find_vcf"),
    "is_foul": ("tengen.engine.board.fouls", "is_foul"),
    "make": ("tengen.engine.board.position", "make"),
    "attack": ("tengen.solver.exact.kernel", "attack"),
    "patterns": ("tengen.engine.board.patterns", "pattern_table"),
    "rows": ("tengen.engine.evaluation.line_network", "line_rows"),
}
"""Compiled functions, and two whose results are kept."""

ALL = set(KERNELS)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package's sources."""
    copy = tmp_path_factory.mktemp("copy") / "tengen"
    for source in PACKAGE.rglob("*.py"):
        there = copy / source.relative_to(PACKAGE)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, there)
    return copy


@pytest.fixture(scope="module")
def before(package: Path) -> dict[str, str]:
    return fingerprints(package)


def fingerprints(package: Path) -> dict[str, str]:
    graph = SourceGraph(package)
    return {name: graph.fingerprint(*where) for name, where in KERNELS.items()}


def changed(package: Path, before: dict[str, str], file: str, old: str, new: str) -> set[str]:
    """Return the functions whose fingerprint a change of a file changes."""
    text = (package / file).read_text("utf-8")
    assert text.count(old) == 1
    (package / file).write_text(text.replace(old, new), "utf-8")
    try:
        after = fingerprints(package)
    finally:
        (package / file).write_text(text, "utf-8")
    return {name for name in KERNELS if after[name] != before[name]}


@pytest.mark.parametrize(
    ("file", "old", "new", "functions"),
    [
        pytest.param(
            "engine/search/pruning.py", "_REVERSE_DEPTH = 6", "_REVERSE_DEPTH = 5", {"search"}, id="number"
        ),
        pytest.param(
            "engine/board/worths.py",
            "UNIT = 16",
            "UNIT = 32",
            {"search"},
            id="constant of a constant",
        ),
        pytest.param("game/score_units.py", "WIN = 30_000", "WIN = 31_000", {"search"}, id="of the game"),
        pytest.param(
            "engine/board/patterns.py",
            "REACH = 5",
            "REACH = 6",
            ALL - {"attack"},
            id="what others are made from",
        ),
        pytest.param(
            "engine/board/records.py",
            "    FOUL = 13",
            "    FOUL = 14",
            {"search", "df_pn", "find_vcf"},
            id="class of constants",
        ),
        pytest.param(
            "engine/board/records.py",
            "step = CACHE_LINE if length",
            "step = 2 * CACHE_LINE if length",
            {"search", "df_pn", "find_vcf", "is_foul"},
            id="function that makes a constant",
        ),
        pytest.param(
            "engine/board/steps.py", "_FAR = ", "_FAR = 1 + ", {"search"}, id="constant of such a function"
        ),
        pytest.param(
            "engine/board/bits.py",
            "builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))",
            "builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))",
            ALL - {"is_foul", "patterns", "rows"},
            id="instruction",
        ),
        pytest.param(
            "engine/board/vectors.py",
            "super().__init__(manager, kind, _COUNTS)",
            "super().__init__(manager, kind, _ROW)",
            {"search", "df_pn", "find_vcf", "make"},
            id="what is registered for a type",
        ),
        pytest.param(
            "engine/board/fouls.py",
            "@inlined\ndef toggle",
            "@compiled\ndef toggle",
            {"search", "df_pn", "find_vcf", "is_foul"},
            id="decorator",
        ),
        pytest.param("game/rules.py", "def overline_wins", "def overline_loses", {"patterns"}, id="method"),
        pytest.param("solver/exact/table.py", "BUCKET = 4", "BUCKET = 8", {"attack"}, id="solver"),
    ],
)
def test_what_is_compiled_in_makes_another_version(
    package: Path, before: dict[str, str], file: str, old: str, new: str, functions: set[str]
) -> None:
    """Of the functions that it is compiled into, and of no others."""
    assert changed(package, before, file, old, new) == functions


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("game/board.py", '"""', '"""Other words. '),
        ("game/player.py", '"""', '"""Other words. '),
        ("game/player.py", "def after(self", "def less(self"),
        ("words/__init__.py", "def say(", "def speak("),
        ("game/points.py", "def distance(", "def steps("),
        ("engine/board/records.py", "def new_record(", "def fresh_record("),
        ("engine/search/alpha_beta.py", '"""', '"""Other words. '),
        ("engine/search/alpha_beta.py", "from __future__", "# A comment.\n\nfrom __future__"),
        ("engine/board/fouls.py", '    """', '    """Other words. '),
        ("engine/engine.py", "NODES = 200_000", "NODES = 100_000"),
    ],
)
def test_what_is_not_compiled_does_not(
    package: Path, before: dict[str, str], file: str, old: str, new: str
) -> None:
    text = (package / file).read_text("utf-8")
    first = text.split(old, 1)
    assert len(first) == 2
    (package / file).write_text(new.join(first), "utf-8")
    try:
        after = fingerprints(package)
    finally:
        (package / file).write_text(text, "utf-8")
    kernels = ALL - {"patterns"} if file.startswith("words") else ALL
    assert {name: after[name] for name in kernels} == {name: before[name] for name in kernels}


def test_the_same_source_has_the_same_fingerprint_wherever_it_lies(before: dict[str, str]) -> None:
    assert fingerprints(PACKAGE) == before


def test_another_compiler_makes_another_version(package: Path, before: dict[str, str]) -> None:
    graph = SourceGraph(package, "another compiler")
    assert all(graph.fingerprint(*where) != before[name] for name, where in KERNELS.items())


def test_every_compiled_function_has_one() -> None:
    """And the compiled functions that it calls are in what it reaches."""
    graph, count = SourceGraph(), 0
    rooms = "engine", "solver", "training"
    for file in (file for room in rooms for file in (PACKAGE / room).rglob("[a-z]*.py")):
        name = ".".join(("tengen", *file.relative_to(PACKAGE).with_suffix("").parts))
        module = importlib.import_module(name)
        for value in list(vars(module).values()):
            if not isinstance(value, Dispatcher) or value.py_func.__module__ != name:
                continue
            function = value.py_func
            reached = graph.reached(name, function.__name__)
            count += 1
            assert (name, function.__name__) in reached
            for called in inspect.getclosurevars(function).globals.values():
                if isinstance(called, Dispatcher):
                    assert (called.py_func.__module__, called.py_func.__name__) in reached
    assert count > 150


def one() -> None:
    """A function outside the package."""


def test_threads_ask_at_once(tmp_path: Path) -> None:
    """Each of them with a file of its own, which none of them has written yet."""
    from tengen.engine.board.fouls import is_foul

    with ThreadPoolExecutor(8) as threads:
        files = [FingerprintFile(tmp_path / str(number)) for number in range(8)]
        answers = list(threads.map(lambda file: file.of(is_foul.py_func), files))
    assert len(set(answers)) == 1
    assert answers[0] is not None


def test_they_are_kept_until_a_file_changes(
    tmp_path: Path, package: Path, before: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tengen.engine.board.fouls import is_foul
    from tengen.engine.board.patterns import pattern_table

    def read() -> FingerprintFile:
        return FingerprintFile(tmp_path, package=package)

    assert read().of(is_foul.py_func) == before["is_foul"]
    assert read().of(pattern_table) == before["patterns"]
    assert read().of(one) is None
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text("utf-8"))["tengen.engine.board.fouls"]["is_foul"] == before["is_foul"]
    with monkeypatch.context() as patched:
        patched.setattr("ast.parse", None)
        assert read().of(is_foul.py_func) == before["is_foul"]
    file.write_text("damaged")
    assert read().of(is_foul.py_func) == before["is_foul"]
    text, raw = (package / "cli" / "__init__.py").read_text("utf-8"), raw_digest(package)
    kept = read()
    (package / "cli" / "__init__.py").write_text(text + "\n# another line\n", "utf-8")
    try:
        assert raw_digest(package) != raw
        assert kept.of(importlib.import_module("tengen.engine.board.steps").steps_away.py_func) is None
        assert read().of(is_foul.py_func) == before["is_foul"]
    finally:
        (package / "cli" / "__init__.py").write_text(text, "utf-8")
    assert len(list(tmp_path.iterdir())) == 2
