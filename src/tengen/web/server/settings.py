"""What a server is told when it starts: where it listens, where games are kept, how careful it is."""

from __future__ import annotations

import ipaddress
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import quote, urlsplit

from tengen.game.notation import shorten
from tengen.words import TengenError

DATABASE_FILE = "games.sqlite"
"""The file in the data directory that holds the games, where no database is named."""

DRIVERS = ("sqlite", "postgresql")


DELETE_AFTER = 365
"""Days without a change after which a public server deletes a game, if it is not told otherwise."""


Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

Part: TypeAlias = Literal["games", "lobby", "names", "phrases"]
"""What an operator may switch off: new games, the lobby, names of visitors, phrases."""


class SettingsError(TengenError):
    """A server cannot be started in this way."""


def default_data() -> Path:
    """The platform's place for what programs keep, ``~/.local/share/tengen`` on Linux.

    ``TENGEN_DATA`` in the environment names another.
    """
    given = os.environ.get("TENGEN_DATA")
    if given:
        return Path(given).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "Tengen"
    if sys.platform == "darwin":
        return Path.home() / "Library" / " ".join(("Application", "Support")) / "Tengen"
    base = os.environ.get("XDG_DATA_HOME")
    # The XDG specification has relative paths ignored.
    folder = Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "share"
    return folder / "tengen"


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How a server runs.

    Attributes:
        data: the folder that holds the games, and whatever else the server keeps.
        database: a URL, ``postgresql://user:password@host/name`` or ``sqlite:///file``; empty for SQLite in
            the data directory.
        host: the address to listen on.
        port: the port; 0 for a free one.
        public: whether strangers reach it: cookies that travel only through HTTPS, limits for each address.
        origin: the address that browsers know a public server by, ``https://tengen.example``; empty if it
            has no single one.
        proxies: the addresses of proxies whose word about the visitor's address counts, with commas.
        workers: where players of pure Python think: ``"processes"``, ``"threads"`` or a Dask scheduler.
        processes: how many of them at once; None for one a processor.
        engine_threads: how many games the engine thinks about at once; None for one a processor.
        warm_up: whether the engine is compiled when the server starts, in a process of its own.
        log: how lines of the log look.
        log_level: how much is logged, ``"warning"`` or ``"info"``, which has every request.
        max_body: the most bytes of a request.
        max_message: the most bytes of a message through a WebSocket.
        grace: seconds that requests have to end when the server stops.
        metrics: the addresses and networks that may read ``/metrics``, with commas; empty for nobody.
        blocklist: a file of addresses and networks that are not let in; None for nobody.
        closed: whether no new games are begun.
        lobby: whether there is a lobby.
        names: whether visitors may have names.
        phrases: whether two people may say phrases to each other.
        delete_after: days after which a game is deleted that nobody has changed or opened; 0 for never,
            None for `DELETE_AFTER` on a public server and never elsewhere.
    """

    data: Path
    database: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
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
        """Refuse what cannot work.

        Raises:
            SettingsError: the database is of an unknown kind, the origin is no address, or one of those
                that may read the metrics is none.
        """
        _ = self.database_url, self.metrics_networks
        if self.origin and not re.fullmatch(r"https?://[^/?#@\s]+", self.origin):
            raise SettingsError("error.web.origin", text=shorten(self.origin))

    @property
    def database_url(self) -> str:
        """The URL of the database, with the driver that talks to it.

        Raises:
            SettingsError: it is no URL of a kind that Tengen keeps games in.
        """
        if not self.database:
            return f"sqlite:///{quote(str(self.data / DATABASE_FILE), safe='/: ()')}"
        scheme, colon, rest = self.database.partition("://")
        kind = {"postgres": "postgresql"}.get(scheme.partition("+")[0], scheme.partition("+")[0])
        if not colon or kind not in DRIVERS or (kind == "sqlite" and rest in {"", "/", "/:memory:"}):
            raise SettingsError("error.web.database_url", text=_without_password(self.database))
        return f"{'postgresql+psycopg' if kind == 'postgresql' else 'sqlite'}://{rest}"

    @property
    def metrics_networks(self) -> tuple[Network, ...]:
        """Who may read ``/metrics``.

        Raises:
            SettingsError: one of them is no address and no network.
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
        """What the operator has switched off; pages do not show it."""
        parts: dict[Part, bool] = {
            "games": self.closed,
            "lobby": self.closed or not self.lobby,
            "names": not self.names,
            "phrases": not self.phrases,
        }
        return tuple(part for part, is_off in parts.items() if is_off)

    @property
    def is_sqlite(self) -> bool:
        """Whether games are kept in a file of this machine."""
        return self.database_url.startswith("sqlite")

    @property
    def days_kept(self) -> int:
        """Days without a change after which a game is deleted; 0 for never."""
        if self.delete_after is None:
            return DELETE_AFTER if self.public else 0
        return self.delete_after

    @property
    def is_local(self) -> bool:
        """Whether nobody but this machine can reach it."""
        return is_loopback(self.host)


def is_among(address: str, networks: Iterable[Network]) -> bool:
    """Whether an address lies in one of some networks; what is no address does not."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return any((mapped or ip) in network for network in networks)


def is_loopback(host: str) -> bool:
    """Whether a name or an address is this machine's own, that nobody else can reach."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _without_password(url: str) -> str:
    try:
        parts = urlsplit(url)
        password = parts.password
    except ValueError:
        return ""
    return shorten(url.replace(f":{password}@", ":...@") if password else url)
