"""The engine of pages, on real kernels, in Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web.engine_in_pages import folder_of, native_searches

pytest.importorskip("wasmtime")

HERE = Path(__file__).parent
NODE = shutil.which("node")


@pytest.mark.long
@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_every_depth_is_that_of_native_kernels(pytestconfig, monkeypatch, tmp_path):
    folder = folder_of(pytestconfig)
    (tmp_path / "searches.json").write_text(json.dumps(native_searches(monkeypatch)), encoding="utf-8")
    done = subprocess.run(
        [str(NODE), "--import", "../hooks.mjs", "--test", "--test-reporter=spec", "engine.test.mjs"],
        cwd=HERE,
        env={**os.environ, "KERNELS": str(folder), "SEARCHES": str(tmp_path / "searches.json")},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tests 0" not in done.stdout
