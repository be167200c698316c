"""Who is let in, what every answer carries, and how much one address may ask for."""

from __future__ import annotations

import json
import logging
import re
import time

import httpx
import pytest
from starlette.requests import Request
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tengen.web.transport.limits import QUOTAS, Quota, Rate
from tengen.web.transport.visitor_cookies import visitor_id
from tengen.web.transport.visitors import visitor
from tests.web.clients import new_cookie
from tests.web.serving import serve

OTHER = "https://evil.example"
COOKIE = "tengen"
SECURE_COOKIE = "__Host-tengen"
NEW_GAME = {"rules": "tictactoe", "black": "human", "white": "human"}


@pytest.fixture(scope="module")
def local():
    with serve() as server:
        yield server


@pytest.fixture(scope="module")
def public():
    with serve(public=True, origin="https://tengen.example") as server:
        yield server


def sentence(answer):
    """The sentence of an answer that is an error in the agreed form."""
    body = answer.json()
    assert body.keys() == {"error", "text"}
    assert body["error"]["key"].startswith("error.")
    return body["text"]


# -- every answer


@pytest.mark.parametrize(
    "path",
    ["/", "/healthz", "/api/server", "/static/shared/app.js", "/words/en.json", "/nowhere", "/api/no"],
)
def test_every_answer_carries_the_headers(local, path):
    headers = httpx.get(local.url + path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "server" not in headers
    assert "strict-transport-security" not in headers


def test_nothing_of_the_api_is_kept_by_caches(local):
    assert httpx.get(f"{local.url}/api/server").headers["cache-control"] == "no-store"
    assert httpx.get(f"{local.url}/api/nowhere").headers["cache-control"] == "no-store"


def test_a_fault_of_ours_is_logged_and_answered_with_a_sentence(local, monkeypatch, caplog):
    def broken(*_):
        raise RuntimeError("the inside of the server")

    monkeypatch.setattr("tengen.web.server_api.addresses", broken)
    answer = httpx.get(f"{local.url}/api/server")
    assert answer.status_code == 500
    assert "logged" in sentence(answer)
    assert "inside" not in answer.text
    assert "content-security-policy" in answer.headers
    assert "RuntimeError: the inside of the server" in caplog.text


# -- errors in the agreed form


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "text"),
    [
        ("GET", "/api/nowhere", None, 404, "nothing at this address"),
        ("PUT", "/healthz", None, 405, "kind of request"),
        ("POST", "/api/games", b"{not json", 400, "this JSON cannot be read"),
        ("POST", "/api/games", b"[" * 100_000, 400, "this JSON cannot be read"),
        ("POST", "/api/games", b'{"rules": 7}', 422, "rules"),
        ("POST", "/api/games", b'"text"', 422, "expected an object"),
        ("GET", "/api/qr", None, 422, "text is missing"),
    ],
)
def test_errors_are_one_sentence(local, method, path, body, status, text):
    headers = {"Content-Type": "application/json"}
    answer = httpx.request(method, local.url + path, content=body, headers=headers)
    assert answer.status_code == status
    assert text in sentence(answer)


def test_what_is_too_large_is_refused(local):
    most = local.settings.max_body
    declared = httpx.post(f"{local.url}/api/games", content=b"x" * (most + 1))
    assert (declared.status_code, "too large" in sentence(declared)) == (413, True)

    def pieces():
        for _ in range(most // 65536 + 2):
            yield b"x" * 65536

    streamed = httpx.post(f"{local.url}/api/games", content=pieces())
    assert (streamed.status_code, "too large" in sentence(streamed)) == (413, True)


# -- the visitor


def cookie_of(answer):
    return dict(part.partition("=")[::2] for part in answer.headers["set-cookie"].split("; "))


def test_a_new_visitor_gets_a_cookie(local):
    cookie = cookie_of(httpx.get(local.url))
    assert re.fullmatch(r"[\w-]{22}\.[\w-]{22}", cookie[COOKIE])
    assert (cookie["SameSite"], cookie["Max-Age"], cookie["Path"]) == ("Lax", "31536000", "/")
    assert "HttpOnly" in cookie
    assert "Secure" not in cookie
    assert cookie_of(httpx.get(local.url))[COOKIE] != cookie[COOKIE]


def test_a_visitor_is_known_again(local):
    with httpx.Client(base_url=local.url) as browser:
        name = cookie_of(browser.get("/"))[COOKIE]
        assert cookie_of(browser.get("/games"))[COOKIE] == name
        made = browser.post("/api/games", json=NEW_GAME).json()
        assert [game["id"] for game in browser.get("/api/games").json()["games"]] == [made["id"]]
    assert httpx.get(f"{local.url}/api/games").json()["total"] == 0


SIGNED = f"{'s' * 22}.{'s' * 22}"


@pytest.mark.parametrize(
    "name", ["", "short", "x" * 22, "x" * 23, "a" * 21 + ";", "é" * 11, SIGNED, "." * 45, f"{'x' * 22}."]
)
def test_a_cookie_that_is_none_of_ours_is_replaced(local, name):
    answer = httpx.get(local.url, headers=[(b"Cookie", f"{COOKIE}={name}".encode())])
    assert cookie_of(answer)[COOKIE] != name


def test_a_visitor_cannot_choose_its_cookie(local):
    """Neither a secret of one's own, nor another one's signature, nor the id that the database has."""
    given = cookie_of(httpx.get(local.url))[COOKIE]
    secret, _, signature = given.partition(".")
    other = cookie_of(httpx.get(local.url))[COOKIE].partition(".")[2]
    headers = {"Cookie": f"{COOKIE}={given}"}
    assert httpx.post(f"{local.url}/api/visitor", json={"name": "Anna"}, headers=headers).status_code == 200
    changed = secret[:-1] + ("A" if secret[-1] != "A" else "B")
    for tried in (secret, f"{secret}.{other}", f"{changed}.{signature}", visitor_id(secret), f"{given}x"):
        told = httpx.get(f"{local.url}/api/visitor", headers={"Cookie": f"{COOKIE}={tried}"})
        assert told.json()["name"] == ""
        assert cookie_of(told)[COOKIE] not in (tried, given)
    assert httpx.get(f"{local.url}/api/visitor", headers=headers).json()["name"] == "Anna"


def test_a_public_server_has_careful_cookies(public):
    answer = httpx.get(public.url, headers={"Host": "tengen.example"})
    cookie = cookie_of(answer)
    assert "Secure" in cookie
    assert (cookie["Path"], "Domain" in cookie) == ("/", False)
    assert re.fullmatch(r"[\w-]{22}\.[\w-]{22}", cookie[SECURE_COOKIE])
    assert answer.headers["strict-transport-security"].startswith("max-age=")


# -- where requests come from


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"Origin": "SELF"}, True),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "SELF"}, True),
        ({"Origin": OTHER}, False),
        ({"Origin": "null"}, False),
        ({"Origin": "http://127.0.0.1:1"}, False),
        ({"Origin": "http://["}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
    ],
)
def test_other_sites_may_not_write(local, headers, allowed):
    headers = {name: value.replace("SELF", local.url) for name, value in headers.items()}
    answer = httpx.post(f"{local.url}/api/games", json=NEW_GAME, headers=headers)
    assert answer.status_code == (201 if allowed else 403)
    if not allowed:
        assert "another site" in sentence(answer)
    # Reading is safe: browsers do not show the answer to the other page.
    assert httpx.get(f"{local.url}/healthz", headers=headers).status_code == 200


def live(server, **options):
    made = httpx.post(f"{server.url}/api/games", json=NEW_GAME).json()
    return connect(f"{server.ws}/api/games/{made['id']}/live", **options)


def test_other_sites_may_not_open_websockets(local):
    for origin in (OTHER, "null"):
        with pytest.raises(InvalidStatus):
            live(local, origin=origin)
    for own in (None, local.url):
        with live(local, origin=own) as socket:
            socket.send('{"type": "hello", "tokens": []}')
            assert json.loads(socket.recv(60))["type"] == "state"


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("192.168.0.7:80", True),
        ("desk:8000", True),
        ("tengen.localhost", True),
        ("evil.example", False),
        ("evil.example:8000", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example", False),
        ("[", False),
    ],
)
def test_a_name_of_somebody_elses_leads_nowhere(local, host, allowed):
    """A page of evil.example may point that name at 127.0.0.1 and then ask us as its own server."""
    answer = httpx.get(f"{local.url}/healthz", headers={"Host": host})
    assert answer.status_code == (200 if allowed else 403)


def test_a_public_server_goes_by_its_name(public):
    for host, status in (("tengen.example", 200), ("other.example", 403)):
        assert httpx.get(f"{public.url}/healthz", headers={"Host": host}).status_code == status
    headers = {"Host": "tengen.example", "Origin": "https://tengen.example"}
    answer = httpx.post(f"{public.url}/api/games", json=NEW_GAME, headers=headers)
    assert answer.status_code == 201
    assert "Secure" in cookie_of(answer)


# -- how much


def test_a_local_server_has_no_limits(local):
    with httpx.Client() as browser:
        assert {browser.get(f"{local.url}/api/server").status_code for _ in range(200)} == {200}


def test_a_public_server_answers_429_to_one_address_and_not_to_others(public, monkeypatch):
    monkeypatch.setitem(QUOTAS, "request", Quota(Rate(5, 1e-6)))
    headers = {"Host": "tengen.example", "X-Forwarded-For": "203.0.113.1"}
    with httpx.Client(base_url=public.url, headers=headers) as greedy:
        answers = [greedy.get("/api/server") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]
        assert "too many requests" in sentence(answers[-1])
        assert "retry-after" in answers[-1].headers
        assert greedy.get("/healthz").status_code == 200
    other = {**headers, "X-Forwarded-For": "203.0.113.2"}
    assert httpx.get(f"{public.url}/api/server", headers=other).status_code == 200


def test_a_public_server_limits_new_games(public, monkeypatch):
    monkeypatch.setitem(QUOTAS, "create", Quota(Rate(5, 1e-6), Rate(5, 1e-6)))
    headers = {"Host": "tengen.example", "X-Forwarded-For": "203.0.113.9"}
    with httpx.Client(base_url=public.url, headers=headers) as greedy:
        seen = [greedy.post("/api/games", json=NEW_GAME).status_code for _ in range(6)]
    assert seen == [201] * 5 + [429]


def test_a_public_server_limits_new_games_of_a_visitor_wherever_they_come_from(public, monkeypatch):
    monkeypatch.setitem(QUOTAS, "create", Quota(Rate(5, 1e-6), Rate(3, 1e-6)))

    cookie = new_cookie(public.url)

    def create(number: int) -> int:
        address = f"203.0.113.{100 + number}"
        headers = {"Host": "tengen.example", "X-Forwarded-For": address, "Cookie": cookie}
        return httpx.post(f"{public.url}/api/games", json=NEW_GAME, headers=headers).status_code

    assert [create(number) for number in range(4)] == [201] * 3 + [429]


@pytest.mark.long
def test_a_public_server_slows_down_a_flood_of_messages(monkeypatch):
    monkeypatch.setitem(QUOTAS, "flow", Quota(Rate(5, 20)))
    with serve(public=True, origin="http://127.0.0.1") as server, live(server) as socket:
        socket.send('{"type": "hello", "tokens": []}')
        began = time.monotonic()
        for number in range(25):
            socket.send(json.dumps({"type": "ping", "id": number}))
        pongs = 0
        while pongs < 25:
            pongs += json.loads(socket.recv(60))["type"] == "pong"
        assert time.monotonic() - began > 0.7


# -- the end, and the log


def test_websockets_are_told_that_the_server_stops():
    with serve() as server, live(server) as socket:
        socket.send('{"type": "hello", "tokens": []}')
        socket.recv(60)
        server.close()
        for _ in socket:  # until it is closed
            pass
        assert socket.protocol.close_code == 1001


def test_the_log_has_requests_but_no_rooms_addresses(caplog):
    caplog.set_level(logging.INFO, "tengen.web.requests")
    with serve() as server:
        made = httpx.post(f"{server.url}/api/games", json=NEW_GAME).json()
        httpx.get(f"{server.url}/api/games/{made['id']}")
        httpx.get(f"{server.url}/g/{made['id']}")
        live = f"{server.url.replace('http', 'ws')}/api/games/{made['id']}/live"
        with connect(live) as socket:
            socket.send('{"type": "hello", "tokens": []}')
            socket.recv(timeout=60)
    records = [record for record in caplog.records if record.name == "tengen.web.requests"]
    seen = [(r.method, r.path, r.status) for r in records if r.message == "request"]
    assert ("POST", "/api/games", 201) in seen
    assert len(seen) == 3
    sockets = [(r.message, r.path) for r in records if r.message != "request"]
    assert [message for message, _ in sockets] == ["socket_opened", "socket_closed"]
    told = [record.getMessage() for record in records]
    assert made["id"] not in str((seen, sockets, told))


def test_the_visitor_of_one_request_has_one_name():
    request = Request({"type": "http", "headers": [], "method": "GET", "path": "/"})
    assert visitor(request) == visitor(request)
