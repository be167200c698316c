"""Limits on the requests of each visitor and each address, for servers that strangers can reach.

They are token buckets: for each kind of cost, an address has a bucket that refills at a steady rate, and
for many kinds each visitor has a bucket as well. A school behind one address has many visitors, and a
client that deletes its cookie still has its address. IPv6 addresses count by their /64, which is the
network of one customer.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fastapi import Depends
from starlette.requests import HTTPConnection

from tengen.web.transport.errors import SwitchedOff, TooManyRequests
from tengen.web.transport.services import service_of
from tengen.web.transport.visitors import address_of, visitor_of

Kind = Literal["request", "page", "create", "name", "heavy", "think", "socket", "message", "flow", "phrase"]
"""The kinds of cost: ``request``, a call of the API; ``page``, a page or a file of one; ``create``, a new
game or tournament, a challenge, or joining one; ``name``, a name or other data of a visitor about itself;
``heavy``, making a file or a picture; ``think``, about a second of thinking by a player, the engine or the
solver for this client; ``socket``, opening a WebSocket; ``message``, a message through a WebSocket that
asks for work; ``flow``, any message: messages over the limit are not refused but read later; ``phrase``, a
phrase that a person sends to another.

A route declares its costs by `costs`, and what carries messages by `charge_message`; see also
`tengen.web.transport.security.limiting`. The cost ``think`` is charged where the thinking starts, since its
amount is known only then (`tengen.web.computing.thinking_costs`)."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The size and refill rate of a token bucket.

    Attributes:
        burst: the tokens of a full bucket.
        second: the tokens that are added each second.
    """

    burst: float
    second: float


@dataclass(frozen=True, slots=True)
class Quota:
    """The limits of one kind of cost.

    Attributes:
        address: for all visitors of an address together.
        visitor: for one visitor, from any address; None for no limit but that of the address.
    """

    address: Rate
    visitor: Rate | None = None


QUOTAS: dict[Kind, Quota] = {
    "request": Quota(Rate(120, 20), Rate(100, 15)),
    "page": Quota(Rate(400, 40)),
    "create": Quota(Rate(40, 0.4), Rate(20, 0.2)),
    "name": Quota(Rate(40, 0.4), Rate(10, 0.1)),
    "heavy": Quota(Rate(60, 3), Rate(40, 2)),
    "think": Quota(Rate(90, 4), Rate(60, 2)),
    "socket": Quota(Rate(40, 2), Rate(30, 1)),
    "message": Quota(Rate(200, 40), Rate(120, 20)),
    "flow": Quota(Rate(200, 40)),
    "phrase": Quota(Rate(60, 2), Rate(12, 0.5)),
}

SOCKETS = 60
"""The most WebSockets that one address may have open at once."""

OFF: Mapping[Kind, str] = {
    "create": "error.web.off.games",
    "phrase": "error.web.off.phrases",
}
"""The kinds that a server may switch off, each with the key of the sentence for refused clients."""

_MOST = 50_000
"""The most buckets in memory; beyond it the least recently used are dropped."""

_LONGEST_WAIT = 3600
"""The longest time to wait that a refusal names, in seconds."""


class Limits:
    """Token buckets by kind, address and visitor.

    Args:
        quotas: the limits of each kind; a kind without a quota is unlimited.
        sockets: the most WebSockets that one address may have open.
        clock: returns the time in seconds.
        off: the kinds that are switched off for all clients.
        on_refusal: called with the kind whenever a client has reached a limit.
    """

    def __init__(
        self,
        quotas: Mapping[Kind, Quota] | None = None,
        sockets: int = SOCKETS,
        clock: Callable[[], float] = time.monotonic,
        *,
        off: frozenset[Kind] = frozenset(),
        on_refusal: Callable[[Kind], object] = lambda _: None,
    ) -> None:
        self._quotas = quotas or {}
        self._off = off
        self._on_refusal = on_refusal
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str, str], tuple[float, float]] = OrderedDict()
        self._open: dict[str, int] = {}
        self._sockets = sockets

    def spend(self, kind: Kind, address: str, visitor: str | None = None, cost: float = 1.0) -> None:
        """Take tokens from the bucket of an address and from that of a visitor.

        Args:
            kind: the kind of cost.
            address: the address of the client.
            visitor: the visitor's id; None for a client without a cookie, which only the address limits.
            cost: the number of tokens.

        Raises:
            TooManyRequests: one of the buckets has too few tokens; none are taken.
            SwitchedOff: the kind is switched off.
        """
        if kind in self._off:
            raise SwitchedOff(OFF[kind])
        quota = self._quotas.get(kind)
        if quota is None:
            return
        spent = [((kind, "address", address_group(address)), quota.address)]
        if quota.visitor is not None and visitor is not None:
            spent.append(((kind, "visitor", visitor), quota.visitor))
        left = {key: self._refill(key, rate) for key, rate in spent}
        if min(left.values()) < cost:
            self._on_refusal(kind)
            wait = max(_seconds_until(cost - left[key], rate) for key, rate in spent)
            raise TooManyRequests("error.web.too_many", seconds=wait)
        now = self._clock()
        self._buckets.update({key: (tokens - cost, now) for key, tokens in left.items()})

    def _refill(self, key: tuple[str, str, str], rate: Rate) -> float:
        """Refill a bucket for the time passed, mark it as the most recently used, and return its tokens."""
        now = self._clock()
        left, since = self._buckets.pop(key, (rate.burst, now))
        left = min(rate.burst, left + (now - since) * rate.second)
        self._buckets[key] = (left, now)
        if len(self._buckets) > _MOST:
            self._buckets.popitem(last=False)
        return left

    def debit(self, kind: Kind, address: str) -> float:
        """Take one token from the bucket of an address, even if it is empty.

        Returns:
            The seconds until the bucket has earned the token; 0 if it had one.
        """
        quota = self._quotas.get(kind)
        if quota is None:
            return 0.0
        key = (kind, "address", address_group(address))
        left = self._refill(key, quota.address) - 1
        self._buckets[key] = (left, self._clock())
        return max(0.0, -left / quota.address.second)

    def open_socket(self, address: str, visitor: str | None = None) -> None:
        """Count a WebSocket that a visitor of an address opens.

        Raises:
            TooManyRequests: the address has too many open, or has opened too many lately.
        """
        if not self._quotas:
            return
        self.spend("socket", address, visitor)
        key = address_group(address)
        if self._open.get(key, 0) >= self._sockets:
            self._on_refusal("socket")
            raise TooManyRequests("error.web.sockets", most=self._sockets)
        self._open[key] = self._open.get(key, 0) + 1

    def close_socket(self, address: str) -> None:
        """Release a WebSocket that `open_socket` has counted."""
        key = address_group(address)
        left = self._open.get(key, 0) - 1
        if left > 0:
            self._open[key] = left
        else:
            self._open.pop(key, None)


def _seconds_until(missing: float, rate: Rate) -> int:
    """Return the whole seconds until missing tokens are back, at most `_LONGEST_WAIT`."""
    if missing <= 0:
        return 0
    return min(math.ceil(missing / rate.second), _LONGEST_WAIT) if rate.second else _LONGEST_WAIT


def spend(connection: HTTPConnection, kind: Kind, cost: float = 1.0) -> None:
    """Take tokens from the buckets of the address and the visitor of a request or a WebSocket.

    Args:
        connection: the request, or the WebSocket.
        kind: the kind of cost.
        cost: the number of tokens.

    Raises:
        TooManyRequests: one of the buckets has too few tokens.
        SwitchedOff: the kind is switched off.
    """
    spender(connection, kind)(cost)


def spender(connection: HTTPConnection, kind: Kind) -> Callable[[float], None]:
    """Return a function that takes tokens as `spend` does, even after the connection has closed."""
    limits = service_of(connection, Limits)
    address, visitor = address_of(connection), visitor_of(connection)
    return lambda cost: limits.spend(kind, address, visitor, cost)


class Costs:
    """A dependency that charges the costs of a route, before its fields are validated.

    Args:
        kinds: the kinds of cost, besides the ``request`` or ``page`` that every request costs.
    """

    def __init__(self, *kinds: Kind) -> None:
        self.kinds = kinds

    async def __call__(self, connection: HTTPConnection) -> None:
        """Charge a request.

        Raises:
            TooManyRequests: a bucket has too few tokens.
            SwitchedOff: this server has switched the kind off.
        """
        for kind in self.kinds:
            spend(connection, kind)


def costs(*kinds: Kind) -> Any:
    """Return the costs of a route, for its list of dependencies."""
    return Depends(Costs(*kinds))


def charge_message(connection: HTTPConnection, kind: object, more: Mapping[str, Kind]) -> None:
    """Charge a message: ``message``, and what its kind costs besides.

    Args:
        connection: the WebSocket, or the request that carries the message.
        kind: the kind of the message, as the client has sent it.
        more: the other costs, by the kind of the message.

    Raises:
        TooManyRequests: a bucket has too few tokens.
        SwitchedOff: this server has switched the kind off.
    """
    spend(connection, "message")
    if isinstance(kind, str) and kind in more:
        spend(connection, more[kind])


def address_group(address: str) -> str:
    """Return an address as limits count it: an IPv6 address by its /64, any other as it is."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False).network_address)
    return address
