"""The pages and what they are made of: one document, modules, styles, sentences; and QR codes.

Files are compressed once and kept in memory. Browsers ask each time whether what they have is still right
(ETag), so that a new version of the program is a new version everywhere.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from tengen import assets
from tengen.web.server.http_errors import http_error
from tengen.web.server.visitors import renew_visitor
from tengen.words import LANGUAGES, catalogue

STATIC = Path(__file__).parents[1] / "static"
ASSETS = Path(str(files("tengen.assets")))

PAGES = (
    *("/", "/g/{game}", "/watch", "/analyse", "/learn", "/learn/{name}", "/games", "/lobby", "/privacy"),
    *("/tournaments/new", "/tournaments/{tournament}"),
)
"""The paths of the one document; its script shows what the path says."""

_TYPES = {
    ".css": "text/css;charset=utf-8",
    ".html": "text/html;charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript;charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_PACKED = frozenset({".css", ".html", ".js", ".json", ".svg", ".webmanifest"})
_ROBOTS = "\n".join(("User-agent: *", "Disallow: /g/", "Disallow: /tournaments/", "Disallow: /api/", ""))

_TERMINAL = frozenset(
    {
        *("arena", "cli", "compiling", "gomocup", "ladder", "match", "menu", "metrics", "openings"),
        *("plain", "query", "report", "solve", "tournament", "train", "tune"),
    }
)
"""How the keys begin, after ``error.`` or not, of sentences that only the terminal and ``/metrics`` say."""

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class _Content:
    """Something to send.

    Attributes:
        kind: its media type.
        plain: its bytes.
        packed: the same, compressed; None where that is no use.
        tag: a hash of them.
    """

    kind: str
    plain: bytes
    packed: bytes | None
    tag: str


def _content(plain: bytes, suffix: str) -> _Content:
    kind = _TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")
    packed = gzip.compress(plain, 9, mtime=0) if suffix in _PACKED and len(plain) > 500 else None
    return _Content(kind, plain, packed, hashlib.sha256(plain).hexdigest()[:20])


def _answer(request: Request, content: _Content, status: int = 200) -> Response:
    """The content, compressed if the browser takes it so; 304 if it has it."""
    packed = content.packed if "gzip" in request.headers.get("accept-encoding", "") else None
    tag = f'"{content.tag}{"-gz" if packed is not None else ""}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    asked = request.headers.get("if-none-match", "")
    if status == 200 and tag in [name.strip().removeprefix("W/") for name in asked.split(",")]:
        return Response(None, 304, headers)
    headers["Content-Type"] = content.kind
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    return Response(content.plain if packed is None else packed, status, headers)


# -- files


def _file(root: Path, name: str) -> _Content:
    """A file below a folder.

    Raises:
        HTTPException: there is none.
    """
    if "\0" in name or "\\" in name:
        raise HTTPException(404)
    path = (root / name).resolve()
    if not path.is_relative_to(root.resolve()) or path.suffix not in _TYPES:
        raise HTTPException(404)
    try:
        stat = path.stat()
        return _read(path, stat.st_mtime_ns, stat.st_size)
    except OSError as error:
        raise HTTPException(404) from error


@lru_cache(maxsize=300)
def _read(path: Path, _modified: int, _size: int) -> _Content:
    return _content(path.read_bytes(), path.suffix)


async def _page(request: Request) -> Response:
    if request.url.path == "/lobby" and "lobby" in request.app.state.settings.off:
        raise HTTPException(404)
    renew_visitor(request)
    return _answer(request, _document(request))


def _document(request: Request) -> _Content:
    """The one document; it says what is switched off, so that nothing of that is drawn."""
    document, off = _file(STATIC, "index.html"), request.app.state.settings.off
    return _without(document.plain, off) if off else document


@lru_cache(maxsize=4)
def _without(document: bytes, off: tuple[str, ...]) -> _Content:
    begin, html, rest = document.partition(b"<html")
    return _content(begin + html + f' data-off="{" ".join(off)}"'.encode() + rest, ".html")


for _path in PAGES:
    router.add_api_route(_path, _page, methods=["GET", "HEAD"], name="page")


async def missing(request: Request, error: Exception) -> Response:
    """For an address that leads nowhere: the document says so to a reader, JSON to a program."""
    page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
    if page and request.method == "GET":
        return _answer(request, _document(request), 404)
    return http_error(request, error)


@router.api_route("/static/{name:path}", methods=["GET", "HEAD"])
async def static_file(request: Request, name: str) -> Response:
    """A module, style sheet or picture of the pages."""
    return _answer(request, _file(STATIC, name))


@router.api_route("/assets/{name}", methods=["GET", "HEAD"])
async def asset(request: Request, name: str) -> Response:
    """A module or style sheet of the board."""
    if name not in assets.names():
        raise HTTPException(404)
    return _answer(request, _file(ASSETS, name))


@router.api_route("/favicon.ico", methods=["GET", "HEAD"])
async def favicon(request: Request) -> Response:
    """For browsers that ask without having been told of an icon."""
    return _answer(request, _file(STATIC, "icon.svg"))


@router.get("/robots.txt")
async def robots() -> Response:
    """Rooms are no business of search engines."""
    return Response(_ROBOTS, media_type="text/plain")


# -- sentences


@router.api_route("/words/{lang}.json", methods=["GET", "HEAD"])
async def words(request: Request, lang: str) -> Response:
    """All sentences that a page may say, in one language."""
    if lang not in LANGUAGES:
        raise HTTPException(404)
    return _answer(request, _words(lang))


@lru_cache(maxsize=len(LANGUAGES))
def _words(lang: str) -> _Content:
    texts = dict(said_in_pages(catalogue(lang).items()))
    return _content(json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode(), ".json")


def said_in_pages(texts: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """Of the catalogue's texts those that pages say, not those that only the terminal does."""
    modules = [path.read_text("utf-8") for root in (STATIC, ASSETS) for path in sorted(root.rglob("*.js"))]
    named = "\n".join(modules)
    for key, text in texts:
        prefix = key.removeprefix("error.").partition(".")[0]
        if prefix not in _TERMINAL or f'"{key}"' in named:
            yield key, text
