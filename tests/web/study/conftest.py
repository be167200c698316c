"""A server whose engine is ready, and a client of the WebSocket that a module tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.serving import Server, serve
from tests.web.study.sockets import SocketClient


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    """One server for all tests of a module; it has one place to search in."""
    with serve() as running, SocketClient.opened(running, "/api/queries") as client:
        client.send(id=0, moves="h8", seconds=0.1)
        while not client.hear()["final"]:
            pass
        yield running


@pytest.fixture
def client(site: Server, request: pytest.FixtureRequest) -> Iterator[SocketClient]:
    """A client as the module's own `opened` makes it."""
    with request.module.opened(site) as made:
        yield made
