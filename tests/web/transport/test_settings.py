"""ServerSettings, where data is kept, and the addresses that follow from them."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sql

from tengen.user_folders import data_folder
from tengen.web.transport.addresses import addresses, network_hosts, url
from tengen.web.transport.settings import ServerSettings, SettingsError, default_data, is_loopback


def test_the_environment_may_name_another_folder_for_data(monkeypatch):
    monkeypatch.delenv("TENGEN_DATA", raising=False)
    assert default_data() == data_folder()
    monkeypatch.setenv("TENGEN_DATA", "/srv/games")
    assert default_data() == Path("/srv/games")


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgres://u:p@h/n", "postgresql+psycopg://u:p@h/n"),
        ("postgresql://u:p@h:5433/n?sslmode=require", "postgresql+psycopg://u:p@h:5433/n?sslmode=require"),
        ("postgresql+psycopg://h/n", "postgresql+psycopg://h/n"),
        ("postgresql+asyncpg://h/n", "postgresql+psycopg://h/n"),
        ("sqlite:////srv/games.db", "sqlite:////srv/games.db"),
    ],
)
def test_the_url_of_a_database(given, used):
    assert ServerSettings(data=Path("/d"), database=given).database_url == used


@pytest.mark.parametrize("name", ["plain", "with space", "a%20b", "what?#&", "棋"])
def test_a_data_directory_of_any_name(name, tmp_path):
    folder = tmp_path / name
    folder.mkdir()
    engine = sql.create_engine(ServerSettings(data=folder).database_url)
    with engine.begin() as connection:
        connection.execute(sql.text("CREATE TABLE t (x int)"))
    engine.dispose()
    assert [file.name for file in folder.iterdir()] == ["games.sqlite"]


@pytest.mark.parametrize(
    "given", ["mysql://h/n", "games.db", "sqlite://", "sqlite:///:memory:", "://", "//"]
)
def test_what_is_no_database(given):
    with pytest.raises(SettingsError, match="is not a database address"):
        ServerSettings(data=Path("/d"), database=given)


def test_an_error_tells_no_password():
    with pytest.raises(SettingsError) as caught:
        ServerSettings(data=Path("/d"), database="mysql://me:hunter2@h/n")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("origin", ["tengen.example", "https://", "https://a/b", "ftp://a", "https://a b"])
def test_what_is_no_origin(origin):
    with pytest.raises(SettingsError, match="not the address of a site"):
        ServerSettings(data=Path("/d"), origin=origin)


def test_only_a_public_server_deletes_old_games_if_it_is_not_told_to():
    data = Path("/d")
    assert ServerSettings(data=data).days_kept == 0
    assert ServerSettings(data=data, delete_after=7).days_kept == 7
    assert ServerSettings(data=data, public=True).days_kept == 365
    assert ServerSettings(data=data, public=True, delete_after=0).days_kept == 0


def test_who_can_reach_it():
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "192.168.0.5", "::", "example.org")] == [False] * 4


def test_addresses_to_give_away():
    data = Path("/d")
    assert addresses(ServerSettings(data=data, port=80)) == []
    assert addresses(ServerSettings(data=data, host="192.168.0.5"), 8001) == ["http://192.168.0.5:8001"]
    assert addresses(ServerSettings(data=data, origin="https://a.example")) == ["https://a.example"]
    everywhere = addresses(ServerSettings(data=data, host="0.0.0.0"), 8000)
    assert everywhere == [f"http://{host}:8000" for host in network_hosts()]


def test_the_address_for_the_browser_of_this_machine():
    assert url("0.0.0.0", 8000) == "http://127.0.0.1:8000"
    assert url("127.0.0.1", 80) == "http://127.0.0.1"
    assert url("::1", 8000) == "http://[::1]:8000"
