"""Each network that comes with Tengen has its report beside it: that of this very file."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tengen.engine.evaluation import network, policy
from tengen.engine.evaluation.learned_file import FOLDER
from tengen.engine.evaluation.weights import FAMILIES

KINDS = {"network": network, "policy": policy}
SHIPPED = [
    (kind, name) for kind, module in KINDS.items() for name in FAMILIES if module.file_of(name).exists()
]


def test_there_are_some_and_no_reports_of_others():
    assert {("network", name) for name in FAMILIES} <= set(SHIPPED)
    assert {("policy", "freestyle"), ("policy", "caro")} <= set(SHIPPED)
    assert {path.name for path in FOLDER.glob("*-*.md")} == {f"{name}-{kind}.md" for kind, name in SHIPPED}


@pytest.mark.parametrize(("kind", "name"), SHIPPED)
def test_its_report_names_its_digests_and_its_licence(kind, name):
    report = (FOLDER / f"{name}-{kind}.md").read_text("utf-8")
    found = KINDS[kind].load(name)
    assert found is not None
    assert KINDS[kind].digest(found) in report
    assert hashlib.sha256(KINDS[kind].file_of(name).read_bytes()).hexdigest() in report
    assert "MIT" in report
    assert "](" not in report, "pictures are not shipped"


def test_the_folder_says_what_is_in_it():
    page = (FOLDER / "README.md").read_text("utf-8")
    assert "MIT" in page
    assert str(Path.home()) not in page
