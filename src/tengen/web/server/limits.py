"""How much one visitor and one address may ask for, where strangers reach the server.

Token buckets: each address has so many tokens of a kind, which come back at a steady rate, and for what
costs most each visitor has some as well. A school behind one address has many visitors, and whoever throws
the cookie away still has the address. IPv6 addresses count by their /64, which is what one customer gets.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from starlette.requests import HTTPConnection

from tengen.web.server.http_errors import SwitchedOff, TooManyRequests
from tengen.web.server.visitors import address_of, visitor_of

Kind = Literal["request", "page", "create", "name", "heavy", "think", "socket", "message", "flow", "phrase"]
"""What is counted: ``request``, any call of the API; ``page``, a page or a file of one; ``create``, a
new game or tournament, the offer of one, or taking part in one; ``name``, a name or another thing that a
visitor says of itself; ``heavy``, a file or a picture made; ``think``, a second or so that a player, the
engine or the solver thinks for whoever asks; ``socket``, a WebSocket opened; ``message``, a message
through one that asks for work; ``flow``, any message: more of them are not refused but read later;
``phrase``, something that one person says to another.

`tengen.web.server.request_costs` says which of them each request and each message costs."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What may be asked for.

    Attributes:
        burst: at once.
        second: in every second after that.
    """

    burst: float
    second: float


@dataclass(frozen=True, slots=True)
class Quota:
    """What may be asked for of one kind.

    Attributes:
        address: by all visitors of one address together.
        visitor: by one of them, from wherever; None for as much as the address may.
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
"""The most WebSockets that one address may have open at a time."""

OFF: Mapping[Kind, str] = {
    "create": "error.web.off.games",
    "phrase": "error.web.off.phrases",
}
"""What a server may have switched off, and the sentence that says so."""

_MOST = 50_000
"""The most buckets that are remembered; those not used for longest go first."""

_LONGEST_WAIT = 3600
"""The most seconds after which somebody who is refused is told to come again."""


class Limits:
    """Buckets by kind, address and visitor.

    Args:
        quotas: how much of each kind; what has none has no limit.
        sockets: the most WebSockets that one address may have open.
        clock: seconds.
        off: what nobody may ask for.
        on_refusal: called with the kind of which somebody has asked for too much.
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
        """Take from the bucket of an address, and from that of a visitor.

        Args:
            kind: what is asked for.
            address: where it comes from.
            visitor: who asks; None for somebody without a name, whom only the address limits.
            cost: how much of it.

        Raises:
            TooManyRequests: there is not enough in one of them; nothing is taken.
            SwitchedOff: nobody may ask for this.
        """
        if kind in self._off:
            raise SwitchedOff(OFF[kind])
        quota = self._quotas.get(kind)
        if quota is None:
            return
        spent = [((kind, "address", address_group(address)), quota.address)]
        if quota.visitor is not None and visitor is not None:
            spent.append(((kind, "visitor", visitor), quota.visitor))
        left = {key: self._look(key, rate) for key, rate in spent}
        if min(left.values()) < cost:
            self._on_refusal(kind)
            wait = max(_seconds_until(cost - left[key], rate) for key, rate in spent)
            raise TooManyRequests("error.web.too_many", seconds=wait)
        now = self._clock()
        self._buckets.update({key: (tokens - cost, now) for key, tokens in left.items()})

    def _look(self, key: tuple[str, str, str], rate: Rate) -> float:
        """What is in a bucket now; it becomes the one used last."""
        now = self._clock()
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
        quota = self._quotas.get(kind)
        if quota is None:
            return 0.0
        key = (kind, "address", address_group(address))
        left = self._look(key, quota.address) - 1
        self._buckets[key] = (left, self._clock())
        return max(0.0, -left / quota.address.second)

    def open_socket(self, address: str, visitor: str | None = None) -> None:
        """Count one more WebSocket of an address, opened by a visitor.

        Raises:
            TooManyRequests: it has as many as it may have.
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
        """Count one less; what `open_socket` has counted."""
        key = address_group(address)
        left = self._open.get(key, 0) - 1
        if left > 0:
            self._open[key] = left
        else:
            self._open.pop(key, None)


def _seconds_until(missing: float, rate: Rate) -> int:
    """Whole seconds until what is missing has come back, as far as it will."""
    if missing <= 0:
        return 0
    return min(math.ceil(missing / rate.second), _LONGEST_WAIT) if rate.second else _LONGEST_WAIT


def spend(connection: HTTPConnection, kind: Kind, cost: float = 1.0) -> None:
    """Take from the buckets of the address and of the visitor that a request or a WebSocket comes from.

    Args:
        connection: the request, or the WebSocket.
        kind: what it asks for.
        cost: how much of that.

    Raises:
        TooManyRequests: it has asked for too much lately.
    """
    payer(connection, kind)(cost)


def payer(connection: HTTPConnection, kind: Kind) -> Callable[[float], None]:
    """What takes from those buckets as `spend` does, later too, when the connection may be gone."""
    limits: Limits = connection.app.state.limits
    address, visitor = address_of(connection), visitor_of(connection)
    return lambda cost: limits.spend(kind, address, visitor, cost)


def address_group(address: str) -> str:
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
