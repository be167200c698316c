"""The scripts on a real MicroPython: what is seen there is what is seen on CPython."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.microbit.fake import SCRIPTS
from tests.microbit.on_micropython import report

ROOT = Path(__file__).parents[2]
PORT = ROOT / "node_modules/@micropython/micropython-webassembly-pyscript"
FILES = [
    *(f"microbit/{name}.py" for name in SCRIPTS),
    "tests/__init__.py",
    *(f"tests/microbit/{name}.py" for name in ("__init__", "fake", "scenes", "on_micropython")),
]


@pytest.mark.skipif(not shutil.which("node") or not PORT.exists(), reason="MicroPython: see `make lint-js`")
@pytest.mark.long
def test_everything_is_the_same_on_micropython():
    run = [
        "node",
        str(ROOT / "tests/microbit/real.mjs"),
        str(ROOT),
        "tests.microbit.on_micropython",
        *FILES,
    ]
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr + done.stdout
    there = json.loads(done.stdout)
    here = json.loads(json.dumps(report()))
    assert there.keys() == here.keys()
    for name in here:
        assert there[name] == here[name], name
    assert here["worked"][-1] == "'B Win'"
    as_a, as_b = (dict(ends) for ends, _ in here["every game"])
    assert as_a["A Win"] > as_a["B Win"] == 0
    assert as_b["B Win"] > as_b["A Win"] == 0
