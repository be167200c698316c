"""The modules of the pages that need no page, tested in Node."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
NODE = shutil.which("node")


@pytest.mark.long
@pytest.mark.skipif(NODE is None, reason="Node is not installed")
@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.test.mjs")))
def test_module(name: str):
    command = [str(NODE), "--import", "./hooks.mjs", "--test", "--test-reporter=spec", name]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tests 0" not in done.stdout
