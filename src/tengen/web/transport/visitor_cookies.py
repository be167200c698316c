"""Cookies that identify visitors: made and signed by the server, which stores only a hash of each.

A cookie is a secret and its signature, ``SECRET.SIGNATURE``, 22 characters each. Only cookies signed by
this server are valid, so no client can choose the value. The visitor's id, which all other code uses, is
the hash of the secret, so the database reveals no cookie. Over HTTPS the cookie's name begins with
``__Host-``, so that no other host, not even of the same domain, can set one (RFC 6265bis, section 4.1.3.2).

In earlier versions a cookie was an unsigned secret. If the database knows the visitor from that time, such
a cookie is accepted once, and its secret is sent back in a signed cookie.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

YEAR = 365 * 24 * 3600
"""The lifetime of a cookie after the last visit, in seconds."""

_NAME = "tengen"
_SECURE_NAME = f"__Host-{_NAME}"
_SECRET = re.compile(r"[\w-]{22}", re.ASCII)
_SIGNED = re.compile(rf"({_SECRET.pattern})\.({_SECRET.pattern})", re.ASCII)
_VISITOR, _ADDRESS = b"visitor ", b"address "
"""Prefixes of signed or hashed data, so that no kind can be taken for another."""


def visitor_id(secret: str) -> str:
    """Return the id of the visitor whose cookie holds a secret: 128 bits of its SHA-256."""
    return hashlib.sha256(secret.encode()).hexdigest()[:32]


def new_secret() -> str:
    """Return 128 random bits as 22 characters."""
    return secrets.token_urlsafe(16)


class CookieJar:
    """The cookies of one server: their name, their values, and the headers that set them.

    Args:
        key: the signing key, shared by all processes.
        secure: whether cookies are sent over HTTPS only.

    Attributes:
        name: the name of the cookie.
    """

    def __init__(self, key: bytes, *, secure: bool) -> None:
        self._key = key
        self._secure = secure
        self.name = _SECURE_NAME if secure else _NAME

    def value(self, secret: str) -> str:
        """Return the value of a cookie: a secret with its signature."""
        return f"{secret}.{self._signature(secret)}"

    def read(self, cookies: dict[str, str]) -> str | None:
        """Return the secret in the cookie of this server; None without a cookie that is validly signed."""
        match = _SIGNED.fullmatch(cookies.get(self.name, ""))
        if match is None or not hmac.compare_digest(match[2], self._signature(match[1])):
            return None
        return match[1]

    def read_former(self, cookies: dict[str, str]) -> str | None:
        """Return the secret in an unsigned cookie of earlier versions; None without such a cookie.

        The server need not have made it: anybody can write one.
        """
        given = cookies.get(_NAME, "")
        return given if _SECRET.fullmatch(given) else None

    def headers(self, cookies: dict[str, str], secret: str) -> list[str]:
        """Return the values of ``Set-Cookie`` that set a browser's cookie.

        Args:
            cookies: the cookies of the request; one with the former name is deleted.
            secret: the secret in the cookie; empty to delete the cookie.
        """
        value = self.value(secret) if secret else ""
        made = [self._header(self.name, value, YEAR if secret else 0)]
        if self.name != _NAME and _NAME in cookies:
            made.append(self._header(_NAME, "", 0))
        return made

    def _header(self, name: str, value: str, age: int) -> str:
        secure = "; Secure" if self._secure else ""
        return f"{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"

    def address_hash(self, address: str) -> str:
        """Return the hash to store for an address, keyed: it does not reveal the address."""
        return hmac.digest(self._key, _ADDRESS + address.encode(), "sha256").hex()[:32]

    def _signature(self, secret: str) -> str:
        digest = hmac.digest(self._key, _VISITOR + secret.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")
