"""``tengen serve``: the real command as a process, from its first line to its end."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager

import httpx
import pytest

from tengen.web import start
from tengen.web.process import listen
from tengen.web.transport.addresses import network_hosts
from tengen.web.transport.settings import SettingsError
from tests.console import environment, process, until
from tests.console import run as console
from tests.web.transport.test_security import live

FIRST_PORT = 8110


def free_port():
    """A port that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Running:
    """The command, running.

    Attributes:
        lines: what it has printed up to its last line of greeting.
        url: its address, from that.
        ws: the same for WebSockets.
    """

    def __init__(self, words, folder, **changes):
        given = environment(TENGEN_DATA=str(folder), **changes)
        given.pop("DISPLAY", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tengen", *words],
            env=given,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        assert self.process.stdout is not None
        watch = threading.Timer(180, self.process.kill)
        watch.start()
        self.lines: list[str] = []
        while not self.lines or "Ctrl-C" not in self.lines[-1]:
            line = self.process.stdout.readline()
            assert line, (self.lines, self.process.communicate()[1])
            self.lines.append(line.rstrip("\n"))
        watch.cancel()
        found = re.search(r"http://\S+", self.lines[0])
        assert found is not None
        self.url = found.group()
        self.ws = self.url.replace("http", "ws", 1)

    def end(self, number=signal.SIGINT):
        """Send it a signal; its exit status and what else it has said."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, out, err


@contextmanager
def command(folder, *words, **changes):
    """The command for a `with` block."""
    run = Running(words, folder, **changes)
    try:
        yield run
    finally:
        if run.process.poll() is None:
            run.process.kill()
            run.process.communicate()


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The command in this process, where it does not come to serving; its data folder is `tmp_path`."""
    # This process has other tests too.
    monkeypatch.setattr("tengen.web.transport.logs.configure", lambda *_: None)
    monkeypatch.setenv("TENGEN_DATA", str(tmp_path))
    return lambda *words: console("serve", "--no-browser", *words)


def refused(answer, sentence):
    """Whether nothing came of it but one line, which says why."""
    assert (answer.status, answer.out) == (2, "")
    assert re.fullmatch(f"tengen: .*({sentence}).*\n", answer.err), answer.err
    return True


# -- its life


@pytest.mark.long
@pytest.mark.parametrize("words", [("serve", "--no-browser"), ()], ids=["serve", "nothing"])
def test_it_starts_answers_and_ends(tmp_path, words):
    folder = tmp_path / "new" / "data"
    with command(folder, *words) as run:
        assert httpx.get(f"{run.url}/healthz").json()["status"] == "ok"
        assert httpx.get(run.url).status_code == 200
        assert run.lines == [f"Tengen is running at {run.url}", "Press Ctrl-C to stop."]
        for host in network_hosts():  # only this machine gets in unless told otherwise
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((host, int(run.url.rpartition(":")[2])), timeout=60)
        assert run.end() == (0, "", "")
    assert (folder / "games.sqlite").exists()


@pytest.mark.long
def test_in_chinese_and_it_ends_as_well_when_the_system_asks(tmp_path):
    with command(tmp_path, "serve", "--no-browser", "--lang", "zh", "--port", str(free_port())) as run:
        assert run.lines == [f"天元已启动：{run.url}", "按 Ctrl-C 结束。"]
        assert run.end(signal.SIGTERM) == (0, "", "")


@pytest.mark.long
def test_it_ends_while_somebody_is_connected_and_a_computer_thinks(tmp_path):
    with command(tmp_path, "serve", "--no-browser") as run:
        game = {"rules": "freestyle", "black": "minimax,depth=8,width=40", "white": "human"}
        assert httpx.post(f"{run.url}/api/games", json=game, timeout=60).status_code == 201
        with live(run) as client:
            client.send('{"type": "hello", "tokens": []}')
            client.recv(60)
            assert run.end() == (0, "", "")


@pytest.mark.long
def test_a_game_is_there_again_after_a_kill(tmp_path):
    port = str(free_port())
    with command(tmp_path, "serve", "--no-browser", "--port", port) as run:
        made = httpx.post(f"{run.url}/api/games", json={"rules": "tictactoe"}).json()
        headers = {"Authorization": f"Bearer {made['seats']['black']}"}
        move = {"point": "b2", "ply": 0}
        address = f"{run.url}/api/games/{made['id']}"
        assert httpx.post(f"{address}/moves", json=move, headers=headers).status_code == 200
        run.process.kill()
        run.process.communicate()
    with command(tmp_path, "serve", "--no-browser", "--port", port) as run:
        assert httpx.get(f"{run.url}/api/games/{made['id']}").json()["moves"] == ["b2"]
        assert httpx.post(f"{address}/moves", json=move, headers=headers).status_code == 200


@pytest.mark.long
def test_events_go_to_the_log(tmp_path):
    with command(tmp_path, "serve", "--no-browser", "--log", "json", "--log-level", "info") as run:
        httpx.get(f"{run.url}/healthz")
        status, _, err = run.end()
    assert status == 0
    events = [json.loads(line) for line in err.splitlines()]
    (request,) = [event for event in events if event["event"] == "request"]
    assert (request["method"], request["path"], request["status"]) == ("GET", "/healthz", 200)
    assert events[-1]["level"] == "info"


@pytest.mark.long
def test_an_operators_switches(tmp_path):
    blocked = tmp_path / "blocked.txt"
    blocked.write_text("203.0.113.7\n")
    switches = ("--closed", "--no-lobby", "--no-names", "--no-phrases", "--blocklist", str(blocked))
    with command(tmp_path, "serve", "--no-browser", *switches, "--metrics", "127.0.0.1") as run:
        off = httpx.get(f"{run.url}/api/server").json()["off"]
        assert off == ["games", "lobby", "names", "phrases"]
        metrics = httpx.get(f"{run.url}/metrics").text
        assert 'tengen_requests_total{method="GET",route="/api/server",status="200"} 1.0' in metrics
        assert run.end() == (0, "", "")


# -- addresses


@pytest.mark.long
def test_in_the_network(tmp_path):
    with command(tmp_path, "serve", "--no-browser", "--lan") as run:
        port = run.url.rpartition(":")[2]
        found = [line.split()[-1] for line in run.lines if "network" in line]
        if not found:
            pytest.skip("this machine is in no network")
        assert httpx.get(f"{found[0]}/healthz").status_code == 200
        assert found[0].endswith(f":{port}")
        picture = [line for line in run.lines if set(line) & set("▄█▀")]
        assert picture == start.terminal_qr(found[0]).splitlines()


def test_a_terminal_without_block_characters_gets_no_qr_code(monkeypatch):
    assert "█" in start.terminal_qr("http://192.168.0.5:8000")

    class Ascii:
        encoding = "ascii"

    monkeypatch.setattr("sys.stdout", Ascii())
    assert start.terminal_qr("http://192.168.0.5:8000") == ""


def test_the_next_port_is_taken_unless_one_is_asked_for(monkeypatch):
    monkeypatch.setattr(start, "PORT", FIRST_PORT)
    with start.listener("127.0.0.1", None) as one, start.listener("127.0.0.1", None) as other:
        first, second = (listening.getsockname()[1] for listening in (one, other))
        assert FIRST_PORT <= first < second
        with pytest.raises(SettingsError, match=f"port {second} is already in use"):
            start.listener("127.0.0.1", second)


def test_small_answers_are_sent_at_once():
    """By the protocol of the listening socket asyncio decides whether to set TCP_NODELAY."""
    with listen("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


def test_where_there_is_no_screen_no_browser_opens(monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    start.open_browser("http://127.0.0.1:1")
    assert opened == []
    monkeypatch.setenv("DISPLAY", ":0")
    start.open_browser("http://127.0.0.1:1")
    assert opened == ["http://127.0.0.1:1"]


@pytest.mark.long
def test_the_browser_opens(tmp_path):
    """The program that BROWSER names is called with the address."""
    script, seen = tmp_path / "browser", tmp_path / "seen"
    script.write_text(f'#!/bin/sh\necho "$1" > "{seen}.new"\nmv "{seen}.new" "{seen}"\n')
    script.chmod(0o755)
    with command(tmp_path, "serve", BROWSER=f"{script} %s") as run:
        until(seen.exists)
        assert seen.read_text().strip() == run.url
        assert run.end()[0] == 0


# -- two of them


@pytest.mark.long
def test_a_second_one_leads_to_the_first(tmp_path, here):
    with command(tmp_path, "serve", "--no-browser") as run:
        answer = process("serve", "--no-browser", TENGEN_DATA=str(tmp_path))
        assert (answer.status, answer.err) == (0, "")
        assert answer.out == f"Tengen is already running at {run.url}\n"
        assert refused(here("--port", str(free_port())), "already")


@pytest.mark.long
def test_two_on_one_postgres_share_their_games(postgres, tmp_path):
    shared = {"TENGEN_DATABASE": postgres.new_database()}
    with (
        command(tmp_path, "serve", "--no-browser", **shared) as one,
        command(tmp_path, "serve", "--no-browser", **shared) as two,
    ):
        made = httpx.post(f"{one.url}/api/games", json={"rules": "tictactoe"}).json()
        path, headers = f"/api/games/{made['id']}", {"Authorization": f"Bearer {made['seats']['black']}"}
        with connected(two, path) as watching:
            move = {"point": "b2", "ply": 0}
            assert httpx.post(f"{one.url}{path}/moves", json=move, headers=headers).status_code == 200
            while '"b2"' not in watching.recv(60):
                pass
        assert httpx.get(f"{two.url}{path}").json()["moves"] == ["b2"]


@contextmanager
def connected(run, path):
    from websockets.sync.client import connect

    with connect(f"{run.ws}{path}/live") as client:
        client.send('{"type": "hello", "tokens": []}')
        yield client


# -- what cannot be


def test_a_blocklist_or_readers_of_metrics_that_cannot_be(here, tmp_path):
    assert refused(here("--blocklist", str(tmp_path / "nothing")), "nothing cannot be read")
    blocked = tmp_path / "blocked.txt"
    blocked.write_text("everybody\n")
    assert refused(here("--blocklist", str(blocked)), "line 1 of .* is everybody: expected an address")
    assert refused(here("--metrics", "everybody"), "'everybody' is not an address or a network")


def test_a_port_that_is_taken(here):
    with listen("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        assert refused(here("--port", port), f"port {port} is already in use")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--database", "mysql://me:hunter2@h/n"), "is not a database address"),
        (("--database", "postgresql://me:hunter2@127.0.0.1:1/n"), "cannot be opened.*refused"),
        (("--database", "sqlite:////nowhere/at/all.db"), "cannot be opened"),
        (("--data", "/dev/null/x"), "/dev/null/x cannot be used"),
        (("--host", "192.0.2.77"), "cannot listen on 192.0.2.77 port [0-9]+"),
        (("--port", "70000"), "at most 65535"),
        (("--port", "x"), "whole number"),
        (("--lan", "--host", "127.0.0.1"), "leave out --host"),
        (("--public", "http://tengen.example"), "starts with https"),
        (("--public", "https://tengen.example/x"), "not the address of a site"),
        (("--workers", "moon"), "not a place where work can run"),
        (("--log", "xml"), "expected one of plain, json"),
        (("--log-level", "loud"), "'loud': expected one of"),
        (("--processes", "0"), "at least 1"),
    ],
)
def test_what_cannot_be_is_one_line(here, words, sentence):
    answer = here(*words)
    assert refused(answer, sentence)
    assert "hunter2" not in answer.err


def test_the_command_line_starts_without_the_web():
    names = "('fastapi', 'uvicorn', 'sqlalchemy')"
    code = f"import sys, tengen.cli; print([name for name in {names} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
