"""The library that pages are served with is the one that is named."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tengen.web.pages import STATIC

ROOT = Path(__file__).parents[2]
HERE = STATIC / "vendor" / "lit-html"
VERSION = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]["lit-html"]


def test_the_version_is_named_where_one_looks():
    assert (HERE / "README.md").read_text("utf-8").startswith(f"# lit-html {VERSION}\n")
    assert "BSD" in (HERE / "LICENSE").read_text("utf-8")


def test_the_module_is_made_of_the_package():
    package, esbuild = ROOT / "node_modules" / "lit-html", ROOT / "node_modules" / ".bin" / "esbuild"
    if not (package.exists() and esbuild.exists()):
        pytest.skip("lit-html or esbuild is not installed: make lint-js does it")
    assert json.loads((package / "package.json").read_text("utf-8"))["version"] == VERSION
    assert (HERE / "LICENSE").read_bytes() == (package / "LICENSE").read_bytes()
    options = ["--bundle", "--format=esm", "--minify", "--legal-comments=inline"]
    command = [str(esbuild), str(HERE / "entry.js"), *options]
    done = subprocess.run(command, capture_output=True, timeout=60, check=True)
    assert (HERE / "lit.js").read_bytes() == done.stdout
