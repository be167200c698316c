"""What tests of the web app have in common: a real server, and a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.postgres import Cluster
from tests.web.serving import Server, serve


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
