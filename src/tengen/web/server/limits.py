"""How much one address may ask for, where strangers reach the server.

Token buckets: each address has so many tokens of a kind, which come back at a steady rate. Addresses of
IPv6 count by their /64, which is what one customer gets.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from starlette.requests import HTTPConnection

from tengen.web.server.http_errors import TooManyRequests

Kind = Literal["request", "page", "create", "heavy", "socket", "message", "flow"]
"""What is counted: ``request``, any call of the API; ``page``, a page or a file of one; ``create``, a new
game; ``heavy``, what the machine has to work for; ``socket``, a WebSocket opened; ``message``, a message
through one that asks for work; ``flow``, any message: more of them are not refused but read later."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What one address may ask for.

    Attributes:
        burst: at once.
        second: in every second after that.
    """

    burst: float
    second: float


RATES: dict[Kind, Rate] = {
    "request": Rate(120, 20),
    "page": Rate(400, 40),
    "create": Rate(20, 0.2),
    "heavy": Rate(40, 2),
    "socket": Rate(40, 2),
    "message": Rate(200, 40),
    "flow": Rate(200, 40),
}

SOCKETS = 60
"""The most WebSockets that one address may have open at a time."""

_MOST = 50_000
"""The most buckets that are remembered; those not used for longest go first."""


class Limits:
    """Buckets by kind and address.

    Args:
        rates: how much of each kind; what has no rate has no limit.
        sockets: the most WebSockets that one address may have open.
        clock: seconds.
    """

    def __init__(
        self,
        rates: dict[Kind, Rate] | None = None,
        sockets: int = SOCKETS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rates = rates or {}
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._open: dict[str, int] = {}
        self._sockets = sockets

    def spend(self, kind: Kind, address: str, cost: float = 1.0) -> None:
        """Take from the bucket of an address.

        Raises:
            TooManyRequests: there is not enough in it; nothing is taken.
        """
        rate = self._rates.get(kind)
        if rate is None:
            return
        left = self._take(kind, address, rate)
        if left < cost:
            raise TooManyRequests("error.web.too_many")
        self._buckets[kind, _group(address)] = (left - cost, self._clock())

    def _take(self, kind: Kind, address: str, rate: Rate) -> float:
        """What is in a bucket now; it is the one used last."""
        key, now = (kind, _group(address)), self._clock()
        left, since = self._buckets.pop(key, (rate.burst, now))
        left = min(rate.burst, left + (now - since) * rate.second)
        self._buckets[key] = (left, now)
        if len(self._buckets) > _MOST:
            self._buckets.popitem(last=False)
        return left

    def owe(self, kind: Kind, address: str) -> float:
        """Take one from the bucket of an address, though it may be empty.

        Returns:
            The seconds after which it will have been there.
        """
        rate = self._rates.get(kind)
        if rate is None:
            return 0.0
        left = self._take(kind, address, rate) - 1
        self._buckets[kind, _group(address)] = (left, self._clock())
        return max(0.0, -left / rate.second)

    def open_socket(self, address: str) -> None:
        """Count one more WebSocket of an address.

        Raises:
            TooManyRequests: it has as many as it may have.
        """
        if not self._rates:
            return
        self.spend("socket", address)
        key = _group(address)
        if self._open.get(key, 0) >= self._sockets:
            raise TooManyRequests("error.web.too_many")
        self._open[key] = self._open.get(key, 0) + 1

    def close_socket(self, address: str) -> None:
        """Count one less; what `open_socket` has counted."""
        key = _group(address)
        left = self._open.get(key, 0) - 1
        if left > 0:
            self._open[key] = left
        else:
            self._open.pop(key, None)


def spend(connection: HTTPConnection, kind: Kind, cost: float = 1.0) -> None:
    """Take from the bucket of the address that a request or a WebSocket comes from.

    Args:
        connection: the request, or the WebSocket.
        kind: what it asks for.
        cost: how much of that.

    Raises:
        TooManyRequests: it has asked for too much lately.
    """
    limits: Limits = connection.app.state.limits
    limits.spend(kind, address_of(connection), cost)


def address_of(connection: HTTPConnection) -> str:
    """The address a request or a WebSocket comes from; behind a proxy that we trust, the visitor's."""
    return connection.client.host if connection.client else ""


def _group(address: str) -> str:
    """What of an address is counted together."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False).network_address)
    return address
