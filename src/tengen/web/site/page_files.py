"""The documents of a site, and the modules, style sheets and texts that they load.

They are those of the server, but all addresses are relative: a site works below any path of a host. There
is one document for each page, for a host has no routes; a game or a puzzle is named in the query instead.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from tengen.web.pages import ASSETS, PAGES, STATIC, WORDS, with_attributes, words_of
from tengen.web.transport.contents import TYPES, content, with_relative_addresses
from tengen.web.transport.security.headers import DOCUMENT_POLICY
from tengen.words import LANGUAGES, texts_of

OFF = ("links", "lobby", "names", "phrases", "tournaments")
"""The parts of the app that need a server, and are therefore not shown."""

OPPONENT = "level:4"
"""The computer that newcomers play: the lowest level that plays before Python has been loaded."""

REPLACED = ("connection.js", "addresses.js")
"""The modules of ``static/shared`` for which ``static/browser`` has another one."""

_BROWSER = "static/browser/"
_ROOT_FILES = ("service_worker.js",)
_TEXTS = Path(__file__).parent / "texts"
_SCRIPT = re.compile(r"<script>(.*)</script>", re.DOTALL)
_SPEECHLESS = re.compile(r'<p\sid="speechless".*?</p>', re.DOTALL)
_CHARSET = re.compile(r"<meta\scharset=.*\n")
_CHAPTER = re.compile(r"web\.learn\.(\w+)\.title")


def page_files() -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of all documents, modules, style sheets, pictures and texts."""
    for folder in folders():
        yield f"{folder}index.html", _document(folder)
    yield "404.html", _lost()
    yield "manifest.webmanifest", _manifest()
    for root, first in ((STATIC, "static"), (ASSETS, "assets")):
        for path in sorted(root.rglob("*")):
            name = f"{first}/{path.relative_to(root).as_posix()}"
            if path.suffix in TYPES and path.is_file() and _is_served(name):
                yield _served_as(name), _readdressed(_served_as(name), path.read_bytes())
    for lang in LANGUAGES:
        for page in WORDS:
            yield f"words/{lang}/{page}.json", words_of(lang, page).plain


def folders() -> list[str]:
    """Return the folders of the documents, such as ``"learn/lines/"``; that of the start page is ``""``."""
    chapters = sorted(match[1] for key in texts_of("en", "learn") if (match := _CHAPTER.fullmatch(key)))
    found = []
    for path in PAGES:
        parts = path.removeprefix("/").split("/")
        if parts[0] in OFF:
            continue
        if path == "/learn/{name}":
            found += [f"learn/{name}/" for name in chapters]
        elif path == "/g/{game}":
            found.append("g/")
        elif "{" not in path:
            found.append(f"{parts[0]}/" if parts[0] else "")
    return sorted(found)


def _is_served(name: str) -> bool:
    if name in ("static/index.html", "static/manifest.webmanifest"):
        return False
    return name not in {f"static/shared/{module}" for module in REPLACED}


def _served_as(name: str) -> str:
    """Return the name in a site of a file of the server's."""
    module = name.removeprefix(_BROWSER)
    if module in _ROOT_FILES:
        return module
    return f"static/shared/{module}" if name.startswith(_BROWSER) and module in REPLACED else name


def _readdressed(name: str, data: bytes) -> bytes:
    depth = name.count("/")
    return with_relative_addresses(content(data, Path(name).suffix), "../" * depth or "./").plain


def _document(folder: str) -> bytes:
    """Return the document of a page."""
    text = (STATIC / "index.html").read_text("utf-8")
    head, sorry = _text("head.html").replace("POLICY", escape(DOCUMENT_POLICY)), _text("sorry.html").strip()
    text, added = _CHARSET.subn(lambda found: found[0] + head, text)
    text, replaced = _SPEECHLESS.subn(lambda _: sorry, text)
    assert added == replaced == 1
    root = "../" * folder.count("/") or "./"
    text = text.replace("/static/manifest.webmanifest", f"{root}manifest.webmanifest")
    return _readdressed(f"{folder}index.html", with_attributes(text.encode(), OFF, OPPONENT))


def _lost() -> bytes:
    """Return the document for unknown addresses, of any depth: it finds the start page itself."""
    text = _text("404.html")
    (script,) = _SCRIPT.findall(text)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    sources = {"default-src": "'none'", "connect-src": "'self'", "script-src": f"'sha256-{digest}'"}
    return text.replace("POLICY", "; ".join(map(" ".join, sources.items()))).encode()


def _text(name: str) -> str:
    return (_TEXTS / name).read_text("utf-8")


def _manifest() -> bytes:
    manifest = json.loads((STATIC / "manifest.webmanifest").read_bytes())
    for icon in manifest["icons"]:
        icon["src"] = icon["src"].removeprefix("/")
    del manifest["id"]  # that of the folder: its own start page
    manifest |= {"start_url": "./", "scope": "./"}
    return json.dumps(manifest, ensure_ascii=False, indent=2).encode()
