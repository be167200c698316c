"""What each request and each message costs whoever asks: one table of kinds; `limits` has their quotas.

All of it is taken before anything is done, here, but for ``think``: how long somebody has to think shows
only when the request has been read, and whoever starts that takes it (`tengen.web.server.thinking_costs`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from starlette.requests import HTTPConnection
from starlette.routing import compile_path
from starlette.types import Scope

from tengen.web.server.limits import Kind, Limits
from tengen.web.server.visitors import address_of, visitor_of

Costs = tuple[Kind, ...]

GAME_LIVE = "/api/games/{game}/live"
LOBBY_LIVE = "/api/challenges/live"
TOURNAMENT_LIVE = "/api/tournaments/{tournament}/live"
ANALYSIS = "/api/analysis"

ROUTES: Mapping[str, Costs] = {
    "GET /api/catalogue": ("request",),
    "GET /api/challenges": ("request",),
    "POST /api/challenges": ("request", "create"),
    "DELETE /api/challenges": ("request",),
    "POST /api/challenges/{challenge}/accept": ("request", "create", "think"),
    "POST /api/explain": ("request", "think"),
    "POST /api/export": ("request", "heavy"),
    "GET /api/games": ("request",),
    "POST /api/games": ("request", "create", "think"),
    "GET /api/games/{game}": ("request", "think"),
    "DELETE /api/games/{game}": ("request",),
    "POST /api/games/{game}/actions": ("request",),  # and what the message costs, see `MESSAGES`
    "POST /api/games/{game}/again": ("request", "create", "think"),
    "POST /api/games/{game}/join": ("request", "think"),
    "POST /api/games/{game}/moves": ("request", "message", "think"),
    "GET /api/games/{game}/record": ("request", "heavy"),
    "POST /api/import": ("request", "heavy", "think"),  # a proof is checked
    "POST /api/picture": ("request", "heavy"),
    "POST /api/position": ("request", "think"),
    "GET /api/puzzles": ("request",),
    "GET /api/puzzles/{name}": ("request",),
    "GET /api/qr": ("request", "heavy"),
    "GET /api/server": ("request",),
    "GET /api/tournaments": ("request",),
    "POST /api/tournaments": ("request", "create"),
    "GET /api/tournaments/{tournament}": ("request",),
    "POST /api/tournaments/{tournament}/computers": ("request", "create"),
    "POST /api/tournaments/{tournament}/join": ("request", "create", "name"),
    "POST /api/tournaments/{tournament}/start": ("request", "create"),
    "POST /api/tournaments/{tournament}/withdraw": ("request",),
    "GET /api/visitor": ("request",),
    "POST /api/visitor": ("request", "name"),
    "DELETE /api/visitor": ("request", "name", "heavy"),
    "GET /openapi.json": ("page",),
    "GET /": ("page",),
    "GET /analyse": ("page",),
    "GET /assets/{name:path}": ("page",),
    "GET /favicon.ico": ("page",),
    "GET /g/{game}": ("page",),
    "GET /games": ("page",),
    "GET /learn": ("page",),
    "GET /learn/{name}": ("page",),
    "GET /lobby": ("page",),
    "GET /privacy": ("page",),
    "GET /puzzles": ("page",),
    "GET /puzzles/{name}": ("page",),
    "GET /robots.txt": ("page",),
    "GET /static/{name:path}": ("page",),
    "GET /tournaments": ("page",),
    "GET /tournaments/new": ("page",),
    "GET /tournaments/{tournament}": ("page",),
    "GET /watch": ("page",),
    "GET /words/{name:path}": ("page",),
    "GET /healthz": (),  # for whoever watches over the server
    "GET /metrics": (),
    f"WS {ANALYSIS}": ("socket",),
    f"WS {LOBBY_LIVE}": ("socket",),
    f"WS {GAME_LIVE}": ("socket",),
    f"WS {TOURNAMENT_LIVE}": ("socket",),
}
"""What is taken for each route; ``HEAD`` costs what ``GET`` does. What is not listed leads nowhere, and
costs a ``request`` or a ``page``."""

_GAME_MESSAGES: Mapping[str, Costs] = {
    "hello": (),  # the WebSocket has been paid for
    "ping": ("message",),
    "move": ("message", "think"),
    "choose": ("message", "think"),
    "take_back": ("message",),
    "resign": ("message",),
    "draw": ("message",),
    "claim": ("message",),
    "abort": ("message",),
    "claim_draw": ("message",),
    "pause": ("message",),
    "resume": ("message", "think"),
    "swap_sides": ("message", "think"),
    "undo_seats": ("message", "think"),
    "answer": ("message",),
    "again": ("message", "create", "think"),
    "hand_over": ("message", "think"),
    "pace": ("message",),
    "step": ("message", "think"),
    "say": ("message", "phrase"),
    "hint": ("message", "think"),
    "hurry": ("message",),
}

_ANALYSES: Mapping[str, Costs] = {
    "analyse": ("message", "think"),
    "vcf": ("message", "think"),
    "vct": ("message", "think"),
    "defences": ("message", "think"),
    "review": ("message", "think"),
    "stop": ("message",),
}

MESSAGES: Mapping[str, Mapping[str, Costs]] = {
    GAME_LIVE: _GAME_MESSAGES,
    ANALYSIS: _ANALYSES,
    LOBBY_LIVE: {},  # any message is a sign of life
    TOURNAMENT_LIVE: {},  # likewise
}
"""What is taken for each kind of message, by the route of its WebSocket. What is not listed is refused, and
costs a ``message``. Every message is slowed down by ``flow`` as well."""

_PAID_LATER = frozenset({"socket", "think"})
"""Sockets are counted where they are opened, see `Limits.open_socket`."""


def route_of(scope: Scope) -> str | None:
    """The path of the route that a request or a WebSocket is for, as it is written above; None for none."""
    method = "WS" if scope["type"] == "websocket" else scope["method"]
    method = "GET" if method == "HEAD" else method
    path: str = scope["path"]
    return next((route for pattern, route in _patterns().get(method, ()) if pattern.match(path)), None)


@lru_cache(maxsize=1)
def _patterns() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    found: dict[str, list[tuple[re.Pattern[str], str]]] = {}
    for line in ROUTES:
        method, _, path = line.partition(" ")
        found.setdefault(method, []).append((compile_path(path)[0], path))
    return found


def charge_request(limits: Limits, scope: Scope, route: str | None) -> None:
    """Take what a request costs.

    Args:
        limits: from whose buckets.
        scope: the request.
        route: its path, by `route_of`.

    Raises:
        TooManyRequests: there is not enough left.
        SwitchedOff: this server does not do that.
    """
    method = "GET" if scope["method"] == "HEAD" else scope["method"]
    usual: Costs = ("request",) if scope["path"].startswith("/api/") else ("page",)
    costs = usual if route is None else ROUTES[f"{method} {route}"]
    _charge(limits, HTTPConnection(scope), costs)


def charge_message(connection: HTTPConnection, route: str, kind: object) -> None:
    """Take what a message costs.

    Args:
        connection: the WebSocket, or a request that carries such a message.
        route: of the WebSocket.
        kind: of the message, as the client has named it.

    Raises:
        TooManyRequests: there is not enough left.
        SwitchedOff: this server does not do that.
    """
    costs = MESSAGES[route].get(kind, ("message",)) if isinstance(kind, str) else ("message",)
    _charge(connection.app.state.limits, connection, costs)


def _charge(limits: Limits, connection: HTTPConnection, costs: Costs) -> None:
    address, visitor = address_of(connection), visitor_of(connection)
    for kind in costs:
        if kind not in _PAID_LATER:
            limits.spend(kind, address, visitor)
