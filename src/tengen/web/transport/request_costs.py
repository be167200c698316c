"""The costs of each request and each message, as a table of kinds; `limits` has their quotas.

All costs are charged here, before the work begins, except ``think``: the thinking time is known only when
the request has been parsed, and is charged where the thinking starts
(`tengen.web.computing.thinking_costs`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from starlette.requests import HTTPConnection
from starlette.routing import compile_path
from starlette.types import Scope

from tengen.web.transport.limits import Kind, Limits
from tengen.web.transport.visitors import address_of, visitor_of

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
    "POST /api/games/{game}/actions": ("request",),  # plus the costs of the message, see `MESSAGES`
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
    "GET /healthz": (),  # for monitoring
    "GET /metrics": (),
    f"WS {ANALYSIS}": ("socket",),
    f"WS {LOBBY_LIVE}": ("socket",),
    f"WS {GAME_LIVE}": ("socket",),
    f"WS {TOURNAMENT_LIVE}": ("socket",),
}
"""The costs of each route; ``HEAD`` costs as much as ``GET``. A path without a route costs a ``request`` or
a ``page``."""

_GAME_MESSAGES: Mapping[str, Costs] = {
    "hello": (),  # the WebSocket is charged already
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
    LOBBY_LIVE: {},  # any message is a keep-alive
    TOURNAMENT_LIVE: {},  # any message is a keep-alive
}
"""The costs of each kind of message, by the route of its WebSocket. A kind that is not listed is refused,
and costs a ``message``. Every message also costs ``flow``, which slows it down."""

_PAID_LATER = frozenset({"socket", "think"})
"""Kinds that are charged elsewhere: sockets where they are opened (`Limits.open_socket`), thinking where it
starts."""


def route_of(scope: Scope) -> str | None:
    """Return the path of the route of a request or a WebSocket, as in `ROUTES`; None without a route."""
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
    """Charge a request.

    Args:
        limits: the limits with the buckets to take from.
        scope: the ASGI scope of the request.
        route: its path, by `route_of`.

    Raises:
        TooManyRequests: a bucket has too few tokens.
        SwitchedOff: this server has switched the kind off.
    """
    method = "GET" if scope["method"] == "HEAD" else scope["method"]
    usual: Costs = ("request",) if scope["path"].startswith("/api/") else ("page",)
    costs = usual if route is None else ROUTES[f"{method} {route}"]
    _charge(limits, HTTPConnection(scope), costs)


def charge_message(connection: HTTPConnection, route: str, kind: object) -> None:
    """Charge a message.

    Args:
        connection: the WebSocket, or the request that carries the message.
        route: the route of the WebSocket.
        kind: the kind of the message, as the client has sent it.

    Raises:
        TooManyRequests: a bucket has too few tokens.
        SwitchedOff: this server has switched the kind off.
    """
    costs = MESSAGES[route].get(kind, ("message",)) if isinstance(kind, str) else ("message",)
    _charge(connection.app.state.limits, connection, costs)


def _charge(limits: Limits, connection: HTTPConnection, costs: Costs) -> None:
    address, visitor = address_of(connection), visitor_of(connection)
    for kind in costs:
        if kind not in _PAID_LATER:
            limits.spend(kind, address, visitor)
