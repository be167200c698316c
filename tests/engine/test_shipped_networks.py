"""Each network that comes with Tengen has its report beside it: that of this very file."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tengen.engine.network import digest, file_of, load
from tengen.engine.weights import FAMILIES, FOLDER

SHIPPED = [name for name in FAMILIES if file_of(name).exists()]


def test_there_are_some_and_no_reports_of_others():
    assert {"freestyle", "standard", "renju", "caro"} <= set(SHIPPED)
    assert {path.name for path in FOLDER.glob("*-network.md")} == {f"{name}-network.md" for name in SHIPPED}


@pytest.mark.parametrize("name", SHIPPED)
def test_its_report_names_its_digests_and_its_licence(name):
    report = (FOLDER / f"{name}-network.md").read_text("utf-8")
    network = load(name)
    assert network is not None
    assert digest(network) in report
    assert hashlib.sha256(file_of(name).read_bytes()).hexdigest() in report
    assert "MIT" in report
    assert "](" not in report, "pictures are not shipped"


def test_the_folder_says_what_is_in_it():
    page = (FOLDER / "README.md").read_text("utf-8")
    assert "MIT" in page
    assert str(Path.home()) not in page
