"""Functions are declared without a compiler, and compiled when they are used."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from itertools import chain

import pytest
from numba import njit

from tengen.engine.board.bits import count_bits
from tengen.engine.kernels.declarations import CompiledFunction, Intrinsic, Kernel, kernels, merged
from tengen.engine.kernels.library import symbol
from tengen.engine.kernels.source_hash import PACKAGE, SourceGraph
from tengen.engine.search import table
from tests.console import environment
from tests.engine.helpers import called


def test_an_import_creates_no_folder_and_imports_no_compiler(tmp_path):
    folder = tmp_path / "cache"
    script = "import sys, tengen.solver.warmup; print({'numba', 'llvmlite'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(TENGEN_CACHE=str(folder)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "set()\n"
    assert not folder.exists()


def test_kernels_are_listed_after_those_that_they_call():
    import tengen.solver.build_kernels  # noqa: F401 - it imports all rooms that have some

    names = [kernel.name for kernel in kernels()]
    assert len(names) == len(set(map(symbol, names))) > 20
    graph = SourceGraph()
    for index, name in enumerate(names):
        reached = {".".join(each) for each in graph.reached(*name.rsplit(".", 1))}
        assert not reached & set(names[index + 1 :]), name


def test_python_calls_no_compiled_functions_but_kernels():
    """What has no types of its own would have to be compiled just in time, and there may be no compiler."""
    wrong = []
    for file in chain((PACKAGE / "engine").rglob("[a-z]*.py"), (PACKAGE / "solver").rglob("[a-z]*.py")):
        module = importlib.import_module(
            ".".join(("tengen", *file.relative_to(PACKAGE).with_suffix("").parts))
        )
        compiled = {
            name for name, value in vars(module).items() if isinstance(value, CompiledFunction | Intrinsic)
        }
        helpers = {name for name in compiled if not isinstance(vars(module)[name], Kernel)}
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in compiled:
                names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
                wrong += [(module.__name__, node.name, name) for name in names & helpers]
    assert wrong == []


def test_helpers_are_called_by_compiled_functions_only():
    assert called(table.stored_depth)(5 << 17) == 5
    assert called(count_bits)(0b1011) == 3
    with pytest.raises(TypeError, match=r"^stored_depth can be called from compiled functions only$"):
        table.stored_depth(5 << 17)
    with pytest.raises(TypeError, match=r"^count_bits can be called from compiled functions only$"):
        count_bits(1)


def _doubled(number):
    return 2 * number


def test_a_merged_function_is_compiled_with_that_which_calls_it():
    """It has no machine code of its own."""
    part = merged(_doubled)

    @njit
    def whole(number):
        return part(number)

    assert whole(21) == 42
    assert not part.dispatcher.overloads
    with pytest.raises(TypeError, match=r"^_doubled can be called from compiled functions only$"):
        part(21)


def test_kernels_of_a_package():
    assert {each.name for each in kernels("tengen.engine.board")} < {each.name for each in kernels()}


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
