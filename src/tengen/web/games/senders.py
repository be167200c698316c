"""Construction of a message's sender and its storage account from a request or a WebSocket."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import HTTPConnection

from tengen.web.games.game import Sender
from tengen.web.games.stored_game import Storer
from tengen.web.transport.limits import Kind, address_group, charge_message, spender
from tengen.web.transport.services import service_of
from tengen.web.transport.settings import DELETE_AFTER, ServerSettings
from tengen.web.transport.visitor_cookies import CookieJar
from tengen.web.transport.visitors import address_of

_MORE: Mapping[str, Kind] = {"again": "create", "say": "phrase"}
"""The kinds of message that cost more than a ``message``, and thinking where it starts."""


def charge(connection: HTTPConnection, kind: object) -> None:
    """Charge a message about a game, by its kind as the client has sent it; see `charge_message`."""
    charge_message(connection, kind, _MORE)


def sender(connection: HTTPConnection, visitor: str | None, hashes: tuple[str, ...] = ()) -> Sender:
    """Return the sender for a connection; its quotas and those of its address are charged.

    Args:
        connection: the request or WebSocket.
        visitor: the visitor's id; None without a cookie.
        hashes: hashes of the seat tokens that it has presented.
    """
    return Sender(visitor, hashes, spender(connection, "think"), storer(connection, visitor))


def storer(connection: HTTPConnection, visitor: str | None) -> Storer | None:
    """Return the account to which a visitor's storage is charged; None where storage is not limited."""
    settings = service_of(connection, ServerSettings)
    if not settings.public or visitor is None:
        return None
    address = service_of(connection, CookieJar).address_hash(address_group(address_of(connection)))
    return Storer(visitor, address, settings.days_kept or DELETE_AFTER)
