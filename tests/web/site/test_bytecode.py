"""Modules compiled for the page's Python, by the real one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tengen.web.site.bytecode import Compiled, bytecode

PYODIDE = Path(__file__).parents[3] / "node_modules" / "pyodide"
MIGRATION = "tengen/web/database/migrations/env.py"


@pytest.mark.long
@pytest.mark.skipif(not (PYODIDE.is_dir() and shutil.which("node")), reason="no Node, or no Pyodide for it")
def test_modules_are_compiled_but_for_migrations_which_alembic_reads():
    files = {"one.py": b"ONE = 1", MIGRATION: b"TWO = 2", "text.json": b"{}"}
    made = bytecode(files, PYODIDE)
    assert set(made.files) == {"one.pyc", MIGRATION, "text.json"}
    assert made.files[MIGRATION] == files[MIGRATION]
    assert {"os", "encodings", "asyncio", "pyodide"} <= made.started
    assert not {"one", "csv", "email"} & made.started


def test_without_node_all_stays(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert bytecode({"one.py": b"ONE = 1"}, PYODIDE) == Compiled({"one.py": b"ONE = 1"})
