"""Places shared by addresses, such that many greedy addresses still leave a place for a newcomer.

An address may take a place while it holds fewer than are free. This is the dynamic threshold of A. K.
Choudhury and E. L. Hahne, "Dynamic queue length thresholds for shared-memory packet switches", IEEE/ACM
Transactions on Networking 6 (1998).
"""

from __future__ import annotations

from collections import Counter

from starlette.requests import HTTPConnection

from tengen.web.transport.limits import address_group
from tengen.web.transport.visitors import address_of


class Shares:
    """The number of places that each holder has. Used from one event loop."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    def held(self, who: str) -> int:
        """Return the number of places that a holder has."""
        return self._held[who]

    def free(self, most: int) -> int:
        """Return the number of free places out of `most`."""
        return max(0, most - self._held.total())

    def has_room(self, who: str, most: int) -> bool:
        """Return whether a holder may take another of `most` places."""
        return self.held(who) < self.free(most)

    def take(self, who: str) -> None:
        """Give a holder one place."""
        self._held[who] += 1

    def give_back(self, who: str) -> None:
        """Free one place of a holder."""
        self._held[who] -= 1
        if self._held[who] <= 0:
            del self._held[who]


def sharer(connection: HTTPConnection) -> str:
    """Return the holder for a request or a WebSocket: its address, as limits count it."""
    return address_group(address_of(connection))
