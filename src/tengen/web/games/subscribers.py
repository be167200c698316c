"""The clients connected to a game: broadcasts of its state, and presence across server processes."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol

from tengen.schemas.base import Json, Schema
from tengen.schemas.game import GameStateData
from tengen.schemas.game_messages import ChangeMessage, GameUpdate, PresenceMessage, StateMessage
from tengen.web.games.game import BOTH, Presence, Sender
from tengen.web.games.game_state import changed_fields, changed_moves
from tengen.web.transport.errors import TooManyRequests


class Subscriber(Protocol):
    """A client connected to a game.

    Attributes:
        sender: the client's identity.
        you: the participants it may act for.
    """

    sender: Sender
    you: frozenset[int]

    def send(self, text: str) -> None:
        """Queue a message for the client; return at once."""


class Subscribers:
    """The clients of one game in this process, and the presence of clients in other processes.

    Args:
        publish: sends a message to the other processes.

    Attributes:
        clients: the clients connected to this process.
        last_viewed: the time at which a client last viewed the game, by the monotonic clock.
    """

    __slots__ = ("_last_viewer", "_left", "_publish", "_remote", "_sent", "clients", "last_viewed")

    def __init__(self, publish: Callable[[Json], Awaitable[None]]) -> None:
        self.clients: set[Subscriber] = set()
        self._last_viewer: Sender | None = None
        self.record_view(None)
        self._publish = publish
        self._remote: dict[str, tuple[frozenset[int], int]] = {}
        self._left: dict[int, float] = {}
        self._sent: GameStateData | None = None

    def __bool__(self) -> bool:
        return bool(self.clients or self._remote)

    def record_view(self, sender: Sender | None) -> None:
        """Record a view of the game, by an unknown client if `sender` is None."""
        self.last_viewed = time.monotonic()
        self._last_viewer = sender or self._last_viewer

    def charge(self, cost: float) -> bool:
        """Charge a computer's thinking to a connected client, or to the client that viewed the game last.

        Returns:
            True if one of them could be charged, or if no client has viewed the game in this process.
        """
        senders = [client.sender for client in self.clients]
        if self._last_viewer is not None:
            senders.append(self._last_viewer)
        for sender in senders:
            with suppress(TooManyRequests):
                sender.charge(cost)
                return True
        return not senders

    def presence(self) -> Presence:
        """Return the clients in all processes, and how long disconnected participants have been away.

        Absence is counted from the first check in this process, so it may be too short but never too long.
        """
        seats, watchers = self._local_presence()
        connected = seats.union(*(remote for remote, _ in self._remote.values()))
        self._record_absence(connected)
        now = time.monotonic()
        away = {who: now - since for who, since in self._left.items()}
        return Presence(connected, watchers + sum(count for _, count in self._remote.values()), away)

    def _record_absence(self, connected: frozenset[int]) -> None:
        now = time.monotonic()
        for who in BOTH:
            if who in connected:
                self._left.pop(who, None)
            else:
                self._left.setdefault(who, now)

    def _local_presence(self) -> tuple[frozenset[int], int]:
        own = [client.you for client in self.clients]
        return frozenset().union(*own), own.count(frozenset())

    def send_state(self, state: GameStateData, seats_of: Callable[[Sender], frozenset[int]] | None) -> None:
        """Send clients of this process what has changed in the game's state; it is serialised once.

        Args:
            state: the game's state.
            seats_of: returns the seats of a sender; None if no seat has changed hands.
        """
        if not self.clients:
            return
        update = self._update(state)
        text = update.to_json()
        for client in tuple(self.clients):
            you = client.you if seats_of is None else seats_of(client.sender)
            if you == client.you:
                client.send(text)
            else:
                client.you = you
                client.send(update.model_copy(update={"you": tuple(sorted(you))}).to_json())

    def _update(self, state: GameStateData) -> GameUpdate:
        """Return the change from the version that all clients have, or the whole state if there is none."""
        before, self._sent = self._sent, state
        if before is None:
            return StateMessage(state=state)
        moves = changed_moves(before, state)
        return ChangeMessage(since=before.version, moves=moves, state=changed_fields(before, state))

    def initial_state(self, client: Subscriber, state: GameStateData, *, made: bool) -> StateMessage:
        """Return the whole state for a client that has just connected.

        Args:
            client: the client.
            state: the game's state.
            made: whether the client made the game.
        """
        if self._sent is None or self._sent.version != state.version:
            self._sent = state
        return StateMessage(state=state, you=tuple(sorted(client.you)), made=made, now=time.time())

    def forget_state(self) -> None:
        """Discard the state that clients have, when the game leaves memory; the next one is sent whole."""
        self._sent = None

    def send(self, text: str) -> None:
        """Send a text to all clients of this process."""
        for client in tuple(self.clients):
            client.send(text)

    async def send_everywhere(self, message: Schema) -> None:
        """Send a message to all clients, in other processes too."""
        self.send(message.to_json())
        if self._remote:
            await self._publish({"say": message.to_dict()})

    async def announce_presence(self, *, ask: bool = False) -> None:
        """Send the connected participants to all clients and to the other processes.

        Args:
            ask: whether the other processes should answer with their own presence.
        """
        self._send_presence()
        seats, watchers = self._local_presence()
        await self._publish({"connected": sorted(seats), "watchers": watchers, "ask": ask})

    def receive_presence(self, origin: str, message: Json) -> bool:
        """Record another process's presence message; return whether to answer with this process's own."""
        remote = frozenset(message["connected"]), message["watchers"]
        if remote == (frozenset(), 0):
            self._remote.pop(origin, None)
        else:
            self._remote[origin] = remote
        self._send_presence()
        return message["ask"] is True and bool(self.clients)

    def forget_process(self, origin: str | None = None) -> None:
        """Discard another process's presence; if None, the presence of all other processes."""
        lost = self._remote.keys() if origin is None else self._remote.keys() & {origin}
        for name in tuple(lost):
            del self._remote[name]
        if lost:
            self._send_presence()

    def _send_presence(self) -> None:
        now = self.presence()
        away = {str(who): round(seconds, 1) for who, seconds in now.away.items()}
        connected = tuple(sorted(now.connected))
        self.send(PresenceMessage(connected=connected, watchers=now.watchers, away=away).to_json())
