"""Those who are connected to a game: told what happens, and who else is there."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol

from tengen.web.games.client_messages import Sender
from tengen.web.games.room_state import BOTH, RoomState
from tengen.web.server.board_json import Json
from tengen.web.server.http_errors import TooManyRequests


class Subscriber(Protocol):
    """A client that is connected to a game.

    Attributes:
        sender: who it is.
        you: the participants it may act for.
    """

    sender: Sender
    you: frozenset[int]

    def send(self, text: str) -> None:
        """Give it a message; returns at once."""


class Subscribers:
    """The clients of one game in this process, and how many there are in others.

    Args:
        publish: tells the other processes.

    Attributes:
        clients: those connected to this process.
        seen: when somebody was last there, by the monotonic clock.
    """

    __slots__ = ("_last", "_left", "_publish", "_remote", "clients", "seen")

    def __init__(self, publish: Callable[[Json], Awaitable[None]]) -> None:
        self.clients: set[Subscriber] = set()
        self._last: Sender | None = None
        self.looked(None)
        self._publish = publish
        self._remote: dict[str, tuple[frozenset[int], int]] = {}
        self._left: dict[int, float] = {}

    def __bool__(self) -> bool:
        return bool(self.clients or self._remote)

    def looked(self, sender: Sender | None) -> None:
        """Somebody was there just now; None for nobody in particular."""
        self.seen = time.monotonic()
        self._last = sender or self._last

    def pay(self, cost: float) -> bool:
        """Have one of those pay for a computer's thinking who look on, or have done so last.

        Returns:
            Whether one of them has enough left; true as well if nobody has looked on here.
        """
        payers = [client.sender for client in self.clients]
        if self._last is not None:
            payers.append(self._last)
        for payer in payers:
            with suppress(TooManyRequests):
                payer.pay(cost)
                return True
        return not payers

    def present(self) -> tuple[frozenset[int], int]:
        """The participants of whom somebody is connected to any process, and how many others are."""
        seats, watchers = self._here()
        connected = seats.union(*(there for there, _ in self._remote.values()))
        self._note_absence(connected)
        return connected, watchers + sum(count for _, count in self._remote.values())

    def _note_absence(self, connected: frozenset[int]) -> None:
        now = time.monotonic()
        for who in BOTH:
            if who in connected:
                self._left.pop(who, None)
            else:
                self._left.setdefault(who, now)

    def away(self) -> dict[int, float]:
        """Seconds for which nobody of a participant has been connected; without those who are.

        It is counted from when this process has had somebody connected here: never too long.
        """
        self.present()
        now = time.monotonic()
        return {who: now - since for who, since in self._left.items()}

    def _here(self) -> tuple[frozenset[int], int]:
        own = [client.you for client in self.clients]
        return frozenset().union(*own), own.count(frozenset())

    def send_state(self, state: Json, room_state: RoomState, *, given: bool) -> None:
        """Tell everybody how the game stands; made into text once.

        Args:
            state: of the game.
            room_state: who owns its seats.
            given: whether that may have changed.
        """
        text = packed({"type": "state", "state": state})
        for client in tuple(self.clients):
            you = client.sender.seats(room_state) if given else client.you
            if you == client.you:
                client.send(text)
            else:
                client.you = you
                client.send(packed({"type": "state", "state": state, "you": sorted(you)}))

    def send(self, message: Json) -> None:
        """Tell everybody connected to this process something."""
        if not self.clients:
            return
        text = packed(message)
        for client in tuple(self.clients):
            client.send(text)

    async def send_everywhere(self, message: Json) -> None:
        """Tell everybody something, through other processes too."""
        self.send(message)
        if self._remote:
            await self._publish({"say": message})

    async def announce_presence(self, *, ask: bool = False) -> None:
        """Tell everybody who is there.

        Args:
            ask: whether other processes should answer with who is there.
        """
        self._send_presence()
        seats, watchers = self._here()
        await self._publish({"connected": sorted(seats), "watchers": watchers, "ask": ask})

    def hear_presence(self, origin: str, message: Json) -> bool:
        """Another process says who is there; whether it asks who is here."""
        told = frozenset(message["connected"]), message["watchers"]
        if told == (frozenset(), 0):
            self._remote.pop(origin, None)
        else:
            self._remote[origin] = told
        self._send_presence()
        return message["ask"] is True and bool(self.clients)

    def forget_process(self, origin: str | None = None) -> None:
        """Nobody is connected to another process any more, as far as is known; to none of them if None."""
        lost = self._remote.keys() if origin is None else self._remote.keys() & {origin}
        for name in tuple(lost):
            del self._remote[name]
        if lost:
            self._send_presence()

    def _send_presence(self) -> None:
        connected, watchers = self.present()
        away = {str(who): round(seconds, 1) for who, seconds in self.away().items()}
        self.send({"type": "presence", "connected": sorted(connected), "watchers": watchers, "away": away})


def packed(message: Json) -> str:
    """A message as text."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False)
