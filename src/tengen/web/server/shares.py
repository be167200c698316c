"""Places that addresses share: however many of them are greedy, there is one for whoever comes next.

One may have as many places as are left for others. This is the dynamic threshold of A. K. Choudhury and
E. L. Hahne, "Dynamic queue length thresholds for shared-memory packet switches", IEEE/ACM Transactions on
Networking 6 (1998).
"""

from __future__ import annotations

from collections import Counter

from starlette.requests import HTTPConnection

from tengen.web.server.limits import address_group
from tengen.web.server.visitors import address_of


class Shares:
    """Who has how many places. Used from one event loop."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    def held(self, who: str) -> int:
        """How many places somebody has."""
        return self._held[who]

    def free(self, most: int) -> int:
        """How many places are left of so many."""
        return max(0, most - self._held.total())

    def has_room(self, who: str, most: int) -> bool:
        """Whether somebody may have one more of so many places."""
        return self.held(who) < self.free(most)

    def take(self, who: str) -> None:
        """Give somebody a place."""
        self._held[who] += 1

    def give_back(self, who: str) -> None:
        """Have a place back."""
        self._held[who] -= 1
        if self._held[who] <= 0:
            del self._held[who]


def sharer(connection: HTTPConnection) -> str:
    """Who shares: the address that a request or a WebSocket comes from, as limits count it."""
    return address_group(address_of(connection))
