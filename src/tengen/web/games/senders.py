"""Construction of a message's sender and its storage account from a request or a WebSocket."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from tengen.web.games.client_messages import Sender
from tengen.web.games.tables import Storer
from tengen.web.services import services_of
from tengen.web.transport.limits import address_group, payer
from tengen.web.transport.settings import DELETE_AFTER
from tengen.web.transport.visitors import VisitorGate, address_of


def sender(connection: HTTPConnection, visitor: str | None, hashes: tuple[str, ...] = ()) -> Sender:
    """Return the sender for a connection; its quotas and those of its address are charged.

    Args:
        connection: the request or WebSocket.
        visitor: the visitor's id; None without a cookie.
        hashes: hashes of the seat tokens that it has presented.
    """
    return Sender(visitor, hashes, payer(connection, "think"), storer(connection, visitor))


def storer(connection: HTTPConnection, visitor: str | None) -> Storer | None:
    """Return the account to which a visitor's storage is charged; None where storage is not limited."""
    settings = services_of(connection).settings
    if not settings.public or visitor is None:
        return None
    gate: VisitorGate = connection.app.state.visitors
    address = gate.address_hash(address_group(address_of(connection)))
    return Storer(visitor, address, settings.days_kept or DELETE_AFTER)
