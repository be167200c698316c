"""The files of the pages as they are served: compressed once, at addresses that browsers may cache.

All content below ``/static/``, ``/assets/`` and ``/words/`` has one *version*, a hash of all of it. The
document has it in each address, as in ``/static/@0f3a1c9b27/shared/app.js``, and so does every module: the
files contain ``/static/...``, and the version is inserted when they are served. The content of such an
address never changes, so a browser with a filled cache requests the document alone; after an update of the
program, the document contains new addresses.

A page that was loaded before the update still requests files by its old version. It receives the current
files, with the old version in their addresses, so that no module is loaded twice. Such a response must not
be cached. Nor must content that was requested without a version: browsers revalidate it each time (ETag).
"""

from __future__ import annotations

import gzip
import hashlib
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fastapi import Request, Response

TYPES = {
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
"""The media types of served files, by suffix."""

_PACKED = frozenset({".css", ".html", ".js", ".json", ".svg", ".webmanifest"})
_ADDRESSING = frozenset({".html", ".js"})
_ADDRESS = re.compile(rb"""(?<=["'`])/(static|assets|words)/(?!@)""")
_VERSIONED = re.compile(r"@([0-9a-f]{10})/(.*)", re.DOTALL)
_A_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a response.

    Attributes:
        suffix: the end of the file name, such as ``".js"``, which gives the media type.
        plain: the uncompressed bytes.
        tag: a hash of the bytes.
    """

    suffix: str
    plain: bytes
    tag: str


def content(plain: bytes, suffix: str) -> Content:
    """Return bytes as content, with their hash."""
    return Content(suffix, plain, hashlib.sha256(plain).hexdigest()[:20])


@lru_cache(maxsize=400)
def compressed(source: Content) -> bytes | None:
    """Return the bytes compressed with gzip; None if compression is not worthwhile."""
    large = source.suffix in _PACKED and len(source.plain) > 500
    return gzip.compress(source.plain, 9, mtime=0) if large else None


def load(path: Path) -> Content:
    """Return the content of a file, which is read again only after a change.

    Raises:
        OSError: the file cannot be read.
    """
    stat = path.stat()
    return _read(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=1000)
def _read(path: Path, _modified: int, _size: int) -> Content:
    return content(path.read_bytes(), path.suffix)


def version_of(roots: tuple[Path, ...], texts: Iterable[Content]) -> str:
    """Return the version of some texts and all files below some folders, checked once a second."""
    return _version_of(roots, tuple(text.tag for text in texts), int(time.monotonic()))


@lru_cache(maxsize=2)
def _version_of(roots: tuple[Path, ...], tags: tuple[str, ...], _second: int) -> str:
    whole = hashlib.sha256("".join(tags).encode())
    for root in roots:
        for path in sorted(root.rglob("*")):
            # An editor's lock file may be a broken link.
            if path.suffix in TYPES and path.is_file():
                whole.update(f"{path.relative_to(root)} {load(path).tag}".encode())
    return whole.hexdigest()[:10]


def split_version(name: str) -> tuple[str, str]:
    """Split a path into the version at its beginning, empty if there is none, and the rest."""
    found = _VERSIONED.fullmatch(name)
    return (found[1], found[2]) if found else ("", name)


@lru_cache(maxsize=400)
def with_version(source: Content, version: str) -> Content:
    """Return content with a version in its addresses; unchanged if the version is empty."""
    return _with_addresses(source, rb"/\1/@%s/" % version.encode()) if version else source


def with_relative_addresses(source: Content, root: str) -> Content:
    """Return content with addresses relative to its own, for servers that have it below any path.

    Args:
        source: the content.
        root: the root relative to the content's address, such as ``"../"`` or ``"./"``.
    """
    return _with_addresses(source, rb"%s\1/" % root.encode())


def _with_addresses(source: Content, address: bytes) -> Content:
    """Return content with other addresses; the group of `address` is the first folder of an address."""
    if source.suffix not in _ADDRESSING:
        return source
    return content(_ADDRESS.sub(address, source.plain), source.suffix)


def answer(request: Request, source: Content, status: int = 200, *, forever: bool = False) -> Response:
    """Return the response with some content: compressed if accepted, 304 if the browser has it.

    Args:
        request: the request.
        source: the content.
        status: the HTTP status.
        forever: whether the content at this address never changes.
    """
    small = compressed(source) if "gzip" in request.headers.get("accept-encoding", "") else None
    tag = f'"{source.tag}{"-gz" if small is not None else ""}"'
    caching = f"max-age={_A_YEAR}, immutable" if forever else "no-cache"
    headers = {"ETag": tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    etags = request.headers.get("if-none-match", "")
    if status == 200 and tag in [name.strip().removeprefix("W/") for name in etags.split(",")]:
        return Response(None, 304, headers)
    headers["Content-Type"] = TYPES[source.suffix]
    if small is not None:
        headers["Content-Encoding"] = "gzip"
    return Response(source.plain if small is None else small, status, headers)
