"""The languages of the site, and the words of its navigation."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SiteLanguage:
    """A language of the site.

    Attributes:
        code: its code.
        name: its name, in itself.
        suffix: the end of the names of its pages in docs/, before ``.md``.
        folder: the folder of its pages in the site; empty for the site's own.
        home: the way from there to the site's own folder.
    """

    code: str
    name: str
    suffix: str
    folder: str
    home: str


ENGLISH = SiteLanguage("en", "English", "", "", "")
CHINESE = SiteLanguage("zh", "简体中文", ".zh-CN", "zh", "../")
LANGUAGES = (ENGLISH, CHINESE)

SECTIONS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "play": (
        {"en": "Playing", "zh": "对局"},
        ("web", "command-line", "openings", "puzzles", "review", "pictures", "site", "microbit", "origins"),
    ),
    "build": (
        {"en": "Building", "zh": "开发"},
        ("library", "my-player", "engine", "queries", "engines", "environments", "hosting"),
    ),
    "ideas": (
        {"en": "Ideas", "zh": "思想"},
        ("players", "search", "evaluation", "strength", "proofs", "solved"),
    ),
    "measure": (
        {"en": "Measuring and learning", "zh": "衡量与学习"},
        ("arena", "tuning", "training", "self-play", "cluster"),
    ),
}
"""The sections of the navigation, with their pages in docs/."""

OTHERS = "build"
"""The section for pages that none of them names."""

_WORDS: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "words.json").read_text("utf-8"))
"""The words of what is not written in docs/, in each language."""


def word(key: str, language: SiteLanguage) -> str:
    """Return a word of the navigation, or a sentence."""
    return _WORDS[key][language.code]
