"""Cookies that name visitors: made and signed by the server, which keeps a hash of each and nothing more.

A cookie is a secret and its signature, ``SECRET.SIGNATURE``, 22 characters each: only one that this server
has made counts, so nobody can choose its value. The visitor's id, by which everything else calls it, is the
hash of the secret: whoever reads the database learns no cookie from it. Over HTTPS the cookie's name begins
with ``__Host-``, so that no other host, however close, can set one (RFC 6265bis, section 4.1.3.2).

Before, a cookie was an unsigned secret. One of a visitor whom the database knew then is read once, and the
same secret is sent back as one of today.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

YEAR = 365 * 24 * 3600
"""Seconds that a cookie lasts from the last visit."""

_NAME = "tengen"
_SECURE_NAME = f"__Host-{_NAME}"
_SECRET = re.compile(r"[\w-]{22}", re.ASCII)
_SIGNED = re.compile(rf"({_SECRET.pattern})\.({_SECRET.pattern})", re.ASCII)
_VISITOR, _ADDRESS = b"visitor ", b"address "
"""Put before what is signed or hashed: nothing is taken for another kind."""


def visitor_id(secret: str) -> str:
    """The id of the visitor whose cookie holds a secret: 128 bits of its SHA-256."""
    return hashlib.sha256(secret.encode()).hexdigest()[:32]


def new_secret() -> str:
    """128 random bits as 22 characters."""
    return secrets.token_urlsafe(16)


class CookieJar:
    """The cookies of one server: the names, what they hold, and the headers that set them.

    Args:
        key: with which they are signed; the same for all processes.
        secure: whether they travel through HTTPS only.

    Attributes:
        name: of the cookie.
    """

    def __init__(self, key: bytes, *, secure: bool) -> None:
        self._key = key
        self._secure = secure
        self.name = _SECURE_NAME if secure else _NAME

    def value(self, secret: str) -> str:
        """A secret with its signature."""
        return f"{secret}.{self._signature(secret)}"

    def read(self, cookies: dict[str, str]) -> str | None:
        """The secret in the cookie of this server; None where there is none that it has made."""
        match = _SIGNED.fullmatch(cookies.get(self.name, ""))
        if match is None or not hmac.compare_digest(match[2], self._signature(match[1])):
            return None
        return match[1]

    def read_former(self, cookies: dict[str, str]) -> str | None:
        """The secret in a cookie of the former kind; None where there is none, whoever has made it."""
        given = cookies.get(_NAME, "")
        return given if _SECRET.fullmatch(given) else None

    def headers(self, cookies: dict[str, str], secret: str) -> list[str]:
        """The values of ``Set-Cookie`` that give a browser its cookie.

        Args:
            cookies: those that it has sent; a former one is deleted.
            secret: what the cookie holds; empty to delete it.
        """
        value = self.value(secret) if secret else ""
        made = [self._header(self.name, value, YEAR if secret else 0)]
        if self.name != _NAME and _NAME in cookies:
            made.append(self._header(_NAME, "", 0))
        return made

    def _header(self, name: str, value: str, age: int) -> str:
        parts = [f"{name}={value}", "Path=/", f"Max-Age={age}", "HttpOnly", "SameSite=Lax"]
        return "; ".join(parts + ["Secure"] * self._secure)

    def address_hash(self, address: str) -> str:
        """What is kept of an address: from it alone nobody can tell which one it is without the key."""
        return hmac.digest(self._key, _ADDRESS + address.encode(), "sha256").hex()[:32]

    def _signature(self, secret: str) -> str:
        digest = hmac.digest(self._key, _VISITOR + secret.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")
