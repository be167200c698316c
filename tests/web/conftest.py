"""What tests of the web app have in common: a real server, and a real PostgreSQL."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from functools import cache

import pytest

from tests.web.postgres import Cluster
from tests.web.serving import Server, serve


@pytest.fixture(scope="session", autouse=True)
def _certificates_are_read_once() -> Iterator[None]:
    """Every client of httpx reads those of the system, though no server here has one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of the usual settings, on a free port."""
    with serve() as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL server; the test is skipped where there is none."""
    cluster = Cluster()
    yield cluster
    cluster.remove()
