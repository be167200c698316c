"""The engine in Pyodide: Python in the browser's WebAssembly beside the kernels, run by Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tengen.engine.kernels.source_hash import PACKAGE
from tests.web.browser import engine_results

pytest.importorskip("wasmtime")

HERE = Path(__file__).parent
PYODIDE = HERE.parents[2] / "node_modules" / "pyodide"
NODE = shutil.which("node")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(NODE is None, reason="Node is not installed"),
    pytest.mark.skipif(not PYODIDE.exists(), reason="Pyodide is not installed: npm install"),
]

SCRIPT = """
import json
import tengen_kernels
from tengen.web.browser.kernels import install

stop = install(tengen_kernels.kernels, lambda name: tengen_kernels.parameters(name).to_bytes())

def main():
    exec({source!r}, globals())
    return json.dumps({main})
"""


def in_pyodide(folder: Path, tmp_path: Path, main: str, *, shared: bool = False) -> Any:
    """The value of an expression with what `engine_results` defines, in Pyodide."""
    script = tmp_path / "script.py"
    source = Path(engine_results.__file__).read_text("utf-8")
    script.write_text(SCRIPT.format(source=source, main=main), "utf-8")
    memory = "shared" if shared else "own"
    arguments = [str(PYODIDE), str(PACKAGE), str(folder), memory, str(script)]
    done = subprocess.run(
        [str(NODE), str(HERE / "kernels_in_pyodide.mjs"), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def folder(pytestconfig: pytest.Config) -> Path:
    from tests.web.engine_in_pages import folder_of

    return folder_of(pytestconfig)


@pytest.fixture(scope="module")
def native() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(engine_results.results()))
    return found


@pytest.mark.parametrize("shared", [False, True], ids=["own memory", "shared memory"])
def test_the_answers_are_those_of_native_kernels(
    native: dict[str, Any], folder: Path, tmp_path: Path, shared: bool
) -> None:
    found = in_pyodide(folder, tmp_path, "results()", shared=shared)
    assert (found["signature"], found["nodes"]) == ("ae23a9f6ae4c", 611_146)
    for name, value in native.items():
        assert found[name] == value, name


def test_helpers_search_in_memory_that_is_shared(folder: Path, tmp_path: Path) -> None:
    nodes, alone, helped = in_pyodide(folder, tmp_path, "with_helpers()", shared=True)
    assert alone == 0
    assert nodes[0] > 5000
    assert nodes[1] > 5000
    assert helped == [0, 1]


def test_without_helpers_one_thread_searches(folder: Path, tmp_path: Path) -> None:
    nodes, alone, helped = in_pyodide(folder, tmp_path, "with_helpers()")
    assert (len(nodes), alone, helped) == (1, 0, [])


def test_the_exact_solver(folder: Path, tmp_path: Path) -> None:
    assert in_pyodide(folder, tmp_path, "exact()") == engine_results.exact()


def test_searches_end_in_time(folder: Path, tmp_path: Path) -> None:
    """Half a second, and what it takes to begin."""
    for name, seconds in in_pyodide(folder, tmp_path, "seconds_of(0.5)").items():
        assert 0.45 < seconds < 1.5, name


def test_another_worker_ends_a_search(folder: Path, tmp_path: Path) -> None:
    """The flag goes up after three seconds, some of which pass before, and the searches have a minute."""
    main = "(tengen_kernels.raise_later(3000), seconds_of(60, stop))[1]"
    engine, exact = in_pyodide(folder, tmp_path, main).values()
    assert 0.1 < engine < 10
    assert exact < 1  # it is up already
