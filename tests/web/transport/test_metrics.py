"""What a server counts, and who may read it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.sync.client import connect

from tengen.web.transport.limits import QUOTAS, Quota, Rate
from tengen.web.transport.settings import ServerSettings, SettingsError
from tests.console import until
from tests.web.serving import Server, serve

Samples = dict[tuple[str, tuple[str, ...]], float]


@pytest.fixture(scope="module")
def counting() -> Iterator[Server]:
    with serve(metrics="127.0.0.1, 10.0.0.0/8") as server:
        yield server


def read(server: Server) -> Samples:
    """The samples by their name and the values of their labels, these by the labels' names."""
    answer = httpx.get(f"{server.url}/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    families = text_string_to_metric_families(answer.text)
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def comes(server: Server, is_so: Callable[[Samples], bool]) -> None:
    until(lambda: is_so(read(server)))


def grows(server: Server, key: tuple[str, tuple[str, ...]], value: float) -> None:
    comes(server, lambda now: now.get(key, 0) == value)


# -- who may read it


def test_nobody_reads_the_metrics_unless_the_operator_says_who():
    with serve() as server:
        missing = httpx.get(f"{server.url}/nowhere")
        answer = httpx.get(f"{server.url}/metrics")
    assert (answer.status_code, answer.text) == (404, missing.text)


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"])
def test_nobody_reads_them_through_a_proxy(counting, header):
    """Which may stand at an address that may read them."""
    assert httpx.get(f"{counting.url}/metrics", headers={header: "127.0.0.1"}).status_code == 404
    assert httpx.get(f"{counting.url}/metrics").status_code == 200


def test_only_addresses_that_are_named_read_them():
    with serve(metrics="10.0.0.0/8,2001:db8::/32") as server:
        assert httpx.get(f"{server.url}/metrics").status_code == 404


@pytest.mark.parametrize("text", ["everybody", "127.0.0.1,10.0.0.0/99", "127.0.0.1:9090"])
def test_who_may_read_them_has_an_address(text, tmp_path):
    with pytest.raises(SettingsError, match="not an address or a network"):
        ServerSettings(data=tmp_path, metrics=text)


# -- what is counted


def test_requests_by_route_and_status(counting):
    before = read(counting)
    made = httpx.post(f"{counting.url}/api/games", json={}).json()
    for game in (made["id"], "nothing"):
        httpx.get(f"{counting.url}/api/games/{game}")
    httpx.get(f"{counting.url}/secret/{made['id']}")
    for labels in (
        ("POST", "/api/games", "201"),
        ("GET", "/api/games/{game}", "200"),
        ("GET", "/api/games/{game}", "404"),
        ("other", "other", "404"),
    ):
        key = ("tengen_requests_total", labels)
        grows(counting, key, before.get(key, 0) + 1)
    after = read(counting)
    assert after["tengen_request_seconds_count", ("POST", "/api/games")] >= 1
    assert after["tengen_request_seconds_sum", ("POST", "/api/games")] > 0
    assert made["id"] not in str(after)


def test_games_and_clients(counting):
    game = httpx.post(f"{counting.url}/api/games", json={}).json()["id"]
    route = ("/api/games/{game}/live",)
    with connect(f"{counting.ws}/api/games/{game}/live") as socket:
        socket.send(json.dumps({"type": "hello", "tokens": []}))
        socket.recv(60)
        now = read(counting)
        assert now["tengen_clients", route] == 1
        assert now["tengen_games", ()] >= 1
    comes(counting, lambda now: now["tengen_clients", route] == 0)


def test_searches(counting):
    before = read(counting)
    wanted = {"rules": "tictactoe", "black": "lines", "white": "human"}
    game = httpx.post(f"{counting.url}/api/games", json=wanted).json()["id"]
    until(lambda: httpx.get(f"{counting.url}/api/games/{game}").json()["ply"] == 1)
    explained = httpx.post(f"{counting.url}/api/explain", json={"player": "lines", "rules": "tictactoe"})
    assert explained.status_code == 200
    after = read(counting)
    for kind in ("move", "page"):
        key = ("tengen_search_seconds_count", (kind,))
        assert after[key] == before.get(key, 0) + 1
    for name in ("tengen_searches_running", "tengen_searches_waiting"):
        assert {labels for found, labels in after if found == name} == {
            ("engine",),
            ("players",),
            ("analysis",),
        }
    comes(counting, lambda now: now["tengen_searches_running", ("players",)] == 0)


def test_refusals_and_memory(monkeypatch):
    monkeypatch.setitem(QUOTAS, "name", Quota(Rate(1, 0.01)))
    with serve(metrics="127.0.0.1", public=True, origin="http://127.0.0.1") as server:
        for _ in range(3):
            httpx.post(f"{server.url}/api/visitor", json={"name": "Anna"})
        counted = read(server)
    assert counted["tengen_refusals_total", ("name",)] == 2
    assert counted["process_resident_memory_bytes", ()] > 1_000_000
    assert counted["process_cpu_seconds_total", ()] > 0
