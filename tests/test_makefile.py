"""What `make play` says before each thing that takes long."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_play_says_what_it_does_before_it_takes_its_time(tmp_path: Path) -> None:
    asked = ["make", "-n", "play", f"VENV={tmp_path / 'new'}"]
    planned = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
    steps = (
        'echo "Making a Python environment',
        "-m venv ",
        'echo "Installing Tengen',
        "a minute on a fast line",
        "install --requirement",
        'echo "Compiling the engine',
        'echo "Installed. Starting the web app',
        "tengen serve",
    )
    places = [planned.index(step) for step in steps]
    assert places == sorted(places)
    # What pip downloads is all there is to see meanwhile.
    (downloads,) = (line for line in planned.splitlines() if "install --requirement" in line)
    assert "--quiet" not in downloads
