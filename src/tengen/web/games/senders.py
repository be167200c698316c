"""Who asks something of a game, made of the request or the WebSocket that it comes through."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from tengen.web.games.client_messages import Sender
from tengen.web.games.tables import Storer
from tengen.web.server.limits import address_group, payer
from tengen.web.server.services import services_of
from tengen.web.server.settings import DELETE_AFTER
from tengen.web.server.visitors import VisitorGate, address_of


def sender(connection: HTTPConnection, visitor: str | None, hashes: tuple[str, ...] = ()) -> Sender:
    """A visitor with the tokens that it shows, who pays from its quotas and those of its address.

    Args:
        connection: the request, or the WebSocket.
        visitor: whose it is.
        hashes: of the tokens.
    """
    return Sender(visitor, hashes, payer(connection, "think"), storer(connection, visitor))


def storer(connection: HTTPConnection, visitor: str | None) -> Storer | None:
    """On whose account something is kept that a visitor makes; None where that has no bound."""
    settings = services_of(connection).settings
    if not settings.public or visitor is None:
        return None
    gate: VisitorGate = connection.app.state.visitors
    address = gate.address_hash(address_group(address_of(connection)))
    return Storer(visitor, address, settings.days_kept or DELETE_AFTER)
