from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tengen
from tengen.executors.fingerprint import fingerprint

PACKAGE = Path(tengen.__file__).parent
ASK = "from tengen.executors.fingerprint import fingerprint; print(fingerprint())"


@pytest.fixture
def copy(tmp_path):
    """A copy of the package, free to be changed."""
    shutil.copytree(PACKAGE, tmp_path / "tengen", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "tengen"


def of(package: Path) -> str:
    """The fingerprint of the package at a place."""
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env=os.environ | {"PYTHONPATH": str(package.parent)},
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_it_names_the_version():
    assert re.fullmatch(r"(\S+) \([0-9a-f]{8}\)", fingerprint())
    assert fingerprint().startswith(f"{tengen.__version__} (")


def test_the_same_source_has_the_same_fingerprint_wherever_it_lies(copy):
    assert of(copy) == fingerprint()
    rules = copy / "game" / "rules.py"
    rules.write_bytes(rules.read_bytes().replace(b"\n", b"\r\n"))
    (copy / "notes.md").write_text("not part of it")
    assert of(copy) == fingerprint()


@pytest.mark.parametrize(
    "name",
    [
        "game/rules.py",
        "words/zh/web.json",
        "engine/evaluation/data/caro-network.npz",
        "arena/sets/caro-15.txt",
    ],
)
def test_a_changed_file_shows(copy, name):
    with (copy / name).open("a") as file:
        file.write("\n")
    assert of(copy) != fingerprint()


def test_a_file_that_is_there_or_not_shows(copy):
    (copy / "players" / "another.py").touch()
    assert of(copy) != fingerprint()
