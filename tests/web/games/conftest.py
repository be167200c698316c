"""A server for the tests of a module, and two people who use it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.web.serving import Server, serve


@pytest.fixture(scope="module")
def house() -> Iterator[Server]:
    with serve() as running:
        yield running


@pytest.fixture
def anna(house: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=house.url, timeout=60) as client:
        yield client


@pytest.fixture
def ben(house: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=house.url, timeout=60) as client:
        yield client
