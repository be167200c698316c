"""The libraries that pages are served with are the ones that are named."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tengen.web.pages import STATIC

ROOT = Path(__file__).parents[2]
VENDOR = STATIC / "vendor"
VERSIONS = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]

LIBRARIES = {
    "gifenc": ("gifenc.js", "LICENSE.md"),
    "lit-html": ("lit.js", "LICENSE"),
    "xz-decompress": ("xz-decompress.js", None),
}
"""The name of each one's module, and that of its licence in the package; None where it has none."""


def test_every_library_is_checked():
    assert sorted(path.name for path in VENDOR.iterdir()) == list(LIBRARIES)


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_version_is_named_where_one_looks(library):
    here = VENDOR / library
    assert (here / "README.md").read_text("utf-8").startswith(f"# {library} {VERSIONS[library]}\n")
    licence = (here / "LICENSE").read_text("utf-8")
    assert "BSD 3-Clause" in licence or "MIT License" in licence


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_module_is_made_of_the_package(library):
    here, (module, licence) = VENDOR / library, LIBRARIES[library]
    package, esbuild = ROOT / "node_modules" / library, ROOT / "node_modules" / ".bin" / "esbuild"
    if not (package.exists() and esbuild.exists()):
        pytest.skip(f"{library} or esbuild is not installed: make lint-js does it")
    assert json.loads((package / "package.json").read_text("utf-8"))["version"] == VERSIONS[library]
    if licence is not None:
        assert (here / "LICENSE").read_bytes() == (package / licence).read_bytes()
    options = ["--bundle", "--format=esm", "--minify", "--legal-comments=inline"]
    command = [str(esbuild), str(here / "entry.js"), *options]
    done = subprocess.run(command, capture_output=True, timeout=60, check=True)
    assert (here / module).read_bytes() == done.stdout
