"""The load of `benchmarks.hosting`: every move is played, shown to both clients, and counted."""

from __future__ import annotations

import asyncio
import os

import pytest
from benchmarks import hosting
from benchmarks.web import Load

from tests.web.postgres import Cluster, needs_postgres
from tests.web.serving import serve

LOAD = Load(games=2, rate=20.0, seconds=0.5)


@pytest.mark.long
def test_one_process(capsys: pytest.CaptureFixture[str]) -> None:
    with serve() as server:
        found = asyncio.run(hosting.measured([server.url], [os.getpid()], LOAD))
    assert (len(found.delays), found.lost) == (10, 0)
    assert 0 < found.at(0.5) <= found.at(1.0)
    assert found.cost >= 0
    hosting.tell(found, LOAD, 1)
    assert "1 process, 2 games, 4 clients" in capsys.readouterr().out


@needs_postgres
@pytest.mark.long
def test_the_clients_of_a_game_may_be_at_two_processes(postgres: Cluster) -> None:
    database = postgres.new_database()
    with serve(database=database) as one, serve(database=database) as other:
        found = asyncio.run(hosting.measured([one.url, other.url], [os.getpid()], LOAD))
    assert (len(found.delays), found.lost) == (10, 0)
