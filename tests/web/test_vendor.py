"""The library that pages are served with is the one that is named, as it comes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen.web.pages import STATIC

ROOT = Path(__file__).parents[2]
HERE = STATIC / "vendor" / "lit-html"
VERSION = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]["lit-html"]


def test_the_version_is_named_where_one_looks():
    assert (HERE / "README.md").read_text("utf-8").startswith(f"# lit-html {VERSION}\n")
    assert "BSD" in (HERE / "LICENSE").read_text("utf-8")


def test_the_files_are_those_of_the_package():
    package = ROOT / "node_modules" / "lit-html"
    if not package.exists():
        pytest.skip("lit-html is not installed: make lint-js does it")
    assert json.loads((package / "package.json").read_text("utf-8"))["version"] == VERSION
    files = [path for path in HERE.rglob("*") if path.is_file() and path.name != "README.md"]
    assert len(files) > 1
    for path in files:
        assert path.read_bytes() == (package / path.relative_to(HERE)).read_bytes(), path.name
