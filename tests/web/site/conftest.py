"""A site, written once, and what it takes instead of what a test can't wait for."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

from tengen import user_folders
from tengen.web.site import python_files, writer

CODECS = "gb18030", "mac_farsi", "utf_8"
"""Codecs that Python has; that of Farsi is not for files of games."""


@pytest.fixture(scope="session")
def pyodide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like that of Pyodide's npm package, with pydantic-core's wheel beside it."""
    folder = tmp_path_factory.mktemp("pyodide")
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json"):
        (folder / name).write_text(name)
    (folder / "package.json").write_text(json.dumps({"version": python_files.PYODIDE}))
    with ZipFile(folder / "python_stdlib.zip", "w") as library:
        library.writestr("abc.py", '"""Base classes."""\n\n# Of all.\nONE = 1\n')
        for name in ("asyncio/windows_events", *(f"encodings/{one}" for one in CODECS)):
            library.writestr(f"{name}.py", "ONE = 1\n")
        library.writestr("pdb.py", "pass\n")
    name = f"pydantic_core-{version('pydantic-core')}-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
    with ZipFile(folder / name, "w") as wheel:
        wheel.writestr("pydantic_core/__init__.py", "")
        wheel.writestr(python_files.COMPILED_FILE, b"compiled")
    return folder


@pytest.fixture(scope="session")
def site(pyodide: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site without kernels, which take long to compile, and with compressed copies that are not small."""
    pytest.importorskip("brotli", reason="the extra site is not installed")
    out = tmp_path_factory.mktemp("sites") / "site"
    with pytest.MonkeyPatch.context() as patch:
        quick(patch, tmp_path_factory.mktemp("cache"))
        writer.write_site(out, pyodide, lambda _: None)
    return out


def quick(patch: pytest.MonkeyPatch, cache: Path) -> None:
    """Let sites be written without what takes long."""
    patch.setattr(user_folders, "cache_folder", lambda: cache)
    patch.setattr(writer, "cache_folder", lambda: cache)
    patch.setattr(python_files, "cache_folder", lambda: cache)
    patch.setattr(writer, "engine_files", lambda: iter([("kernels.json", b"{}")]))
    patch.setattr(writer, "QUALITY", 1)
