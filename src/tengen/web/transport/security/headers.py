"""The headers of every response: the Content-Security-Policy, and what else browsers should refuse."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tengen.web.transport.visitor_cookies import YEAR

_SOURCES = {
    "default-src": ("'none'",),
    "script-src": ("'self'",),
    "style-src": ("'self'",),
    "img-src": ("'self'", "data:", "blob:"),
    "media-src": ("'self'", "data:", "blob:"),
    "font-src": ("'self'",),
    "connect-src": ("'self'",),
    "manifest-src": ("'self'",),
    "worker-src": ("'self'",),
    "base-uri": ("'none'",),
    "form-action": ("'self'",),
    "frame-ancestors": ("'none'",),
}


def _policy(sources: Mapping[str, tuple[str, ...]]) -> str:
    return "; ".join(" ".join((name, *allowed)) for name, allowed in sources.items())


POLICY = _policy(_SOURCES)

DOCUMENT_POLICY = _policy(
    {name: allowed for name, allowed in _SOURCES.items() if name != "frame-ancestors"}
    | {"script-src": ("'self'", "'wasm-unsafe-eval'")}
)
"""The policy of a document that contains it, which cannot forbid frames, and that runs WebAssembly."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Anybody with the address of a room can watch it, so it must not be sent to other sites.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class HeadersMiddleware:
    """ASGI middleware that adds the headers to every response.

    Args:
        app: the application.
        secure: whether browsers must use HTTPS from now on.
    """

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._headers = HEADERS | ({"Strict-Transport-Security": f"max-age={YEAR}"} if secure else {})

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on, and add the headers to its response."""
        if scope["type"] != "http":
            return self._app(scope, receive, send)

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for header, value in self._headers.items():
                    headers.setdefault(header, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        return self._app(scope, receive, answering)
