"""The guides: every page of docs/ in its language, with links that lead within the site."""

from __future__ import annotations

import re

import pytest
from documentation.guides import DOCS, guides
from documentation.languages import CHINESE, LANGUAGES, SECTIONS

pytestmark = pytest.mark.long


def told(words: str) -> str:
    return f"[board of {words}]"


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_every_page_is_a_guide_in_its_language(language):
    pages = dict(guides(language, told))
    files = [file.name for file in DOCS.glob("*.md") if (".zh-CN" in file.name) == (language is CHINESE)]
    assert set(pages) == {name.removesuffix(f"{language.suffix}.md") for name in files} | {
        "index",
        "changes",
    }
    for name, text in pages.items():
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        assert "<!-- board" not in prose, name
        for target in re.findall(r"\]\((?!https?://|#|mailto:)([^)#\s]+)", prose):
            own = target.removesuffix(".md")
            assert own in pages or (DOCS / target).is_file(), f"{name}: {target}"


def test_the_navigation_names_pages_that_there_are():
    there = {name for name, _ in guides(LANGUAGES[0], told)}
    assert {name for _, names in SECTIONS.values() for name in names} <= there
