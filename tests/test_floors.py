"""The floors of the house: the contract of import-linter is kept, and nothing imports in a circle.

That import-linter finds an import from above is its own business; that the contract is complete is ours.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

PROJECT = Path(__file__).parents[1]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def test_every_folder_imports_only_from_the_floors_below():
    command = [sys.executable, "-c", LINT, "--no-cache"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_a_new_room_needs_a_floor():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    floors = project["tool"]["importlinter"]["contracts"][0]
    assert (floors["type"], floors["containers"], floors["exhaustive"]) == ("layers", ["tengen"], True)


def test_nothing_imports_in_a_circle():
    graph = grimp.build_graph("tengen", cache_dir=None)
    below = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    # A circle raises CycleError, which names it.
    assert set(TopologicalSorter(below).static_order()) == graph.modules
