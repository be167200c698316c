"""Each page of documentation says the same in both languages, as far as a test can see that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TWINS = sorted([*ROOT.glob("*.zh-CN.md"), *(ROOT / "docs").glob("*.zh-CN.md")])
ENGLISH_ONLY = {"CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}
"""Pages for developers and for who reports a fault, in English alone."""

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LANGUAGES = re.compile(r"\.zh-CN(?=\.md)|#[^)\s]*")


def english_of(page: Path) -> Path:
    return page.with_name(page.name.replace(".zh-CN", ""))


def headings(text: str) -> list[int]:
    """How deep each heading is, in their order."""
    return [len(marks) for marks in re.findall(r"^(#+) ", BLOCK.sub("", text), re.MULTILINE)]


def tables(text: str) -> list[tuple[int, int]]:
    """The rows of each table, and the columns of its first one."""
    found = []
    for table in re.findall(r"(?:^\|.*\n?)+", BLOCK.sub("", text), re.MULTILINE):
        rows = table.splitlines()
        found.append((len(rows), len(re.findall(r"(?<!\\)\|", rows[0]))))
    return found


def code(text: str) -> list[str]:
    """What is typed in each block of code, without comments and what is answered."""
    found = []
    for kind, block in BLOCK.findall(text.replace(', lang="zh"', "")):
        lines = [re.sub(r"\s+#.*|^#.*", "", line).rstrip() for line in block.splitlines()]
        if kind == "text" or "\n>>> " in f"\n{block}" or "\n$ " in f"\n{block}":
            lines = [line for line in lines if line.startswith(("$ ", ">>> ", "... "))]
        found.append("\n".join([kind, *(line for line in lines if line)]))
    return found


def targets(text: str) -> list[str]:
    """Where links and pictures lead, whatever the language of the page there."""
    return sorted(LANGUAGES.sub("", target) for target in re.findall(r"\]\(([^)]+)\)", text))


def test_every_page_has_a_twin():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    english = {page.name for page in pages if ".zh-CN" not in page.name}
    assert {english_of(page).name for page in TWINS} == english - ENGLISH_ONLY


@pytest.mark.parametrize("page", TWINS, ids=lambda page: page.name)
@pytest.mark.parametrize("part", [headings, tables, code], ids=lambda part: part.__name__)
def test_twins_have_the_same(page, part):
    assert part(page.read_text("utf-8")) == part(english_of(page).read_text("utf-8"))


@pytest.mark.parametrize("page", TWINS, ids=lambda page: page.name)
def test_twins_lead_to_the_same_places(page):
    chinese, english = (targets(one.read_text("utf-8")) for one in (page, english_of(page)))
    own = english_of(page).name
    assert set(chinese) == set(english)
    assert own in english, "each leads to the other"
