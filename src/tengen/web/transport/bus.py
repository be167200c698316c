"""Messages between server processes: a game has changed, or a client wants the computer to hurry.

For a single process, `LocalBus` delivers messages to the subscribers in its own event loop. Several
processes share a PostgreSQL database, and `PostgresBus` sends messages through LISTEN/NOTIFY. While the
connection is down, messages may be lost; afterwards every subscriber receives `MISSED`, and reads the state
again.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from tengen.web.transport.settings import ServerSettings

__all__ = ["MISSED", "Bus", "LocalBus", "PostgresBus", "open_bus"]

Callback = Callable[[str, dict[str, Any]], None]

MISSED: Mapping[str, Any] = {"missed": True}
"""The message to subscribers, with an empty game id, after a time in which messages may have been lost."""

_CHANNEL = "tengen"
_SEND = "pg_notify"
_LONGEST = 7900
"""The most bytes of a message; PostgreSQL carries 8000."""

_WAITING = 10_000
"""The most messages that wait for a connection; beyond it the oldest are dropped."""

_PAUSES = (0.1, 0.3, 1.0, 2.0, 5.0)
"""Seconds before the next attempt to connect, after one failure, two, and so on."""

_HEALTHY = 60.0
"""Seconds after which a connection is stable: if it breaks later, failures are counted from one again."""

_LISTEN_FOR = 0.5
"""Seconds between two checks of a listener whether it must stop."""

_log = logging.getLogger("tengen.web.transport.bus")


class Bus(ABC):
    """A channel for messages between server processes. Opened and used in one event loop."""

    def __init__(self) -> None:
        self._callbacks: list[Callback] = []

    def subscribe(self, callback: Callback) -> Callable[[], None]:
        """Subscribe to all messages, those of this process included.

        Args:
            callback: called in the event loop with a game's id and the message; with "" and `MISSED` when
                messages may have been lost.

        Returns:
            A function that ends the subscription.
        """
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback) if callback in self._callbacks else None

    @abstractmethod
    async def publish(self, game: str, message: dict[str, Any]) -> None:
        """Send a message about a game to all processes, without waiting for its delivery.

        Raises:
            ValueError: the message is longer than 7900 bytes of JSON.
        """

    @abstractmethod
    async def start(self) -> None:
        """Begin to receive messages."""

    @abstractmethod
    async def close(self) -> None:
        """Stop receiving messages. May be called twice."""

    def _deliver(self, game: str, message: dict[str, Any]) -> None:
        for callback in tuple(self._callbacks):
            try:
                callback(game, message)
            except Exception:
                _log.exception("subscriber_failed")


class LocalBus(Bus):
    """A bus within one process."""

    async def start(self) -> None:
        """Do nothing: there is no connection to open."""

    async def close(self) -> None:
        """Do nothing: there is no connection to close."""

    async def publish(self, game: str, message: dict[str, Any]) -> None:
        """See `Bus.publish`."""
        _encoded("", game, message)
        asyncio.get_running_loop().call_soon(self._deliver, game, message)


class PostgresBus(Bus):
    """A bus through a PostgreSQL database, over two connections of its own, each with a thread.

    Args:
        url: ``postgresql://...``, as psycopg takes it.
    """

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._own = secrets.token_hex(4)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: deque[str] = deque(maxlen=_WAITING)
        self._wake = threading.Condition()
        self._closing = threading.Event()
        self._listening = threading.Event()
        self._threads: list[threading.Thread] = []

    async def start(self) -> None:
        """Begin to receive messages; returns once connected, or after five seconds without a connection."""
        self._loop = asyncio.get_running_loop()
        for name, work in (("tengen-listener", self._listen), ("tengen-notifier", self._notify)):
            thread = threading.Thread(target=self._work_connected, args=(work,), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)
        await asyncio.to_thread(self._listening.wait, 5.0)

    async def close(self) -> None:
        """See `Bus.close`; waiting messages are still sent if there is a connection."""
        self._closing.set()
        with self._wake:
            self._wake.notify_all()
        for thread in self._threads:
            await asyncio.to_thread(thread.join, 5.0)

    async def publish(self, game: str, message: dict[str, Any]) -> None:
        """See `Bus.publish`; the subscribers in this process receive the message directly."""
        encoded = _encoded(self._own, game, message)
        with self._wake:
            self._waiting.append(encoded)
            self._wake.notify()
        asyncio.get_running_loop().call_soon(self._deliver, game, message)

    # -- in the threads

    def _work_connected(self, work: Callable[[Any], None]) -> None:
        """Connect and work until the bus is closed; reconnect after a failure.

        The connection is synchronous, in a thread: psycopg's asynchronous connections do not run in the
        event loop of Windows.
        """
        import psycopg

        failures = 0
        while not self._closing.is_set():
            began = time.monotonic()
            try:
                with psycopg.connect(self._url, autocommit=True, connect_timeout=5) as connection:
                    work(connection)
            except (psycopg.Error, OSError) as error:
                failures = 1 if time.monotonic() - began > _HEALTHY else failures + 1
                _log.warning("bus_disconnected", extra={"reason": str(error).strip().split("\n")[0]})
                self._closing.wait(_PAUSES[min(failures, len(_PAUSES)) - 1])

    def _listen(self, connection: Any) -> None:
        connection.execute(f"LISTEN {_CHANNEL}")
        if self._listening.is_set():
            self._deliver_soon("", dict(MISSED))
        self._listening.set()
        while not self._closing.is_set():
            for notice in connection.notifies(timeout=_LISTEN_FOR):
                self._receive(notice.payload)
                if self._closing.is_set():
                    return

    def _receive(self, payload: str) -> None:
        try:
            sender, game, message = json.loads(payload)
        except (ValueError, TypeError):
            # The channel's name is no secret: every user of the database may write into it.
            _log.warning("bus_nonsense")
            return
        if sender != self._own and isinstance(message, dict):
            self._deliver_soon(str(game), message)

    def _deliver_soon(self, game: str, message: dict[str, Any]) -> None:
        assert self._loop is not None
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._deliver, game, message)

    def _notify(self, connection: Any) -> None:
        while True:
            with self._wake:
                while not self._waiting and not self._closing.is_set():
                    self._wake.wait()
                if not self._waiting:
                    return
                group = tuple(self._waiting)
            # One transaction for all waiting messages; duplicates within it are delivered once.
            with connection.transaction(), connection.cursor() as cursor:
                cursor.executemany(f"SELECT {_SEND}(%s, %s)", [(_CHANNEL, encoded) for encoded in group])
            with self._wake:
                for encoded in group:
                    if self._waiting and self._waiting[0] == encoded:
                        self._waiting.popleft()


def _encoded(own: str, game: str, message: dict[str, Any]) -> str:
    text = json.dumps([own, game, message], ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    if len(text) > _LONGEST:
        raise ValueError(len(text))
    return text


def open_bus(settings: ServerSettings) -> Bus:
    """Return the bus for a database: PostgreSQL may be shared by several processes, SQLite is not."""
    if settings.is_sqlite:
        return LocalBus()
    return PostgresBus(settings.database_url.replace("postgresql+psycopg://", "postgresql://", 1))
