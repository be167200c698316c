"""Who is not let in, by a file that the operator may change at any time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from tengen.web.transport.blocklist import POLL, Blocklist
from tengen.web.transport.settings import SettingsError
from tests.console import until
from tests.web.serving import Server, serve


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "blocked.txt"
    path.write_text("# of November\n203.0.113.7\n\n198.51.100.0/24  # a whole network\n2001:db8::/32\n")
    return path


@pytest.mark.parametrize(
    ("address", "blocked"),
    [
        ("203.0.113.7", True),
        ("203.0.113.8", False),
        ("198.51.100.200", True),
        ("::ffff:198.51.100.200", True),
        ("2001:db8:1::5", True),
        ("2001:db9::5", False),
        ("", False),
        ("unix", False),
    ],
)
def test_addresses_and_networks(listed, address, blocked):
    assert (address in Blocklist(listed)) is blocked
    assert address not in Blocklist(None)


def test_a_file_that_changes_is_read_again(listed):
    clock = Clock()
    blocklist = Blocklist(listed, clock)
    assert "192.0.2.1" not in blocklist
    listed.write_text("192.0.2.1\n")
    clock.now += POLL
    assert "192.0.2.1" in blocklist
    assert "203.0.113.7" not in blocklist


@pytest.mark.parametrize("damage", [lambda path: path.write_text("everybody\n"), Path.unlink])
def test_what_cannot_be_read_changes_nothing_and_is_told(listed, damage, caplog):
    clock = Clock()
    blocklist = Blocklist(listed, clock)
    damage(listed)
    clock.now += POLL
    assert "203.0.113.7" in blocklist
    assert "blocklist_kept" in caplog.text
    listed.write_text("192.0.2.1\n")
    clock.now += POLL
    assert "192.0.2.1" in blocklist


def test_a_server_does_not_start_with_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(SettingsError, match="cannot be read"):
        Blocklist(tmp_path / "nothing.txt")
    path = tmp_path / "wrong.txt"
    path.write_text("192.0.2.1\n192.0.2.300\n")
    with pytest.raises(SettingsError, match=r"line 2 of .*192\.0\.2\.300.*expected an address"):
        Blocklist(path)


# -- at the door


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Server]:
    path = tmp_path / "blocked.txt"
    path.write_text("203.0.113.7\n")
    with serve(public=True, origin="http://127.0.0.1", blocklist=path) as server:
        yield server


def test_whoever_is_blocked_gets_nothing(guarded):
    headers = {"X-Forwarded-For": "203.0.113.7"}
    for path in ("/", "/api/server", "/static/shared/app.js"):
        answer = httpx.get(guarded.url + path, headers=headers)
        assert answer.status_code == 403
        assert answer.json()["error"]["key"] == "error.web.blocked"
    with pytest.raises(InvalidStatus):
        connect(f"{guarded.ws}/api/analysis", additional_headers=headers)
    assert httpx.get(f"{guarded.url}/api/server").status_code == 200


@pytest.mark.long
def test_whoever_is_blocked_while_it_is_connected_is_disconnected(guarded):
    headers = {"X-Forwarded-For": "198.51.100.9"}
    path = guarded.settings.blocklist
    assert path is not None
    with connect(f"{guarded.ws}/api/challenges/live", additional_headers=headers) as socket:
        assert json.loads(socket.recv(60))["type"] == "challenges"
        path.write_text("198.51.100.0/24\n")
        until(lambda: httpx.get(f"{guarded.url}/api/server", headers=headers).status_code == 403)
        socket.send("{}")
        with pytest.raises(ConnectionClosedError):
            list(socket)
    assert socket.protocol.close_code == 1008
