"""Messages between server processes."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from typing import Any

import psycopg
import pytest

from tengen.web.transport.bus import MISSED, LocalBus, PostgresBus, open_bus
from tengen.web.transport.settings import ServerSettings
from tests.web.world import until


class Ear:
    """Hears what a bus says."""

    def __init__(self, bus):
        self.heard: list[tuple[str, dict[str, Any]]] = []
        self.end = bus.subscribe(lambda game, message: self.heard.append((game, message)))

    async def wait_for(self, game, message):
        await until(lambda: (game, message) in self.heard)


@asynccontextmanager
async def started(*buses):
    async with AsyncExitStack() as stack:
        for bus in buses:
            await bus.start()
            stack.push_async_callback(bus.close)
        yield


def test_the_bus_fits_the_database(tmp_path):
    assert isinstance(open_bus(ServerSettings(data=tmp_path)), LocalBus)
    assert isinstance(
        open_bus(ServerSettings(data=tmp_path, database="postgresql://localhost/x")), PostgresBus
    )


async def test_in_one_process():
    bus = LocalBus()
    ear, deaf = Ear(bus), Ear(bus)
    deaf.end()
    deaf.end()
    async with started(bus):
        await bus.publish("g", {"version": 2})
        assert ear.heard == []  # told later, so that nobody is called back while it calls
        await ear.wait_for("g", {"version": 2})
    assert deaf.heard == []


def test_a_subscriber_that_fails_does_not_silence_the_others(caplog):
    def fail(*_):
        raise ZeroDivisionError

    async def work():
        bus = LocalBus()
        bus.subscribe(fail)
        ear = Ear(bus)
        await bus.publish("g", {})
        await ear.wait_for("g", {})

    asyncio.run(work())
    assert "subscriber_failed" in caplog.text


@pytest.mark.long
async def test_between_processes(postgres):
    url = postgres.new_database()
    one, two = PostgresBus(url), PostgresBus(url)
    async with started(one, two):
        near, far = Ear(one), Ear(two)
        for version in range(200):
            await one.publish("g", {"version": version})
        await two.publish("h", {"do": "hurry", "who": "黑"})
        await far.wait_for("g", {"version": 199})
        await near.wait_for("h", {"do": "hurry", "who": "黑"})
        expected = [("g", {"version": version}) for version in range(200)]
        assert [item for item in far.heard if item[0] == "g"] == expected
        assert [item for item in near.heard if item[0] == "g"] == expected


@pytest.mark.long
async def test_other_databases_hear_nothing(postgres):
    one, two = PostgresBus(postgres.new_database()), PostgresBus(postgres.new_database())
    async with started(one, two):
        near, far = Ear(one), Ear(two)
        await one.publish("g", {"version": 1})
        await near.wait_for("g", {"version": 1})
        await two.publish("g", {"version": 2})
        await far.wait_for("g", {"version": 2})
        assert far.heard == [("g", {"version": 2})]


async def test_what_is_too_long_is_refused(postgres):
    for bus in (LocalBus(), PostgresBus(postgres.url("postgres"))):
        with pytest.raises(ValueError, match="80"):
            await bus.publish("g", {"text": "x" * 8000})


@pytest.mark.long
async def test_nonsense_on_the_channel_is_passed_over(postgres):
    url = postgres.new_database()
    bus, other = PostgresBus(url), PostgresBus(url)
    async with started(bus, other):
        ear = Ear(bus)
        with psycopg.connect(url, autocommit=True) as connection:
            for text in ("", "{}", "[1, 2]", '["a", "b", "c"]', "[[], [], []]", "nonsense", "7"):
                connection.execute("select pg_notify('tengen', %s)", [text])
        await other.publish("g", {"version": 1})
        await ear.wait_for("g", {"version": 1})
        assert len(ear.heard) == 1


@pytest.mark.long
async def test_a_connection_that_breaks_is_made_again(postgres):
    """Every listener is told that it may have missed something, and hears what comes afterwards."""
    url = postgres.new_database()
    one, two = PostgresBus(url), PostgresBus(url)
    async with started(one, two):
        far = Ear(two)
        with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s",
                [psycopg.conninfo.conninfo_to_dict(url)["dbname"]],
            )
        await far.wait_for("", dict(MISSED))
        await one.publish("g", {"version": 7})
        await far.wait_for("g", {"version": 7})


class Clock:
    """The time that connections last, and the pauses between them; the bus is closed after the last one.

    Args:
        bus: whose connections.
        lasting: seconds that they last, one after the other.
    """

    def __init__(self, bus, lasting):
        self.pauses: list[float] = []
        self._bus, self._lasting, self._now = bus, list(lasting), 0.0

    def monotonic(self):
        return self._now

    def work(self, _connection):
        self._now += self._lasting.pop(0)
        raise OSError("the connection has broken")

    def wait(self, seconds):
        self.pauses.append(seconds)
        if not self._lasting:
            self._bus._closing.set()


@pytest.mark.parametrize(
    ("lasting", "pauses"),
    [
        ([0.0] * 6, [0.1, 0.3, 1.0, 2.0, 5.0, 5.0]),
        ([0.0] * 5 + [61.0, 0.0], [0.1, 0.3, 1.0, 2.0, 5.0, 0.1, 0.3]),
        ([59.0] * 3, [0.1, 0.3, 1.0]),
        ([61.0] * 3, [0.1, 0.1, 0.1]),
    ],
)
def test_only_a_break_soon_after_another_waits_longer(monkeypatch, lasting, pauses):
    bus = PostgresBus("postgresql://nowhere")
    clock = Clock(bus, lasting)
    monkeypatch.setattr("psycopg.connect", lambda *_, **__: nullcontext())
    monkeypatch.setattr("tengen.web.transport.bus.time", clock)
    monkeypatch.setattr(bus._closing, "wait", clock.wait)
    bus._work_connected(clock.work)
    assert clock.pauses == pauses


async def test_without_a_database_a_bus_starts_and_ends(tmp_path):
    bus = PostgresBus(f"postgresql://tengen@/x?host={tmp_path}")
    bus._listening.set()  # do not wait for it here
    async with started(bus):
        ear = Ear(bus)
        await bus.publish("g", {"version": 1})
        await ear.wait_for("g", {"version": 1})
