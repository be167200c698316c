"""The pages and their files: one HTML document, modules, style sheets and texts.

Their caching by browsers is described in `tengen.web.transport.contents`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from tengen import assets
from tengen.web.transport.contents import (
    TYPES,
    Content,
    answer,
    asked_version,
    content,
    load,
    version_of,
    with_version,
)
from tengen.web.transport.http_errors import http_error
from tengen.web.transport.visitors import renew_visitor
from tengen.words import LANGUAGES, catalogue

STATIC = Path(__file__).parent / "static"
ASSETS = Path(str(files("tengen.assets")))

PAGES = (
    *("/", "/g/{game}", "/watch", "/analyse", "/learn", "/learn/{name}", "/games", "/lobby", "/privacy"),
    *("/puzzles", "/puzzles/{name}"),
    *("/tournaments", "/tournaments/new", "/tournaments/{tournament}"),
)
"""The paths that serve the one document; its script shows the page of the path."""

_ROBOTS = "\n".join(("User-agent: *", "Disallow: /g/", "Disallow: /tournaments/", "Disallow: /api/", ""))

_TERMINAL = frozenset(
    {
        *("arena", "cli", "compiling", "gomocup", "ladder", "match", "menu", "metrics", "openings"),
        *("plain", "puzzles", "query", "report", "solve", "tournament", "train", "tune"),
    }
)
"""The first parts of keys, after an optional ``error.``, of texts that only the terminal and ``/metrics``
show."""

router = APIRouter(include_in_schema=False)


# -- files


def _file(root: Path, name: str) -> Content:
    """Return a file below a folder.

    Raises:
        HTTPException: there is no such file (404).
    """
    if "\0" in name or "\\" in name:
        raise HTTPException(404)
    path = (root / name).resolve()
    if not path.is_relative_to(root.resolve()) or path.suffix not in TYPES:
        raise HTTPException(404)
    try:
        return load(path)
    except OSError as error:
        raise HTTPException(404) from error


def _version() -> str:
    """Return the version of all files and texts of the pages."""
    return version_of((STATIC, ASSETS), map(_words, LANGUAGES))


def _versioned(request: Request, asked: str, one: Content) -> Response:
    """Return the response for content that was requested by a version, or without a version."""
    return answer(request, with_version(one, asked), forever=asked == _version())


async def _page(request: Request) -> Response:
    if request.url.path == "/lobby" and "lobby" in request.app.state.settings.off:
        raise HTTPException(404)
    renew_visitor(request)
    return answer(request, _document(request))


def _document(request: Request) -> Content:
    """Return the one document; it lists the parts that are switched off, so that its script hides them."""
    document, off = with_version(_file(STATIC, "index.html"), _version()), request.app.state.settings.off
    return _without(document.plain, off) if off else document


@lru_cache(maxsize=4)
def _without(document: bytes, off: tuple[str, ...]) -> Content:
    begin, html, rest = document.partition(b"<html")
    return content(begin + html + f' data-off="{" ".join(off)}"'.encode() + rest, ".html")


for _path in PAGES:
    router.add_api_route(_path, _page, methods=["GET", "HEAD"], name="page")


async def missing(request: Request, error: Exception) -> Response:
    """Answer a request for an unknown address: a browser gets the document, a program JSON."""
    page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
    if page and request.method == "GET":
        return answer(request, _document(request), 404)
    return http_error(request, error)


@router.api_route("/static/{name:path}", methods=["GET", "HEAD"])
async def static_file(request: Request, name: str) -> Response:
    """Return a module, style sheet or picture of the pages."""
    version, name = asked_version(name)
    return _versioned(request, version, _file(STATIC, name))


@router.api_route("/assets/{name:path}", methods=["GET", "HEAD"])
async def asset(request: Request, name: str) -> Response:
    """Return a module or style sheet of the board."""
    version, name = asked_version(name)
    if name not in assets.names():
        raise HTTPException(404)
    return _versioned(request, version, _file(ASSETS, name))


@router.api_route("/favicon.ico", methods=["GET", "HEAD"])
async def favicon(request: Request) -> Response:
    """Return the icon to browsers that request it by its usual name."""
    return answer(request, _file(STATIC, "icon.svg"))


@router.get("/robots.txt")
async def robots() -> Response:
    """Return ``robots.txt``, which keeps crawlers out of rooms, tournaments and the API."""
    return Response(_ROBOTS, media_type="text/plain")


# -- texts


@router.api_route("/words/{name:path}", methods=["GET", "HEAD"])
async def words(request: Request, name: str) -> Response:
    """Return all texts of the pages in one language."""
    version, name = asked_version(name)
    lang = name.removesuffix(".json")
    if lang == name or lang not in LANGUAGES:
        raise HTTPException(404)
    return _versioned(request, version, _words(lang))


@lru_cache(maxsize=len(LANGUAGES))
def _words(lang: str) -> Content:
    texts = dict(said_in_pages(catalogue(lang).items()))
    return content(json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode(), ".json")


def said_in_pages(texts: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """Yield the texts of the catalogue that pages show; those that only the terminal shows are left out."""
    modules = [path.read_text("utf-8") for root in (STATIC, ASSETS) for path in sorted(root.rglob("*.js"))]
    named = "\n".join(modules)
    for key, text in texts:
        prefix = key.removeprefix("error.").partition(".")[0]
        if prefix not in _TERMINAL or f'"{key}"' in named:
            yield key, text
