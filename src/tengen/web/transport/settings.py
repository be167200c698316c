"""The settings of a server: its address, its storage, its limits and its security."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import quote, urlsplit

from tengen.game.notation import shorten
from tengen.user_folders import data_folder
from tengen.words import TengenError

DATABASE_FILE = "games.sqlite"
"""The SQLite file in the data folder that stores the games, if no database is set."""

DRIVERS = ("sqlite", "postgresql")

PORT = 8000
"""The default port; if it is taken, a later port that is free."""


DELETE_AFTER = 365
"""The default number of days without a change after which a public server deletes a game."""


Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

Part: TypeAlias = Literal["games", "lobby", "names", "phrases"]
"""The parts that an operator may switch off: new games, the lobby, visitors' names, phrases."""


class SettingsError(TengenError):
    """Settings with which a server cannot be started."""


def default_data() -> Path:
    """Return the folder that the environment variable ``TENGEN_DATA`` names, or the user's for data."""
    given = os.environ.get("TENGEN_DATA")
    return Path(given).expanduser() if given else data_folder()


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server.

    Attributes:
        data: the folder for the games and all other data of the server.
        database: a URL, ``postgresql://user:password@host/name`` or ``sqlite:///file``; empty for SQLite in
            the data folder.
        host: the address to listen on.
        port: the port; 0 for a free one.
        public: whether strangers can reach the server: cookies are then sent over HTTPS only, and addresses
            have limits.
        origin: the address of a public server in browsers, ``https://tengen.example``; empty if it has no
            single one.
        proxies: the addresses of trusted proxies, which report the visitor's address, separated by commas.
        workers: where players of pure Python think: ``"processes"``, ``"threads"`` or a Dask scheduler.
        processes: the number of those workers; None for one per processor.
        engine_threads: the number of games about which the engine thinks at once; None for one per
            processor.
        warm_up: whether the engine is compiled when the server starts, in a separate process.
        log: the format of the log.
        log_level: the lowest level that is logged, such as ``"warning"``, or ``"info"`` to include every
            request.
        max_body: the most bytes of a request.
        max_message: the most bytes of a message through a WebSocket.
        grace: seconds that requests have to end when the server stops.
        metrics: the addresses and networks that may read ``/metrics``, separated by commas; empty for none.
        blocklist: a file of blocked addresses and networks; None for none.
        closed: whether new games are switched off.
        lobby: whether there is a lobby.
        names: whether visitors may have names.
        phrases: whether two people may send phrases to each other.
        delete_after: the days after which an unused game, neither changed nor opened, is deleted; 0 for
            never, None for `DELETE_AFTER` on a public server and never on others.
    """

    data: Path
    database: str = ""
    host: str = "127.0.0.1"
    port: int = PORT
    public: bool = False
    origin: str = ""
    proxies: str = "127.0.0.1"
    workers: str = "processes"
    processes: int | None = None
    engine_threads: int | None = None
    warm_up: bool = True
    log: Literal["plain", "json"] = "plain"
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    max_body: int = 8 * 1024 * 1024
    max_message: int = 64 * 1024
    grace: float = 5.0
    metrics: str = ""
    blocklist: Path | None = None
    closed: bool = False
    lobby: bool = True
    names: bool = True
    phrases: bool = True
    delete_after: int | None = None

    def __post_init__(self) -> None:
        """Check the settings.

        Raises:
            SettingsError: the database is not supported, the origin is not a URL without a path, or an
                entry of `metrics` is neither an address nor a network.
        """
        _ = self.database_url, self.metrics_networks
        if self.origin and not re.fullmatch(r"https?://[^/?#@\s]+", self.origin):
            raise SettingsError("error.web.origin", text=shorten(self.origin))

    @property
    def database_url(self) -> str:
        """The URL of the database, with the name of its driver.

        Raises:
            SettingsError: the text is not a URL, or its database is not supported.
        """
        if not self.database:
            return f"sqlite:///{quote(str(self.data / DATABASE_FILE), safe='/: ()')}"
        scheme, colon, rest = self.database.partition("://")
        kind = {"postgres": "postgresql"}.get(scheme.partition("+")[0], scheme.partition("+")[0])
        if not colon or kind not in DRIVERS or (kind == "sqlite" and rest in {"", "/", "/:memory:"}):
            raise SettingsError("error.web.database_url", text=shorten(without_password(self.database)))
        return f"{'postgresql+psycopg' if kind == 'postgresql' else 'sqlite'}://{rest}"

    @property
    def metrics_networks(self) -> tuple[Network, ...]:
        """The networks that may read ``/metrics``.

        Raises:
            SettingsError: an entry is neither an address nor a network.
        """
        found = []
        for text in filter(None, map(str.strip, self.metrics.split(","))):
            try:
                found.append(ipaddress.ip_network(text, strict=False))
            except ValueError as error:
                raise SettingsError("error.web.metrics", text=shorten(text)) from error
        return tuple(found)

    @property
    def off(self) -> tuple[Part, ...]:
        """The parts that are switched off; pages hide them."""
        parts: dict[Part, bool] = {
            "games": self.closed,
            "lobby": self.closed or not self.lobby,
            "names": not self.names,
            "phrases": not self.phrases,
        }
        return tuple(part for part, is_off in parts.items() if is_off)

    @property
    def is_sqlite(self) -> bool:
        """Return whether games are stored in a SQLite file on this machine."""
        return self.database_url.startswith("sqlite")

    @property
    def days_kept(self) -> int:
        """The days after which an unused game, neither changed nor opened, is deleted; 0 for never."""
        if self.delete_after is None:
            return DELETE_AFTER if self.public else 0
        return self.delete_after

    @property
    def is_local(self) -> bool:
        """Return whether only this machine can reach the server."""
        return is_loopback(self.host)


def is_among(address: str, networks: Iterable[Network]) -> bool:
    """Return whether an address lies in one of some networks; False for text that is not an address."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return any((mapped or ip) in network for network in networks)


def is_loopback(host: str) -> bool:
    """Return whether a host name or an address is a loopback address of this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def without_password(url: str) -> str:
    """Return a URL as it may be shown; empty if it makes no sense."""
    try:
        parts = urlsplit(url)
        password = parts.password
    except ValueError:
        return ""
    return url.replace(f":{password}@", ":...@") if password else url
