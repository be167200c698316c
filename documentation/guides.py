"""The guides: the pages of docs/, with links that lead to pages of the site, and boards drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from posixpath import normpath

from documentation.languages import ENGLISH, LANGUAGES, SiteLanguage

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

_SWITCH = re.compile(r"^\[(?:简体中文|English)\]\([\w.-]+\.md\)\n\n", re.MULTILINE)
"""The line that leads to the other language, for which the site has a menu."""

_CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\((?!https?://|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")

_JOINED = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\n(?=[\u3000-\u9fff\uff00-\uffef])")
"""The end of a line within a Chinese sentence, where browsers would show a space."""

Board = Callable[[str], str]
"""Draws a board from the words of its comment, and returns what stands for it in the page."""

_BOARD = re.compile(r"^<!-- board: (.*?) -->$", re.MULTILINE)


def guides(language: SiteLanguage, draw: Board) -> Iterator[tuple[str, str]]:
    """Yield the names of the guides in a language, and their texts as the site has them.

    The page to begin with is the README, and the changes are in English only.
    """
    yield "index", _page(ROOT / f"README{language.suffix}.md", language, draw)
    for file in sorted(DOCS.glob("*.md")):
        own = next((each for each in LANGUAGES if each.suffix and file.stem.endswith(each.suffix)), ENGLISH)
        if own is language:
            yield file.stem.removesuffix(language.suffix), _page(file, language, draw)
    changes = _page(ROOT / "CHANGELOG.md", language, draw)
    # Its links name places of pages by English headings.
    yield "changes", re.sub(r"(?<=\.md)#[\w-]+\)", ")", changes) if language.suffix else changes


def _page(file: Path, language: SiteLanguage, draw: Board) -> str:
    parts = _CODE.split(_SWITCH.sub("", file.read_text("utf-8"), count=1))
    folder = file.parent.relative_to(ROOT).as_posix()
    parts[::2] = [_JOINED.sub("", _linked(part, folder, language)) for part in parts[::2]]
    parts[::2] = [_BOARD.sub(lambda found: draw(found[1]), part) for part in parts[::2]]
    return "".join(parts)


def _linked(text: str, folder: str, language: SiteLanguage) -> str:
    """Return text of a file in a folder with its links to pages of docs/ as links to pages of the site."""

    def lead(found: re.Match[str]) -> str:
        picture, name, path, anchor = found.groups()
        target = normpath(f"{folder}/{path}")
        if language.suffix:
            target = target.replace(f"{language.suffix}.md", ".md")
        own = {"README.md": "index.md", "CHANGELOG.md": "changes.md"}.get(target)
        if own is None and target.startswith("docs/"):
            own = target.removeprefix("docs/")
        if own is not None:
            return f"{picture}[{name}]({own}{anchor or ''})"
        address = repository()
        return f"[{name}]({address}/blob/HEAD/{target}{anchor or ''})" if address else str(name)

    return _LINK.sub(lead, text)


def repository() -> str | None:
    """Return the address of the repository that the installed package names; None for none."""
    for entry in metadata.metadata("tengen").get_all("Project-URL") or ():
        name, _, address = entry.partition(", ")
        if name == "Repository":
            return str(address)
    return None
