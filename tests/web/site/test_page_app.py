"""The application of a page: the server's answers without a server."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.web.browser.storage import empty_database
from tengen.web.transport.settings import DATABASE_FILE
from tests.web.site.page import Page, in_page, opened_page

REHEARSAL = """
import asyncio, sys
from pathlib import Path
from types import SimpleNamespace
from tengen.web.browser import app_worker

folder = Path(sys.argv[1])
app_worker.EMPTY = folder / "empty.sqlite"

async def rehearse():
    await app_worker.rehearse()
    print(len(asyncio.all_tasks() - {asyncio.current_task()}))

async def ask():
    answers = asyncio.Queue()
    host = SimpleNamespace(
        post=answers.put_nowait, keep=None, analysts=False, startWorker=lambda *_: SimpleNamespace()
    )
    app = await app_worker.start_app(host, str(folder / "games.sqlite"))
    app.request(1, "GET", "/api/games", SimpleNamespace(to_py=dict), None)
    print((await answers.get())["status"])

asyncio.run(rehearse())
asyncio.run(ask())
"""

GAME = {"rules": "freestyle", "size": 15, "black": "human", "white": "shapes", "take_backs": 5}


@in_page
async def test_a_game_against_a_computer(page: Page) -> None:
    status, made = await page.ask("POST", "/api/games", GAME)
    assert status == 201
    token = made["seats"]["black"]
    socket = await page.connect(f"/api/games/{made['id']}/live", {"type": "hello", "tokens": [token]})
    await socket.hear()
    socket.send({"type": "move", "id": 1, "point": "h8", "ply": 0})
    await socket.hear(lambda message: message["type"] == "change" and message["state"].get("ply") == 2)
    status, state = await page.ask("GET", f"/api/games/{made['id']}")
    assert status == 200
    assert state["moves"][0] == "h8"
    assert len(state["moves"]) == 2
    status, listed = await page.ask("GET", "/api/games?status=running")
    assert [game["id"] for game in listed["games"]] == [made["id"]]
    assert page.kept > 0


def test_after_a_rehearsal_nothing_runs_and_the_application_can_be_started(tmp_path: Path) -> None:
    """In a process of its own, because the libraries do without threads afterwards."""
    (tmp_path / "empty.sqlite").write_bytes(empty_database())
    command = [sys.executable, "-c", REHEARSAL, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "200"]


@in_page
async def test_a_game_that_was_begun_before_python(page: Page) -> None:
    game, token = "g" * 22, "t" * 22
    moves = [{"point": point, "seconds": 1.5} for point in ("h8", "i9", "h9")]
    seats = {"black": token, "white": None}
    early = {"id": game, "game": GAME, "seats": seats, "moves": moves}
    assert (await page.ask("POST", "/api/games/early", early))[0] == 201
    socket = await page.connect(f"/api/games/{game}/live", {"type": "hello", "tokens": [token]})
    hello = await socket.hear()
    assert hello["you"] == [1]
    while (state := (await page.ask("GET", f"/api/games/{game}"))[1])["ply"] < 4:
        await asyncio.sleep(0.02)
    assert state["moves"][:3] == ["h8", "i9", "h9"]
    assert (await page.ask("POST", "/api/games/early", {**early, "id": "short"}))[0] == 422


@in_page
async def test_refusals_are_the_server_s(page: Page) -> None:
    status, told = await page.ask("POST", "/api/games", {**GAME, "rules": "checkers"})
    assert status == 422
    assert told["error"]["key"]
    assert (await page.ask("GET", "/api/games/none"))[0] == 404
    assert (await page.ask("GET", "/api/nothing"))[0] == 404


@in_page
async def test_an_analysis(page: Page) -> None:
    socket = await page.connect("/api/analysis")
    socket.send({"id": 1, "do": "vcf", "rules": "freestyle", "moves": "h8a1i8a3j8a5", "seconds": 10})
    told = await socket.hear(lambda message: message["done"])
    assert told["winner"] == "black"
    socket.close()


@pytest.mark.parametrize("shared", [True, False])
def test_a_long_analysis_is_stopped(tmp_path: Path, shared: bool) -> None:
    async def main() -> None:
        async with opened_page(tmp_path, shared=shared) as page:
            socket = await page.connect("/api/analysis")
            socket.send({"id": 1, "do": "analyse", "rules": "freestyle", "moves": "h8i9", "seconds": 600})
            await socket.hear(lambda message: message.get("infos"))
            socket.send({"id": 1, "do": "stop"})
            told = await socket.hear(lambda message: message["done"])
            assert told["infos"]
            # The next one finds its worker free, or another one that has started meanwhile.
            assert len(page.started) == (1 if shared else 2)
            socket.send({"id": 2, "do": "vcf", "rules": "freestyle", "moves": "h8i9", "seconds": 10})
            assert (await socket.hear(lambda message: message["id"] == 2 and message["done"]))["proven"]

    asyncio.run(main())


def test_a_worker_that_is_lost_is_replaced(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened_page(tmp_path) as page:
            _, made = await page.ask("POST", "/api/games", {**GAME, "white": "mcts,playouts=100000"})
            path, token = f"/api/games/{made['id']}", made["seats"]["black"]
            await page.connect(f"{path}/live", {"type": "hello", "tokens": [token]})
            await page.ask("POST", f"{path}/moves", {"point": "h8", "ply": 0}, token)
            while not page.started:
                await asyncio.sleep(0.01)
            page.started[0].lose()
            while len(page.started) < 2:
                await asyncio.sleep(0.01)
            assert page.started[0].ended
            await page.ask("POST", f"{path}/actions", {"type": "hurry"}, token)
            while len((await page.ask("GET", path))[1]["moves"]) < 2:
                await asyncio.sleep(0.05)

    asyncio.run(main())


def test_games_are_there_again(tmp_path: Path) -> None:
    async def create() -> None:
        async with opened_page(tmp_path) as page:
            await page.ask("POST", "/api/games", GAME)

    async def find() -> int:
        async with opened_page(tmp_path) as page:
            return int((await page.ask("GET", "/api/games"))[1]["total"])

    (tmp_path / DATABASE_FILE).write_bytes(empty_database())
    asyncio.run(create())
    assert asyncio.run(find()) == 1


def test_an_empty_database_has_all_tables_and_no_key() -> None:
    data = empty_database()
    assert data.startswith(b"SQLite format 3")
    assert len(data) < 300_000
