"""What pages are made of, as it is sent: compressed once, and under addresses that browsers may keep.

Everything below ``/static/``, ``/assets/`` and ``/words/`` has one *version*, a hash of it all. The
document names it in each address, as in ``/static/@0f3a1c9b27/shared/app.js``, and so does every module:
the files say ``/static/...``, and the version is put into what is sent. At such an address nothing ever
changes, so a browser that has been here before asks for the document alone; after an update of the
program, that names other addresses.

A page that was loaded before the update still asks by the version it knows, and is sent what there is now,
with that version in the addresses: so no module is loaded beside another copy of itself. That is not to be
kept. Nor is what is asked for without a version; whether it is still right browsers ask each time (ETag).
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
"""The media types of what is sent, by the end of its name."""

_PACKED = frozenset({".css", ".html", ".js", ".json", ".svg", ".webmanifest"})
_ADDRESSING = frozenset({".html", ".js"})
_ADDRESS = re.compile(rb"""(?<=["'`])/(static|assets|words)/(?!@)""")
_ASKED = re.compile(r"@([0-9a-f]{10})/(.*)", re.DOTALL)
_A_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Content:
    """Something to send.

    Attributes:
        suffix: the end of its name, such as ``".js"``, which says what it is.
        plain: its bytes.
        tag: a hash of them.
    """

    suffix: str
    plain: bytes
    tag: str


def content(plain: bytes, suffix: str) -> Content:
    """Bytes as they are sent."""
    return Content(suffix, plain, hashlib.sha256(plain).hexdigest()[:20])


@lru_cache(maxsize=400)
def packed(one: Content) -> bytes | None:
    """The bytes, compressed; None where that is no use."""
    large = one.suffix in _PACKED and len(one.plain) > 500
    return gzip.compress(one.plain, 9, mtime=0) if large else None


def load(path: Path) -> Content:
    """A file, read once for each time that it changes.

    Raises:
        OSError: it cannot be read.
    """
    stat = path.stat()
    return _read(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=1000)
def _read(path: Path, _modified: int, _size: int) -> Content:
    return content(path.read_bytes(), path.suffix)


def version_of(roots: tuple[Path, ...], texts: Iterable[Content]) -> str:
    """The version of all files below some folders, and of some texts. Files are looked at once a second."""
    return _version_of(roots, tuple(text.tag for text in texts), int(time.monotonic()))


@lru_cache(maxsize=2)
def _version_of(roots: tuple[Path, ...], tags: tuple[str, ...], _second: int) -> str:
    whole = hashlib.sha256("".join(tags).encode())
    for root in roots:
        for path in sorted(root.rglob("*")):
            # An editor's lock may be a link that leads nowhere.
            if path.suffix in TYPES and path.is_file():
                whole.update(f"{path.relative_to(root)} {load(path).tag}".encode())
    return whole.hexdigest()[:10]


def asked_version(name: str) -> tuple[str, str]:
    """The version that the rest of an address begins with, and what follows; an empty one if none."""
    found = _ASKED.fullmatch(name)
    return (found[1], found[2]) if found else ("", name)


@lru_cache(maxsize=400)
def with_version(one: Content, version: str) -> Content:
    """The same, with a version in the addresses that it names; as it is if that is empty."""
    if not version or one.suffix not in _ADDRESSING:
        return one
    return content(_ADDRESS.sub(rb"/\1/@%s/" % version.encode(), one.plain), one.suffix)


def answer(request: Request, one: Content, status: int = 200, *, forever: bool = False) -> Response:
    """The content, compressed if the browser takes it so; 304 if it has it.

    Args:
        request: what is answered.
        one: what is sent.
        status: of the answer.
        forever: whether nothing else will ever be at this address.
    """
    small = packed(one) if "gzip" in request.headers.get("accept-encoding", "") else None
    tag = f'"{one.tag}{"-gz" if small is not None else ""}"'
    kept = f"max-age={_A_YEAR}, immutable" if forever else "no-cache"
    headers = {"ETag": tag, "Cache-Control": kept, "Vary": "Accept-Encoding"}
    asked = request.headers.get("if-none-match", "")
    if status == 200 and tag in [name.strip().removeprefix("W/") for name in asked.split(",")]:
        return Response(None, 304, headers)
    headers["Content-Type"] = TYPES[one.suffix]
    if small is not None:
        headers["Content-Encoding"] = "gzip"
    return Response(one.plain if small is None else small, status, headers)
