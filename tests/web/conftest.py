"""What tests of the web app have in common: a real server, and a real PostgreSQL."""

from __future__ import annotations

import inspect
import ssl
from collections.abc import Iterator
from functools import cache

import httpx
import pytest

from tests.web.postgres import Cluster
from tests.web.serving import Server, serve


@pytest.fixture(scope="session", autouse=True)
def _certificates_are_read_once() -> Iterator[None]:
    """Every client of httpx reads those of the system, though no server here has one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def _answers_may_take_their_time() -> Iterator[None]:
    """A client waits for five seconds unless told otherwise: too short on a busy machine."""
    usual = inspect.signature(httpx.Client).parameters["timeout"].default
    with pytest.MonkeyPatch.context() as patch:
        for part in ("connect", "read", "write", "pool"):
            patch.setattr(usual, part, 60.0)
        yield


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of the usual settings, on a free port."""
    with serve() as running:
        yield running


@pytest.fixture(scope="module")
def house() -> Iterator[Server]:
    """One for all tests of a module."""
    with serve() as running:
        yield running


@pytest.fixture
def anna(house: Server) -> Iterator[httpx.Client]:
    """One of two people who use it."""
    with httpx.Client(base_url=house.url, timeout=60) as client:
        yield client


@pytest.fixture
def ben(house: Server) -> Iterator[httpx.Client]:
    """The other."""
    with httpx.Client(base_url=house.url, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL server; the test is skipped where there is none."""
    cluster = Cluster()
    yield cluster
    cluster.remove()
