"""The pages and their files: one HTML document, modules, style sheets and texts.

Their caching by browsers is described in `tengen.web.transport.contents`.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache, lru_cache
from html import escape
from importlib.resources import files
from itertools import product, starmap
from pathlib import Path

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from tengen import assets
from tengen.web.transport.contents import (
    TYPES,
    Content,
    answer,
    content,
    load,
    split_version,
    version_of,
    with_version,
)
from tengen.web.transport.http_errors import http_error
from tengen.web.transport.services import service_of
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.visitors import renew_visitor
from tengen.words import LANGUAGES, texts_of
from tengen.words.languages import TABLE

STATIC = Path(__file__).parent / "static"
ASSETS = Path(str(files("tengen.assets")))

PAGES = (
    *("/", "/g/{game}", "/watch", "/analyse", "/learn", "/learn/{name}", "/games", "/lobby", "/privacy"),
    *("/puzzles", "/puzzles/{name}"),
    *("/tournaments", "/tournaments/new", "/tournaments/{tournament}"),
)
"""The paths that serve the one document; its script shows the page of the path."""

_ROBOTS = "User-agent: *\nDisallow: /g/\nDisallow: /tournaments/\nDisallow: /api/\n"

WORDS = {
    "app": ("shared", "web"),
    "play": ("play", "lobby", "why"),
    "analyse": ("analyse", "lobby", "play", "study", "why"),
    "games": ("games", "study"),
    "learn": ("learn", "why"),
    "lobby": ("lobby", "play"),
    "privacy": ("privacy",),
    "puzzles": ("puzzles",),
    "site": ("site",),
    "tournaments": ("tournaments", "play"),
}
"""The files of the catalogue that each folder of pages needs; every page has those of ``app``, too."""

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
    return version_of((STATIC, ASSETS), starmap(words_of, product(LANGUAGES, WORDS)))


def _versioned(request: Request, version: str, source: Content) -> Response:
    """Return the response for content that was requested by a version, or without a version."""
    return answer(request, with_version(source, version), forever=version == _version())


async def _page(request: Request) -> Response:
    if request.url.path == "/lobby" and "lobby" in service_of(request, ServerSettings).off:
        raise HTTPException(404)
    renew_visitor(request)
    return answer(request, _document(request))


def _document(request: Request) -> Content:
    """Return the document of all pages, in its current version."""
    document = with_version(_file(STATIC, "index.html"), _version())
    return _with_attributes(document.plain, service_of(request, ServerSettings).off)


@lru_cache(maxsize=4)
def _with_attributes(document: bytes, off: tuple[str, ...]) -> Content:
    return content(with_attributes(document, off), ".html")


def with_attributes(document: bytes, off: tuple[str, ...], opponent: str = "level:3") -> bytes:
    """Return a document with what its script has to know.

    Args:
        document: the document.
        off: the parts that are switched off and therefore hidden.
        opponent: the computer that newcomers play.
    """
    begin, html, rest = document.partition(b"<html")
    languages = json.dumps([asdict(language) for language in TABLE], ensure_ascii=False)
    known = {"off": " ".join(off), "opponent": opponent, "languages": languages}
    attributes = "".join(f' data-{name}="{escape(value)}"' for name, value in known.items())
    return begin + html + attributes.encode() + rest


for _path in PAGES:
    router.add_api_route(_path, _page, methods=["GET", "HEAD"], name="page")


async def missing(request: Request, error: Exception) -> Response:
    """Answer a request for an unknown address: a browser gets the document, a program JSON."""
    page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
    if page and request.method == "GET":
        return answer(request, _document(request), 404)
    return await http_error(request, error)


@router.api_route("/static/{name:path}", methods=["GET", "HEAD"])
async def static_file(request: Request, name: str) -> Response:
    """Return a module, style sheet or picture of the pages."""
    version, name = split_version(name)
    return _versioned(request, version, _file(STATIC, name))


@router.api_route("/assets/{name:path}", methods=["GET", "HEAD"])
async def asset(request: Request, name: str) -> Response:
    """Return a module or style sheet of the board."""
    version, name = split_version(name)
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
    """Return the texts of a folder of pages, such as ``en/play.json``, or of all pages: ``en.json``."""
    version, name = split_version(name)
    lang, slash, page = name.removesuffix(".json").partition("/")
    if not name.endswith(".json") or lang not in LANGUAGES or (page not in WORDS if slash else page):
        raise HTTPException(404)
    return _versioned(request, version, words_of(lang, *([page] if slash else WORDS)))


@cache
def words_of(lang: str, *pages: str) -> Content:
    """Return the texts of some folders of pages, as JSON."""
    texts: dict[str, str] = {}
    for file in sorted({file for page in pages for file in WORDS[page]}):
        texts |= texts_of(lang, file)
    return content(json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode(), ".json")
