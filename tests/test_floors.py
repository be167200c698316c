"""The floors of the house: a folder imports only from the floors below it, and nothing in a circle."""

from __future__ import annotations

import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

import tengen

PACKAGE = Path(tengen.__file__).parent
PROJECT = Path(__file__).parents[1]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


@pytest.fixture
def house(tmp_path):
    """A copy of the package and its contract, free to be spoiled."""
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    shutil.copytree(PACKAGE, tmp_path / "tengen", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def lint(folder):
    """Check the contract in `folder`, whose copy of the package comes before the installed one."""
    return subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )


def test_every_folder_imports_only_from_the_floors_below(house):
    done = lint(house)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("words/__init__.py", "import tengen.game.board"),
        ("game/points.py", "from tengen.players import random"),
        ("game/board.py", "import tengen.terminal"),
        ("players/random.py", "import tengen.cli"),
        (
            "game/rules.py",
            "def later():\n    from tengen.players.registry import player\n    return player",
        ),
        ("engine/__init__.py", "import tengen.solver"),
        ("formats/__init__.py", "import tengen.gomocup"),
        ("gomocup/__init__.py", "import tengen.players"),
        ("training/__init__.py", "import tengen.arena"),
    ],
)
def test_an_import_from_above_or_beside_is_found(house, module, line):
    path = house / "tengen" / module
    path.write_text(path.read_text("utf-8") + f"\n{line}\n", "utf-8")
    done = lint(house)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "A floor imports only from the floors below it BROKEN" in done.stdout


@pytest.mark.parametrize("name", ["attic.py", "attic/__init__.py"])
def test_a_new_room_needs_a_floor(house, name):
    path = house / "tengen" / name
    path.parent.mkdir(exist_ok=True)
    path.touch()
    done = lint(house)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "attic" in done.stdout


def test_nothing_imports_in_a_circle():
    graph = grimp.build_graph("tengen", cache_dir=None)
    below = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    # A circle raises CycleError, which names it.
    assert set(TopologicalSorter(below).static_order()) == graph.modules
