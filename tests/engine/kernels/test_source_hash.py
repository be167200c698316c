"""Fingerprints change with what is compiled, and with nothing else."""

from __future__ import annotations

import importlib
import inspect
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tengen.engine.kernels.declarations import CompiledFunction, Intrinsic
from tengen.engine.kernels.source_hash import PACKAGE, FingerprintFile, SourceGraph, raw_digest

KERNELS = {
    "search": ("tengen.engine.search.alpha_beta", "search"),
    "df_pn": ("tengen.engine.threats.pn_kernel", "df_pn"),
    "find_vcf": ("tengen.engine.threats.vcf_kernel", "find_vcf"),
    "is_foul": ("tengen.engine.board.fouls", "is_foul"),
    "make": ("tengen.engine.board.position", "make"),
    "attack": ("tengen.solver.exact.kernel", "attack"),
    "patterns": ("tengen.engine.board.rule_tables", "fill_tables"),
    "rows": ("tengen.engine.evaluation.parameters", "put_network"),
}
"""Compiled functions."""

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
def graph(package: Path) -> SourceGraph:
    return SourceGraph(package)


@pytest.fixture(scope="module")
def before(graph: SourceGraph) -> dict[str, str]:
    return fingerprints(graph)


def fingerprints(graph: SourceGraph) -> dict[str, str]:
    return {name: graph.fingerprint(*where) for name, where in KERNELS.items()}


FOULS, POSITIONS = {"search", "df_pn", "find_vcf", "is_foul"}, {"search", "df_pn", "find_vcf"}


# fmt: off
CHANGES: list[tuple[str, str, str, set[str]]] = [
    # What is compiled in: a number, constant of a constant, one of the game, source of others,
    ("engine/search/pruning", "_REVERSE_DEPTH = 6", "_REVERSE_DEPTH = 5", {"search"}),
    ("engine/board/worths", "UNIT = 16", "UNIT = 32", {"search"}),
    ("game/score_units", "WIN = 30_000", "WIN = 31_000", {"search"}),
    ("engine/board/patterns", "REACH = 5", "REACH = 6", ALL - {"attack"}),
    # a class of constants, a function that makes a constant, a constant of such a function,
    ("engine/board/records", "    FOUL = 13", "    FOUL = 14", POSITIONS | {"patterns"}),
    ("engine/board/records", "step = CACHE_LINE if length", "step = 2 * CACHE_LINE if length",
     ALL - {"attack"}),
    ("engine/board/steps", "_FAR = ", "_FAR = 1 + ", {"search"}),
    # an instruction, what is registered for a type, a decorator, a method, the solver.
    ("engine/board/bits_llvm", "ir.Constant(ir.IntType(1), 1))", "ir.Constant(ir.IntType(1), 0))",
     ALL - {"is_foul", "patterns", "rows"}),
    ("engine/board/vectors_llvm", "super().__init__(manager, kind, _COUNTS)",
     "super().__init__(manager, kind, _ROW)", POSITIONS | {"make"}),
    ("engine/board/fouls", "@inlined\ndef toggle", "@compiled\ndef toggle", FOULS),
    ("solver/exact/table", "BUCKET = 4", "BUCKET = 8", {"attack"}),
    # What is not: docstrings, comments, and what no kernel uses.
    ("game/board", '"""', '"""Other words. ', set()),
    ("game/player", '"""', '"""Other words. ', set()),
    ("game/player", "def after(self", "def less(self", set()),
    ("words/__init__", "def say(", "def speak(", set()),
    ("game/rules", "def overline_wins", "def overline_loses", set()),
    ("game/points", "def distance(", "def steps(", set()),
    ("engine/board/records", "def new_record(", "def fresh_record(", set()),
    ("engine/search/alpha_beta", '"""', '"""Other words. ', set()),
    ("engine/search/alpha_beta", "from __future__", "# A comment.\n\nfrom __future__", set()),
    ("engine/board/fouls", '    """', '    """Other words. ', set()),
    ("engine/defaults", "NODES = 200_000", "NODES = 100_000", set()),
]
# fmt: on


@pytest.mark.long
@pytest.mark.parametrize(("file", "old", "new", "changed"), CHANGES)
def test_what_is_compiled_in_and_nothing_else_makes_another_version(
    package: Path,
    graph: SourceGraph,
    before: dict[str, str],
    file: str,
    old: str,
    new: str,
    changed: set[str],
) -> None:
    """Of the functions that it is compiled into, and of no others."""
    path = (package / file).with_suffix(".py")
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    try:
        other = SourceGraph(package)
        module = "tengen." + file.replace("/", ".").removesuffix(".__init__")
        other._modules = {name: read for name, read in graph._modules.items() if name != module}
        after = fingerprints(other)
    finally:
        path.write_text(text, "utf-8")
    assert {name for name in KERNELS if after[name] != before[name]} == changed


def test_the_same_source_has_the_same_fingerprint_wherever_it_lies(before: dict[str, str]) -> None:
    assert fingerprints(SourceGraph(PACKAGE)) == before


def test_another_compiler_makes_another_version(
    package: Path, graph: SourceGraph, before: dict[str, str]
) -> None:
    other = SourceGraph(package, "another compiler")
    other._modules = graph._modules
    after = fingerprints(other)
    assert all(after[name] != before[name] for name in KERNELS)


def test_every_compiled_function_has_one() -> None:
    """And the compiled functions that it calls are in what it reaches."""
    graph, count = SourceGraph(), 0
    rooms = "engine", "solver", "training"
    for file in (file for room in rooms for file in (PACKAGE / room).rglob("[a-z]*.py")):
        name = ".".join(("tengen", *file.relative_to(PACKAGE).with_suffix("").parts))
        module = importlib.import_module(name)
        for value in list(vars(module).values()):
            if not isinstance(value, CompiledFunction) or value.py_func.__module__ != name:
                continue
            function = value.py_func
            reached = graph.reached(name, function.__name__)
            count += 1
            assert (name, function.__name__) in reached
            for called in inspect.getclosurevars(function).globals.values():
                if isinstance(called, CompiledFunction | Intrinsic):
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
    from tengen.engine.board.rule_tables import fill_tables

    def read() -> FingerprintFile:
        return FingerprintFile(tmp_path, package=package)

    assert read().of(is_foul.py_func) == before["is_foul"]
    assert read().of(fill_tables.py_func) == before["patterns"]
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
