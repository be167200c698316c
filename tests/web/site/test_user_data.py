"""The games of a page, saved as data and read in another browser."""

from __future__ import annotations

import asyncio
import copy
from pathlib import Path
from typing import Any

import pytest

from tests.web.site.page import Page, opened_page

TWO = {"rules": "renju", "size": 15, "black": "human", "white": "human", "take_backs": 5}
TIMED = {**TWO, "clock": "300+5"}


async def begun(page: Page, game: dict[str, Any], *points: str) -> str:
    """Begin a game, play points, and return its id."""
    status, made = await page.ask("POST", "/api/games", game)
    assert status == 201
    await played(page, made["id"], *points)
    return str(made["id"])


async def played(page: Page, game: str, *points: str) -> Any:
    """Play points, and return the game's state."""
    state = (await page.ask("GET", f"/api/games/{game}"))[1]
    for point in points:
        move = {"point": point, "ply": state["ply"]}
        status, state = await page.ask("POST", f"/api/games/{game}/moves", move)
        assert status == 200, state
    return state


async def saved(page: Page) -> dict[str, Any]:
    status, data = await page.ask("GET", "/api/data")
    assert status == 200
    return data  # type: ignore[no-any-return]


async def listed(page: Page) -> list[str]:
    return [game["id"] for game in (await page.ask("GET", "/api/games"))[1]["games"]]


@pytest.mark.long
def test_all_games_come_back_whole_in_another_browser(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened_page(tmp_path / "here") as here, opened_page(tmp_path / "there") as there:
            over = await begun(here, {**TWO, "rules": "tictactoe", "size": 3}, "a1", "b1", "a2", "b2", "a3")
            running = await begun(here, {**TWO, "white": "shapes"})
            watched = await begun(here, {**TWO, "black": "shapes", "white": "lines", "pace": 60})
            data = await saved(here)
            assert await there.ask("POST", "/api/data", data) == (
                200,
                {"added": [game["id"] for game in data["games"]], "renewed": []},
            )
            assert await listed(there) == await listed(here) == [watched, running, over]
            for game in (over, running, watched):
                states = [(await page.ask("GET", f"/api/games/{game}"))[1] for page in (here, there)]
                assert states[0] == states[1]
            # The person has their seat, and plays on.
            assert (await played(there, running, "h8"))["moves"][0] == "h8"
            assert there.kept > 0

    asyncio.run(main())


@pytest.mark.long
def test_clocks_wait_until_the_game_goes_on(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened_page(tmp_path / "here") as here, opened_page(tmp_path / "there") as there:
            game = await begun(here, TIMED, "h8")
            await asyncio.sleep(0.3)
            data = await saved(here)
            # Not from its last move, but as it stands.
            assert data["games"][0]["session"]["spent"] >= 0.3
            await there.ask("POST", "/api/data", data)
            state = (await there.ask("GET", f"/api/games/{game}"))[1]
            assert state["paused"]
            assert not (await here.ask("GET", f"/api/games/{game}"))[1]["paused"]
            resume = {"type": "resume", "version": state["version"]}
            assert (await there.ask("POST", f"/api/games/{game}/actions", resume))[0] == 200
            assert (await played(there, game, "i9"))["ply"] == 2

    asyncio.run(main())


def test_of_two_states_the_newer_one_stays(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened_page(tmp_path / "here") as here, opened_page(tmp_path / "there") as there:
            game = await begun(here, TWO, "h8")
            early = await saved(here)
            await there.ask("POST", "/api/data", early)
            await played(here, game, "i9", "h9")
            late = await saved(here)
            # Somebody looks at it there, and sees it change.
            socket = await there.connect(f"/api/games/{game}/live", {"type": "hello", "tokens": []})
            assert (await socket.hear())["state"]["ply"] == 1
            assert (await there.ask("POST", "/api/data", late))[1] == {"added": [], "renewed": [game]}
            await socket.hear(lambda message: message.get("state", {}).get("ply") == 3)
            assert (await there.ask("POST", "/api/data", early))[1] == {"added": [], "renewed": []}
            assert (await played(there, game, "i8"))["moves"] == ["h8", "i9", "h9", "i8"]
            # A game that was removed from the list is on it again.
            assert (await there.ask("DELETE", f"/api/games/{game}"))[0] == 204
            assert await listed(there) == []
            assert await saved(there) == {"games": []}
            await there.ask("POST", "/api/data", late)
            assert await listed(there) == [game]

    asyncio.run(main())


def _without_moves(game: dict[str, Any]) -> None:
    del game["session"]["course"]


def _other_player(game: dict[str, Any]) -> None:
    game["session"]["seats"][0]["occupant"] = "py:os:system"


def _other_id(game: dict[str, Any]) -> None:
    game["id"] = "../games"


def _unknown(game: dict[str, Any]) -> None:
    game["room"] = "{}"


def _text(game: dict[str, Any]) -> None:
    game["session"] = "{}"


@pytest.mark.parametrize("damage", [_without_moves, _other_player, _other_id, _unknown, _text])
def test_one_damaged_game_and_nothing_is_changed(tmp_path: Path, damage: Any) -> None:
    async def main() -> None:
        async with opened_page(tmp_path) as page:
            game = await begun(page, TWO, "h8")
            data = await saved(page)
            others = copy.deepcopy(data)
            others["games"].append(copy.deepcopy(data["games"][0]))
            others["games"][0]["id"], others["games"][1]["id"] = "a" * 22, "b" * 22
            damage(others["games"][1])
            status, told = await page.ask("POST", "/api/data", others)
            assert status == 422
            assert told["error"]["key"]
            assert [one["id"] for one in (await saved(page))["games"]] == [game]

    asyncio.run(main())
