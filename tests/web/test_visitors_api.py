"""What a visitor says of itself, and who sees it where."""

from __future__ import annotations

from typing import Any

import httpx

from tengen.formats import sgf
from tests.web.clients import new_cookie, visit
from tests.web.serving import Server, serve

Json = dict[str, Any]


def call(one: httpx.Client, name: str) -> None:
    answer = one.post("/api/visitor", json={"name": name})
    assert answer.status_code == 200, answer.text


def create(one: httpx.Client, **wanted: Any) -> str:
    game: str = one.post("/api/games", json=wanted).json()["id"]
    return game


def names(one: httpx.Client, game: str) -> list[str | None]:
    return [seat["name"] for seat in one.get(f"/api/games/{game}").json()["seats"]]


def test_a_name_is_known_again_and_can_be_given_up(anna: httpx.Client) -> None:
    assert anna.get("/api/visitor").json() == {"name": "", "rated": False, "ratings": {}}
    call(anna, "  Anna ")
    assert anna.get("/api/visitor").json()["name"] == "Anna"
    call(anna, "")
    assert anna.get("/api/visitor").json()["name"] == ""


def test_ratings_are_turned_on_and_off_and_the_name_stays(anna: httpx.Client) -> None:
    call(anna, "Anna")
    for rated in (True, False):
        told = anna.post("/api/visitor", json={"rated": rated}).json()
        assert told == {"name": "Anna", "rated": rated, "ratings": {}} == anna.get("/api/visitor").json()


def test_a_name_that_cannot_be_changes_nothing(anna: httpx.Client) -> None:
    call(anna, "Anna")
    answer = anna.post("/api/visitor", json={"name": "Level 3"})
    assert answer.status_code == 422
    assert answer.json()["error"] == {"key": "error.web.name.computer", "values": {"name": "Level 3"}}
    assert "Level 3" in answer.json()["text"]
    assert anna.post("/api/visitor", json={"name": 3}).status_code == 422
    assert anna.get("/api/visitor").json()["name"] == "Anna"


def test_names_stand_at_the_seats_of_two_people(anna: httpx.Client, ben: httpx.Client) -> None:
    call(anna, "Anna")
    call(ben, "李明")
    game = create(anna, open="white")
    assert names(ben, game) == ["Anna", None]
    ben.post(f"/api/games/{game}/join")
    assert names(anna, game) == ["Anna", "李明"]


def test_a_person_against_a_computer_has_a_name_and_two_at_one_device_have_none(anna: httpx.Client) -> None:
    call(anna, "Anna")
    assert names(anna, create(anna, black="random")) == [None, "Anna"]
    assert names(anna, create(anna)) == [None, None]


def test_a_seat_that_is_handed_over_is_called_by_who_plays_it(anna: httpx.Client) -> None:
    call(anna, "Anna")
    game = create(anna, white="random")
    hand_over = {"type": "hand_over", "participant": 1, "occupant": "lines"}
    assert anna.post(f"/api/games/{game}/actions", json=hand_over).status_code == 200
    assert names(anna, game) == [None, None]


def test_another_name_is_shown_in_games_that_go_on_and_not_in_those_that_are_over(
    anna: httpx.Client, ben: httpx.Client
) -> None:
    call(anna, "Anna")
    over, running = create(anna, open="white"), create(anna, open="white")
    for game in (over, running):
        ben.post(f"/api/games/{game}/join")
    version = anna.get(f"/api/games/{over}").json()["version"]
    anna.post(f"/api/games/{over}/actions", json={"type": "resign", "version": version})
    call(anna, "Berta")
    assert names(anna, over) == ["Anna", None]
    assert names(anna, running) == ["Berta", None]


async def test_who_looks_on_sees_another_name_at_once(house: Server) -> None:
    async with visit(house) as anna, visit(house) as ben:
        game = (await anna.create(open="white"))["id"]
        await ben.http.post(f"/api/games/{game}/join")
        async with anna.sit(game, cookie=True) as me:
            assert (await ben.http.post("/api/visitor", json={"name": "Ben"})).status_code == 200
            await me.until_state(lambda state: state["seats"][1]["name"] == "Ben")


def test_names_are_exchanged_with_the_seats(anna: httpx.Client) -> None:
    call(anna, "Anna")
    game = create(anna, white="random", rules="tictactoe")
    again = anna.post(f"/api/games/{game}/again", json={"swap": True}).json()
    assert [seat["name"] for seat in again["state"]["seats"]] == [None, "Anna"]


def test_names_in_records_and_lists(anna: httpx.Client, ben: httpx.Client) -> None:
    call(anna, "Anna")
    call(ben, "李明")
    game = create(anna, open="white")
    ben.post(f"/api/games/{game}/join")
    text = anna.get(f"/api/games/{game}/record").content
    assert b"PB[Anna]" in text
    assert "PW[李明]".encode() in text
    (read,) = sgf.read(text).records
    assert (read.headers["black"], read.headers["white"]) == ("Anna", "李明")
    told = anna.get(f"/api/games/{game}/record", params={"format": "tengen"}).json()["record"]
    assert told["headers"]["black"] == "Anna"
    (listed,) = ben.get("/api/games", params={"q": "anna"}).json()["games"]
    summary = listed["summary"]
    assert (summary["black_name"], summary["white_name"]) == ("Anna", "李明")
    assert (summary["black"], summary["white"]) == ("human", "human")


def test_whoever_has_no_name_is_in_records_as_before(anna: httpx.Client) -> None:
    text = anna.get(f"/api/games/{create(anna, white='random')}/record").text
    assert "PB[human]" in text
    assert "PW[random]" in text


def test_names_cost_where_strangers_come() -> None:
    with serve(public=True, origin="http://127.0.0.1") as server, httpx.Client(base_url=server.url) as one:
        one.headers["Cookie"] = new_cookie(server.url)
        answers = [one.post("/api/visitor", json={"name": "Anna"}).status_code for _ in range(30)]
        assert answers[0] == 200
        assert answers[-1] == 429


# -- forgotten


def forgotten(one: httpx.Client) -> None:
    answer = one.delete("/api/visitor")
    assert answer.status_code == 204
    assert "tengen=;" in answer.headers["set-cookie"]
    assert "Max-Age=0" in answer.headers["set-cookie"]


def test_whoever_is_forgotten_is_a_stranger(house: Server, anna: httpx.Client) -> None:
    call(anna, "Anna")
    anna.post("/api/visitor", json={"rated": True})
    anna.post("/api/challenges", json={})
    create(anna)
    before = dict(anna.cookies)
    forgotten(anna)
    assert "tengen" not in anna.cookies
    with httpx.Client(base_url=house.url) as same:
        same.cookies.update(before)
        assert same.get("/api/visitor").json() == {"name": "", "rated": False, "ratings": {}}
        assert same.get("/api/games").json()["total"] == 0
        assert same.get("/api/challenges").json()["challenges"] == []


def test_games_stay_and_say_nothing_of_who_is_forgotten(anna: httpx.Client, ben: httpx.Client) -> None:
    call(anna, "Anna")
    call(ben, "Ben")
    over = create(anna, open="white", rules="tictactoe")
    ben.post(f"/api/games/{over}/join")
    version = anna.get(f"/api/games/{over}").json()["version"]
    ben.post(f"/api/games/{over}/actions", json={"type": "resign", "version": version})
    cookies = dict(anna.cookies)
    forgotten(anna)
    assert names(ben, over) == [None, "Ben"]
    assert b"Anna" not in ben.get(f"/api/games/{over}/record").content
    (listed,) = ben.get("/api/games").json()["games"]
    assert (listed["summary"]["black_name"], listed["summary"]["result"]) == ("", "black")
    anna.cookies.update(cookies)
    version = ben.get(f"/api/games/{over}").json()["version"]
    refused = anna.post(f"/api/games/{over}/actions", json={"type": "draw", "version": version})
    assert refused.status_code in (401, 403)


def test_tokens_of_who_is_forgotten_play_no_seat(anna: httpx.Client) -> None:
    made = anna.post("/api/games", json={}).json()
    headers = {"Authorization": f"Bearer {made['seats']['black']}"}
    move = {"point": "h8", "ply": 0}
    forgotten(anna)
    anna.cookies.clear()
    assert anna.post(f"/api/games/{made['id']}/moves", json=move, headers=headers).status_code == 403


def test_whoever_is_forgotten_resigns_where_another_person_waits(
    anna: httpx.Client, ben: httpx.Client
) -> None:
    game, alone = create(anna, open="white"), create(anna, white="random")
    waits = create(anna, open="white")
    ben.post(f"/api/games/{game}/join")
    forgotten(anna)
    outcome = ben.get(f"/api/games/{game}").json()["outcome"]
    assert (outcome["winner"], outcome["reason"]) == ("white", "resigned")
    for other in (alone, waits):
        assert ben.get(f"/api/games/{other}").json()["outcome"] is None


def test_the_other_one_is_rated_for_a_game_that_is_resigned_so(
    anna: httpx.Client, ben: httpx.Client
) -> None:
    for one in (anna, ben):
        one.post("/api/visitor", json={"rated": True})
    wanted = {"rules": "freestyle", "clock": "300+5", "rated": True, "colour": "black"}
    offer = anna.post("/api/challenges", json=wanted).json()["id"]
    game = ben.post(f"/api/challenges/{offer}/accept").json()["id"]
    for ply, (one, point) in enumerate(((anna, "h8"), (ben, "h9"))):
        assert one.post(f"/api/games/{game}/moves", json={"point": point, "ply": ply}).status_code == 200
    cookies = dict(anna.cookies)
    forgotten(anna)
    assert ben.get("/api/visitor").json()["ratings"]["freestyle"]["rating"] > 1500
    anna.cookies.update(cookies)
    anna.post("/api/visitor", json={"rated": True})
    assert anna.get("/api/visitor").json()["ratings"] == {}


def test_games_off_the_list_say_nothing_either(anna: httpx.Client, ben: httpx.Client) -> None:
    call(anna, "Anna")
    game = create(anna, open="white")
    ben.post(f"/api/games/{game}/join")
    anna.delete(f"/api/games/{game}")
    forgotten(anna)
    assert names(ben, game) == [None, None]


def test_a_game_that_was_only_looked_at_is_as_it_was(anna: httpx.Client, ben: httpx.Client) -> None:
    game = create(anna)
    before = anna.get(f"/api/games/{game}").json()
    ben.get(f"/api/games/{game}")
    forgotten(ben)
    assert anna.get(f"/api/games/{game}").json()["version"] == before["version"]
