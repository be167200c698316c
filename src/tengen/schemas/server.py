"""The server itself: its health, and what a page has to know of it."""

from __future__ import annotations

from typing import Literal

from tengen.schemas.base import Schema


class HealthData(Schema):
    """The health of the server."""

    status: Literal["ok", "database"]
    """`database` while the database does not answer."""
    version: str
    engine: str
    """The status of the engine: `ready`, `compiling` or `failed`."""


class EngineStatus(Schema):
    """The state of the engine."""

    status: str
    """`ready`, `compiling` or `failed`."""
    done: float
    """1 when it is ready, 0 before."""


class ServerData(Schema):
    """The data of the server that pages need."""

    version: str
    schema_version: int
    """The version of the models, `tengen.schemas.VERSION`."""
    addresses: tuple[str, ...]
    """The addresses to share; empty if only this machine can reach the server."""
    engine: EngineStatus
    off: tuple[str, ...]
    """The parts that are switched off."""
    days_kept: int
    """The days after which a game that nobody has changed or opened is deleted; 0 for never."""
