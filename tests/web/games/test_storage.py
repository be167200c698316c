"""How much strangers may have a server keep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
import sqlalchemy as sql

from tengen.game.board import Board
from tengen.web.database import tables
from tengen.web.database.connection import open_engine
from tengen.web.games import commands, game_lists, game_rows, ratings, storage, visitor_rows
from tengen.web.games.client_messages import read_client_message
from tengen.web.games.game import Sender
from tengen.web.games.storage import charge, usage
from tengen.web.games.stored_game import Storer
from tengen.web.games.terms import GameTerms
from tengen.web.tournaments import tournament_rows
from tengen.web.tournaments.online_tournament import OnlineTournament, TournamentOptions
from tengen.web.transport.errors import Refused
from tengen.web.transport.settings import ServerSettings
from tests.web.clients import new_cookie
from tests.web.games.test_game_rows import a_game, database, settings
from tests.web.serving import Server, serve
from tests.web.world import ME, THREE, create, in_world

__all__ = ["database", "settings"]

ANNA = Storer("a" * 32, "school", 30)
BEN = Storer("b" * 32, "school", 30)
CARL = Storer("c" * 32, "elsewhere", 30)
DAY = 24 * 3600.0


def test_what_is_made_from_an_address_counts_for_so_many_days(database, monkeypatch):
    monkeypatch.setattr(storage, "MOST_ADDRESS", 5)
    now = 1_000_000 * DAY
    for storer, day in ((ANNA, 0), (BEN, 0), (ANNA, 1), (BEN, 5)):
        charge(database, storer, now + day * DAY)
    with pytest.raises(Refused) as refused:
        charge(database, ANNA, now + 5 * DAY, things=2)
    assert refused.value.message.values == {"most": 5, "days": 30}
    charge(database, CARL, now + 5 * DAY, things=5)
    charge(database, ANNA, now + 29 * DAY)
    with pytest.raises(Refused):
        charge(database, BEN, now + 29 * DAY)
    assert usage(database, BEN, now + 30 * DAY).made == 3
    charge(database, BEN, now + 30 * DAY, things=2)
    assert usage(database, CARL, now + 36 * DAY).made == 0


def test_days_that_do_not_count_any_more_are_forgotten(database):
    now = 1_000_000 * DAY
    charge(database, ANNA, now)
    charge(database, CARL, now + 40 * DAY)
    assert database.execute(tables.address_storage.select()).scalars().all() == ["elsewhere"]


def test_a_game_is_kept_as_long_as_the_list_has_room(database, monkeypatch):
    monkeypatch.setattr(storage, "MOST_VISITOR", 2)
    games = [replace(a_game(), storer=ANNA) for _ in range(3)]
    for game in games[:2]:
        storage.create(database, game)
        game_lists.join(database, game.id, ANNA.visitor, 1)
    with pytest.raises(Refused) as refused:
        storage.create(database, games[2])
    assert refused.value.message.key == "error.web.storage.visitor"
    assert game_rows.load(database, games[2].id) is None
    storage.create(database, replace(games[2], storer=BEN))
    game_lists.forget(database, games[0].id, ANNA.visitor)
    storage.create(database, replace(a_game(), storer=ANNA))


def test_a_name_counts_once(database, monkeypatch):
    monkeypatch.setattr(storage, "MOST_ADDRESS", 1)
    for name in ("Anna", "Berta"):
        visitor_rows.change_visitor(database, ANNA.visitor, 0.0, name, storer=ANNA)
    with pytest.raises(Refused):
        visitor_rows.change_visitor(database, BEN.visitor, 0.0, "Ben", storer=BEN)
    assert visitor_rows.visitors_data(database, [ANNA.visitor, BEN.visitor]).keys() == {ANNA.visitor}


def test_being_forgotten_and_what_pages_ask_for_search_no_table_as_a_whole(tmp_path):
    """What a request costs depends on what the visitor has, not on what all have."""
    engine = open_engine(ServerSettings(data=tmp_path))
    asked: list[tuple[str, Any]] = []

    def note(_connection, _cursor, statement, parameters, _context, _many):  # as SQLAlchemy calls it
        asked.append((statement, parameters))

    who = ANNA.visitor
    with engine.begin() as connection:
        sql.event.listen(engine, "before_cursor_execute", note)
        visitor_rows.forget(connection, who)
        visitor_rows.games_naming(connection, who, "", 100)
        visitor_rows.visitors_data(connection, [who])
        visitor_rows.is_former(connection, who, 0.0)
        visitor_rows.note_replaced(connection, who, 0.0)
        tournament_rows.ids_of_visitor(connection, who)
        tournament_rows.of_visitor(connection, who)
        tournament_rows.running(connection)
        tournament_rows.create(connection, OnlineTournament("id", who, CUP, 0.0), ANNA)
        game_lists.games_of(connection, who, "renju", "running")
        game_lists.forget(connection, "game", who)
        ratings.of_visitors(connection, [who])
        ratings.meetings(connection, [who, BEN.visitor], 0.0)
        ratings.note_meeting(connection, [who, BEN.visitor], 0.0)
        charge(connection, ANNA, 0.0)
        sql.event.remove(engine, "before_cursor_execute", note)
        assert len(asked) > 20
        for statement, parameters in asked:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
            scans = [row.detail for row in plan if row.detail.startswith("SCAN")]
            assert all(scan.startswith(("SCAN (subquery", "SCAN anon_")) for scan in scans), (
                statement,
                scans,
            )
    engine.dispose()


CUP = TournamentOptions("Cup", "swiss", 1, GameTerms(Board("renju"), None, "300", 0))


def test_no_game_grows_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(commands, "_MORE_EVENTS", 10)
    in_world(take_back_for_ever)(tmp_path)


async def take_back_for_ever(world):
    async with world.process() as rooms:
        made = await create(rooms, THREE, Sender(ME), take_backs=None)
        with rooms.room(made.id) as room:

            async def ask(kind, **fields):
                message = {"type": kind, "version": room.version, **fields}
                await room.apply(read_client_message(message), Sender(ME))

            async def for_ever():
                while True:
                    await ask("move", point="b2", ply=0)
                    await ask("take_back")

            with pytest.raises(Refused) as refused:
                await for_ever()
            assert refused.value.message.key == "error.web.long_game"
            assert "46 moves" in str(refused.value)
            await ask("resign")
            outcome = (await room.state()).outcome
            assert outcome is not None
            assert outcome.reason == "resigned"


# -- through the server


@pytest.fixture(scope="module")
def public() -> Iterator[Server]:
    with serve(public=True, origin="http://127.0.0.1") as server:
        yield server


def client(server: Server, address: str) -> httpx.Client:
    headers = {"Cookie": new_cookie(server.url), "X-Forwarded-For": address}
    return httpx.Client(base_url=server.url, headers=headers, timeout=60)


def key(answer: httpx.Response) -> str:
    assert answer.status_code == 409
    told: str = answer.json()["error"]["key"]
    return told


def test_an_address_is_told_that_it_has_as_much_as_may_be(public, monkeypatch):
    monkeypatch.setattr(storage, "MOST_ADDRESS", 3)
    with client(public, "203.0.113.1") as one, client(public, "203.0.113.1") as other:
        game = one.post("/api/games", json={"rules": "tictactoe"}).json()["id"]
        assert other.post("/api/visitor", json={"name": "Ben"}).status_code == 200
        assert one.post("/api/tournaments", json={"name": "Cup"}).status_code == 201
        for path, body in (
            ("/api/games", {}),
            (f"/api/games/{game}/again", {}),
            ("/api/tournaments", {"name": "Cup"}),
            ("/api/visitor", {"name": "Anna"}),
            ("/api/visitor", {"rated": True}),
        ):
            assert key(one.post(path, json=body)) == "error.web.storage.address", path
        assert "3 games, tournaments and names" in one.post("/api/games", json={}).json()["text"]
        assert one.get("/api/games").json()["total"] == 1
        assert other.post("/api/visitor", json={"name": "Berta"}).status_code == 200
    with client(public, "203.0.113.2") as elsewhere:
        assert elsewhere.post("/api/games", json={}).status_code == 201


def test_a_tournament_begins_where_there_is_room_for_its_games(public, monkeypatch):
    monkeypatch.setattr(storage, "MOST_ADDRESS", 4)
    with client(public, "203.0.113.5") as one, client(public, "203.0.113.6") as other:
        made = one.post("/api/tournaments", json={"name": "Cup", "rounds": 2}).json()
        cup = f"/api/tournaments/{made['id']}"
        for who, name in ((one, "Anna"), (other, "Ben")):
            assert who.post(f"{cup}/join", json={"name": name}).status_code == 200
        assert one.post(f"{cup}/computers", json={"player": "lines"}).status_code == 200
        assert key(one.post(f"{cup}/start")) == "error.web.storage.address"
        assert one.get(cup).json()["status"] == "open"
        monkeypatch.setattr(storage, "MOST_ADDRESS", 8)  # two rounds of three games each
        assert one.post(f"{cup}/start").status_code == 200
        assert key(one.post("/api/games", json={})) == "error.web.storage.address"


def test_who_accepts_a_challenge_has_the_game_kept(public, monkeypatch):
    monkeypatch.setattr(storage, "MOST_ADDRESS", 1)
    with client(public, "203.0.113.8") as maker, client(public, "203.0.113.9") as one:
        offers = []
        for _ in range(2):
            offers.append(maker.post("/api/challenges", json={}).json()["id"])
            answer = one.post(f"/api/challenges/{offers[-1]}/accept")
            maker.delete("/api/challenges")
        assert key(answer) == "error.web.storage.address"


def test_a_visitors_list_has_a_bound(public, monkeypatch):
    monkeypatch.setattr(storage, "MOST_VISITOR", 2)
    with client(public, "203.0.113.3") as one:
        games = [one.post("/api/games", json={}).json()["id"] for _ in range(2)]
        assert key(one.post("/api/games", json={})) == "error.web.storage.visitor"
        one.delete(f"/api/games/{games[0]}")
        assert one.post("/api/games", json={}).status_code == 201


def test_no_address_is_in_the_database(public):
    with client(public, "203.0.113.77") as one:
        assert one.post("/api/games", json={}).status_code == 201
    files = list(public.settings.data.glob("games.sqlite*"))
    assert files
    assert not any(b"203.0.113" in file.read_bytes() for file in files)


def test_at_home_there_is_no_bound(monkeypatch):
    monkeypatch.setattr(storage, "MOST_VISITOR", 1)
    monkeypatch.setattr(storage, "MOST_ADDRESS", 1)
    with serve() as server, httpx.Client(base_url=server.url) as one:
        assert {one.post("/api/games", json={}).status_code for _ in range(3)} == {201}
