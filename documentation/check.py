"""The check of a site that has been built: links lead somewhere, and nothing comes from another host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {"script": ("src",), "img": ("src",), "link": ("href",), "iframe": ("src",), "source": ("src",)}
"""The attributes that make a browser load something."""

_NOT_LOADED = {"canonical", "alternate", "next", "prev"}
"""Relations of links that a browser does not load."""

_OF_THE_THEME = {"__skip", "__search"}
"""Places that the theme's script makes."""

_REMOTE = re.compile(r"""(?:url\(|@import\s+)["']?(?:https?:)?//""")


class Links(HTMLParser):
    """The links of a page, what it loads, and the places in it that links may lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element leads to, loads and is called."""
        values = {name: value for name, value in attrs if value is not None}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        relations = set(values.get("rel", "").split())
        if not (tag == "link" and relations & _NOT_LOADED):
            self.loaded += [values[name] for name in _LOADED.get(tag, ()) if name in values]


def faults(site: Path, excluded: str = "try") -> Iterator[str]:
    """Yield what is wrong with a site, a line each.

    Args:
        site: the folder.
        excluded: a folder in it with pages that are checked elsewhere.
    """
    for file in sorted((*site.rglob("*.html"), *site.rglob("*.css"))):
        name = file.relative_to(site).as_posix()
        # The page for addresses that there are not lies anywhere, and its links are absolute.
        if name.startswith(f"{excluded}/") or file.name == "404.html":
            continue
        if file.suffix == ".html":
            yield from (f"{name}: {fault}" for fault in _faults(file))
        elif _REMOTE.search(file.read_text("utf-8")):
            yield f"{name}: loads from another host"


def _faults(file: Path) -> Iterator[str]:
    """Yield what is wrong with a page."""
    page = _read(file)
    for target in (*page.links, *page.loaded):
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            if target in page.loaded and parts.scheme != "data":
                yield f"loads {target}"
            continue
        other = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if other.is_dir():
            other /= "index.html"
        fragment = unquote(parts.fragment)
        if not other.exists():
            yield f"nothing at {target}"
        elif fragment and other.suffix == ".html" and fragment not in _read(other).anchors | _OF_THE_THEME:
            yield f"no place {target}"


@cache
def _read(file: Path) -> Links:
    page = Links()
    page.feed(file.read_text("utf-8"))
    return page
