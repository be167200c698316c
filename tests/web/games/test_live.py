from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from typing import Any

import pytest
import websockets

from tests.web.clients import House, Json, Player, visit
from tests.web.serving import Server, serve

Test = Callable[[Server], None]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


def in_browser(test: Callable[[House], Coroutine[Any, Any, None]]) -> Test:
    """Run a test as a browser that is new to the server."""

    @wraps(test)
    def run(server: Server) -> None:
        async def visiting() -> None:
            async with visit(server) as house:
                await test(house)

        asyncio.run(visiting())

    # pytest reads the wrapped function's arguments otherwise.
    del run.__wrapped__
    return run


async def two(house: House, **wanted: Any) -> tuple[str, str, str]:
    """A game between two people by link: its id and the tokens of Black and White."""
    made = await house.create(open="white", **wanted)
    async with visit(house.server) as friend:
        joined = (await friend.http.post(f"/api/games/{made['id']}/join")).json()
    return made["id"], made["seats"]["black"], joined["token"]


def ply(number: int) -> Callable[[Json], bool]:
    """Whether a game stands still after so many moves, as far as computers go."""
    return lambda state: state["ply"] == number and not (state["paused"] and state["thinking"])


def text_of(refused: Json) -> str:
    assert refused["type"] == "refused", refused
    text: str = refused["text"]
    return text


@in_browser
async def test_two_people_play_a_game_and_both_see_every_stone(house: House) -> None:
    game, black_token, white_token = await two(house, rules="tictactoe")
    async with house.sit(game, black_token) as black, house.sit(game, white_token) as white:
        assert (black.you, white.you) == ([1], [2])
        for number, point in enumerate(["b2", "a1", "c1", "a3", "c3", "a2"], 1):
            mover, other = (black, white) if number % 2 else (white, black)
            await mover.play(point)
            await other.until_state(ply(number))
            assert mover.state == other.state
        assert white.state["outcome"] == {
            "winner": "white",
            "reason": "five",
            "line": ["a1", "a2", "a3"],
            "foul": None,
        }
        assert white.state["turn"] is white.state["actor"] is None


@in_browser
async def test_late_and_doubled_messages_change_nothing(house: House) -> None:
    game, black_token, white_token = await two(house)
    async with house.sit(game, black_token) as black, house.sit(game, white_token) as white:
        move = {"type": "move", "id": "a", "point": "h8", "ply": 0}
        for _ in range(3):
            await black.tell(move)
        answers = [await black.until(lambda m: m.get("id") == "a") for _ in range(3)]
        assert [answer["type"] for answer in answers] == ["done"] * 3
        await white.until_state(lambda state: state["ply"] == 1)
        # Another point for the same place in the game comes too late; so does White on the empty board.
        assert "has moved on" in text_of(await black.ask("move", point="i9", ply=0))
        assert "has moved on" in text_of(await white.ask("move", point="i9", ply=0))
        assert "has moved on" in text_of(await white.ask("resign", version=1))
        await black.until_state(lambda state: state["ply"] == 1)
        assert "not your turn" in text_of(await black.ask("move", point="i9"))
        state = (await house.http.get(f"/api/games/{game}")).json()
        assert (state["moves"], state["outcome"]) == (["h8"], None)


@in_browser
async def test_a_move_that_was_taken_back_is_not_played_again_by_its_double(house: House) -> None:
    made = await house.create()
    async with house.sit(made["id"], *made["seats"].values()) as both:
        move = {"type": "move", "id": "first", "point": "h8", "ply": 0}
        await both.tell(move)
        await both.until(lambda m: m.get("id") == "first")
        assert (await both.ask("take_back"))["type"] == "done"
        await both.tell(move)
        await both.until(lambda m: m.get("id") == "first")
        assert (await both.ask("ping"))["type"] == "pong"
        assert both.state["moves"] == []


@in_browser
async def test_nothing_is_lost_by_a_lost_connection(house: House) -> None:
    game, black_token, white_token = await two(house)
    async with house.sit(game, black_token) as black:
        await black.play("h8")
        async with house.sit(game, white_token) as white:
            await white.play("i9")
            await black.until_state(lambda state: state["ply"] == 2)
        await black.until(lambda m: m["type"] == "presence" and m["connected"] == [1])
        await black.play("h9")
        async with house.sit(game, white_token) as white:
            assert white.state["moves"] == ["h8", "i9", "h9"]
            # What was sent and perhaps not heard is sent once more.
            assert (await white.ask("move", point="i9", ply=1))["type"] == "done"
            await white.play("i10")
            await black.until_state(lambda state: state["ply"] == 4)


@in_browser
async def test_taking_back_needs_the_opponents_consent(house: House) -> None:
    game, black_token, white_token = await two(house, take_backs=1)
    async with house.sit(game, black_token) as black, house.sit(game, white_token) as white:
        await black.play("h8")
        assert (await black.ask("take_back"))["type"] == "done"
        await white.until_state(lambda state: state["request"] == {"kind": "take_back", "by": 1})
        assert "own" in text_of(await black.ask("answer", accept=True))
        assert (await white.ask("answer", accept=True))["type"] == "done"
        await black.until_state(lambda state: state["moves"] == [])
        assert black.state["take_backs"] == {"black": 0, "white": 1}
        await black.play("h8")
        assert "take-back" in text_of(await black.ask("take_back"))


@in_browser
async def test_a_foul_is_refused_and_shown(house: House) -> None:
    moves = "h8a1h9a3g10a5f10a7"
    made = await house.create(rules="renju", moves=moves)
    async with house.sit(made["id"], *made["seats"].values()) as both:
        fouls = both.state["fouls"]
        assert fouls["h10"]["kind"] == "double-three"
        assert len(fouls["h10"]["lines"]) == 2
        assert "h10" in text_of(await both.ask("move", point="h10"))
        assert both.state["moves"][-1] == "a7"


@in_browser
async def test_white_claims_a_foul(house: House) -> None:
    moves = "h8a1h9a3g10a5f10a7"
    made = await house.create(rules="renju", fouls="claimed", moves=moves)
    async with house.sit(made["id"], *made["seats"].values()) as both:
        assert not both.state["claimable"]
        await both.play("h10")
        assert both.state["claimable"]
        assert (await both.ask("claim"))["type"] == "done"
        outcome = both.state["outcome"]
        assert (outcome["winner"], outcome["reason"]) == ("white", "foul")
        assert outcome["foul"]["kind"] == "double-three"


@in_browser
async def test_swap2_with_a_computer(house: House) -> None:
    made = await house.create(white="shapes", opening="swap2")
    async with house.sit(made["id"], made["seats"]["black"]) as me:
        assert me.state["opening"]["decision"]["kind"] == "place"
        await me.play("h8", "i9", "j10")
        # The computer chooses a colour, and plays on if it is White.
        await me.until_state(lambda state: state["opening"] is None and state["actor"] == 1)
        colours = {seat["participant"]: seat["colour"] for seat in me.state["seats"]}
        assert set(colours.values()) == {"black", "white"}
        assert me.state["turn"] == colours[1]


@in_browser
async def test_a_choice_that_comes_twice_is_made_once(house: House) -> None:
    made = await house.create(opening="swap")
    async with house.sit(made["id"], *made["seats"].values()) as both:
        await both.play("h8", "i9", "j10")
        decision = both.state["opening"]["decision"]
        assert decision["by"] == 2
        assert [option["value"] for option in decision["options"]] == ["black", "white"]
        for _ in range(2):
            assert (await both.ask("choose", option="black", ply=3))["type"] == "done"
        assert [seat["colour"] for seat in both.state["seats"]] == ["white", "black"]
        assert "has moved on" in text_of(await both.ask("choose", option="white", ply=2))


@in_browser
async def test_a_computer_answers_and_a_hint_helps(house: House) -> None:
    made = await house.create(white="level:1")
    async with house.sit(made["id"], made["seats"]["black"]) as me:
        await me.play("h8")
        assert me.state["thinking"] or me.state["ply"] == 2
        await me.until_state(lambda state: state["ply"] == 2)
        while (hint := await me.ask("hint"))["type"] == "error":
            await asyncio.sleep(0.5)  # the engine may have to be compiled first
        assert hint["type"] == "done"
        assert hint["option"] is None
        await me.play(hint["point"])


@in_browser
async def test_taking_back_stops_a_computer_that_thinks(house: House) -> None:
    made = await house.create(white="mcts,playouts=200000")
    async with house.sit(made["id"], made["seats"]["black"]) as me:
        await me.play("h8")
        await me.until_state(lambda state: state["thinking"])
        assert (await me.ask("take_back"))["type"] == "done"
        assert me.state["moves"] == []
        assert (me.state["actor"], me.state["thinking"]) == (1, False)
        # What it was asked is over: nothing more is played.
        await asyncio.sleep(0.5)
        assert (await me.ask("ping"))["type"] == "pong"
        assert me.state["moves"] == []


@in_browser
async def test_hurry_has_the_computer_move_at_once(house: House) -> None:
    made = await house.create(white="mcts,playouts=200000")
    async with house.sit(made["id"], made["seats"]["black"]) as me:
        await me.play("h8")
        await asyncio.sleep(0.3)
        assert me.state["ply"] == 1
        assert (await me.ask("hurry"))["type"] == "done"
        await me.until_state(lambda state: state["ply"] == 2)


@in_browser
async def test_hurry_has_a_hint_given_at_once_that_has_just_been_asked_for(house: House) -> None:
    made = await house.create(moves="h8i9")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tengen.web.games.hints.adviser", lambda *_: ("mcts,playouts=200000", None))
        async with house.sit(made["id"], *made["seats"].values()) as me:
            await me.tell({"type": "hint", "id": 1})
            await me.tell({"type": "hurry", "id": 2})
            hint = await me.until(lambda message: message.get("id") == 1)
            assert hint["type"] == "done"


@in_browser
async def test_two_computers_are_paused_stepped_and_paced(house: House) -> None:
    made = await house.create(black="level:1", white="random,seed=3", pace=60)
    assert made["seats"] == {"black": None, "white": None}
    async with house.sit(made["id"], cookie=True) as creator, house.sit(made["id"]) as stranger:
        assert "watching" in text_of(await stranger.ask("pause"))
        assert (creator.made, stranger.made) == (True, False)
        assert (await creator.ask("pause"))["type"] == "done"
        before = creator.state["ply"]
        assert (await creator.ask("pace", seconds=0))["type"] == "done"
        for number in (1, 2, 3):
            assert (await creator.ask("step"))["type"] == "done"
            assert creator.state["paused"]
            await creator.until_state(ply(before + number))
        assert creator.state["paused"]
        assert (await creator.ask("resume"))["type"] == "done"
        await stranger.until_state(lambda state: state["outcome"] is not None or state["ply"] > before + 6)


@in_browser
async def test_a_seat_is_handed_to_the_computer_and_back(house: House) -> None:
    made = await house.create(white="level:1")
    async with house.sit(made["id"], made["seats"]["black"]) as me, house.sit(made["id"]) as stranger:
        assert "watching" in text_of(await stranger.ask("hand_over", participant=1, occupant="random"))
        assert (await me.ask("pause"))["type"] == "done"
        assert (await me.ask("hand_over", participant=1, occupant="shapes"))["type"] == "done"
        assert me.state["seats"][0]["occupant"] == "shapes:o5"
        assert (await me.ask("step"))["type"] == "done"
        await me.until_state(lambda state: state["ply"] == 1 and not state["thinking"])
        assert "take over from it" in text_of(await me.ask("resign"))
        assert (await me.ask("hand_over", participant=1, occupant="human"))["type"] == "done"
        assert (await me.ask("hand_over", participant=2, occupant="human"))["type"] == "done"
        assert me.you == [1, 2]
        assert (await me.ask("resume"))["type"] == "done"
        await me.play("a1", "a2")
        refused = await me.ask("hand_over", participant=1, occupant="cmd=rm")
        assert "'cmd=rm' is not a player" in text_of(refused)


@in_browser
async def test_people_cannot_decide_for_each_other(house: House) -> None:
    game, black_token, white_token = await two(house)
    async with house.sit(game, black_token) as black, house.sit(game, white_token) as white:
        for kind, fields in (
            ("pause", {}),
            ("swap_sides", {}),
            ("hand_over", {"participant": 1, "occupant": "random"}),
            ("hand_over", {"participant": 2, "occupant": "random"}),
            ("again", {}),
        ):
            assert "your opponent is a person" in text_of(await white.ask(kind, **fields))
        assert "hints" in text_of(await black.ask("hint"))
        assert black.state["seats"][0]["occupant"] == "human"


@in_browser
async def test_a_flag_falls_by_itself(house: House) -> None:
    made = await house.create(clock="600")
    clocks = [seat["clock"] for seat in made["state"]["seats"]]
    assert [clock["running"] for clock in clocks] == [True, False]
    assert 0 < clocks[0]["left"] < clocks[1]["left"] == 600
    made = await house.create(clock="0.3")
    async with house.sit(made["id"]) as watcher:
        outcome = (await watcher.until_state(lambda state: state["outcome"] is not None))["outcome"]
        assert (outcome["winner"], outcome["reason"]) == ("white", "time")


@in_browser
async def test_no_clock_runs_before_the_friend_has_come(house: House) -> None:
    made = await house.create(open="random", clock="60+1")
    async with house.sit(made["id"], *made["seats"].values()) as me:
        waiting = next(seat for seat in me.state["seats"] if seat["open"])
        assert made["seats"][waiting["colour"]] is None
        assert me.state["paused"]
        assert not any(seat["clock"]["running"] for seat in me.state["seats"])
        assert "joined" in text_of(await me.ask("resume"))
        async with visit(house.server) as friend:
            joined = (await friend.http.post(f"/api/games/{made['id']}/join")).json()
            assert joined["participant"] == waiting["participant"]
        await me.until_state(lambda state: not state["paused"])
        assert me.state["seats"][0]["clock"]["running"]
        assert not any(seat["open"] for seat in me.state["seats"])


@in_browser
async def test_a_draw_is_offered_and_agreed(house: House) -> None:
    game, black_token, white_token = await two(house)
    async with house.sit(game, black_token) as black, house.sit(game, white_token) as white:
        assert (await black.ask("draw"))["type"] == "done"
        await white.until_state(lambda state: state["request"] == {"kind": "draw", "by": 1})
        assert (await white.ask("answer", accept=False))["type"] == "done"
        await black.until_state(lambda state: state["request"] is None)
        assert "declined" in text_of(await black.ask("draw"))
        await white.until_state(lambda state: state["version"] == black.state["version"])
        assert (await white.ask("draw"))["type"] == "done"
        await black.until_state(lambda state: state["request"] is not None)
        assert (await black.ask("answer", accept=True))["type"] == "done"
        assert black.state["outcome"]["reason"] == "agreed"


@in_browser
async def test_sides_are_swapped_with_a_computer(house: House) -> None:
    made = await house.create(white="level:1")
    async with house.sit(made["id"], made["seats"]["black"]) as me:
        assert (await me.ask("swap_sides"))["type"] == "done"
        await me.until_state(lambda state: state["ply"] == 1)
        assert me.you == [2]
        assert [seat["occupant"] for seat in me.state["seats"]] == ["level:1", "human"]
        await me.play("a1")


@in_browser
async def test_of_two_people_one_offers_another_game_and_the_other_accepts(house: House) -> None:
    game, black_token, white_token = await two(house, rules="tictactoe")
    async with house.sit(game, black_token) as black, house.sit(game, white_token) as white:
        assert "your opponent is a person" in text_of(await black.ask("again"))
        assert (await black.ask("resign"))["type"] == "done"
        assert (await black.ask("again"))["game"] is None
        assert (await black.ask("again"))["game"] is None, "nobody accepts an offer of one's own"
        await white.until_state(lambda state: state["rematch"] == 1)
        assert white.state["again"] is None
        following = (await white.ask("again"))["game"]
        await black.until_state(lambda state: state["again"] == following)
        assert black.state["rematch"] is None
        assert (await black.ask("again"))["game"] == following
    async with house.sit(following, black_token) as black, house.sit(following, white_token) as white:
        assert (black.you, white.you) == ([2], [1])
        await white.play("b2")
        assert black.state["rules_name"] == "tictactoe"


@in_browser
async def test_of_two_who_offer_another_game_at_once_both_have_it(house: House) -> None:
    game, black_token, white_token = await two(house, rules="tictactoe")
    async with house.sit(game, black_token) as black, house.sit(game, white_token) as white:
        await black.ask("resign")
        await white.until_state(lambda state: state["outcome"] is not None)
        told = await asyncio.gather(black.ask("again", swap=True), white.ask("again", swap=True))
        (following,) = {answer["game"] for answer in told} - {None}
        for one in (black, white):
            await one.until_state(lambda state: state["again"] == following)


@in_browser
async def test_an_offer_of_another_game_is_declined_or_withdrawn(house: House) -> None:
    game, black_token, white_token = await two(house, rules="tictactoe")
    async with house.sit(game, black_token) as black, house.sit(game, white_token) as white:
        await black.ask("resign")
        for asker, answerer in ((black, white), (black, black)):
            await asker.ask("again")
            await answerer.until_state(lambda state: state["rematch"] == 1)
            assert (await answerer.ask("answer", accept=False))["type"] == "done"
            await asker.until_state(lambda state: state["rematch"] is None)
        await white.until_state(lambda state: state["version"] == black.state["version"])
        assert "there is no request to answer" in text_of(await white.ask("answer", accept=False))


@in_browser
async def test_a_stone_that_is_taken_back_ends_the_offer_of_another_game(house: House) -> None:
    game, black_token, white_token = await two(house, rules="tictactoe")
    async with house.sit(game, black_token) as black, house.sit(game, white_token) as white:
        for number, point in enumerate(["b2", "a1", "b1", "a2", "b3"]):
            mover = (black, white)[number % 2]
            await mover.until_state(ply(number))
            await mover.play(point)
        await white.ask("again")
        await black.until_state(lambda state: state["rematch"] == 2)
        await black.ask("take_back")
        await white.until_state(lambda state: state["request"] is not None)
        assert (await white.ask("answer", accept=True))["type"] == "done"
        await black.until_state(lambda state: state["outcome"] is None)
        assert black.state["rematch"] is None


@in_browser
async def test_another_game_is_offered_and_accepted_over_http(house: House) -> None:
    game, black_token, white_token = await two(house, rules="tictactoe")
    path = f"/api/games/{game}"
    black, white = ({"Authorization": f"Bearer {token}"} for token in (black_token, white_token))
    async with visit(house.server) as program:
        http = program.http
        resign = {"type": "resign", "version": (await http.get(path)).json()["version"]}
        assert (await http.post(f"{path}/actions", json=resign, headers=black)).status_code == 200
        offered = await http.post(f"{path}/again", headers=black)
        assert (offered.status_code, offered.json()) == (202, {"id": None})
        accepted = await http.post(f"{path}/again", headers=white)
        assert accepted.status_code == 201
        assert (await http.get(path)).json()["again"] == accepted.json()["id"]


@in_browser
async def test_what_one_says_everybody_at_the_table_hears(house: House) -> None:
    game, black_token, white_token = await two(house)
    async with (
        house.sit(game, black_token) as black,
        house.sit(game, white_token) as white,
        house.sit(game) as watcher,
    ):
        version = black.state["version"]
        assert (await white.ask("say", phrase="good_luck"))["type"] == "done"
        for one in (black, watcher):
            heard = await one.until(lambda message: message["type"] == "phrase")
            assert heard == {"type": "phrase", "by": 2, "phrase": "good_luck"}
        assert "watching" in text_of(await watcher.ask("say", phrase="hello"))
        assert "phrase" in text_of(await black.ask("say", phrase="anything else"))
        assert (await black.ask("ping"))["type"] == "pong"
        assert (await house.http.get(f"/api/games/{game}")).json()["version"] == version


@in_browser
async def test_nobody_says_much_at_once(house: House) -> None:
    game, black_token, white_token = await two(house)
    async with house.sit(game, black_token) as black, house.sit(game, black_token) as twin:
        kinds = [(await one.ask("say", phrase="hello"))["type"] for one in [black, twin] * 4]
        assert kinds[:4] == ["done"] * 4
        assert "refused" in kinds[4:]
        async with house.sit(game, white_token) as white:
            assert (await white.ask("say", phrase="hello"))["type"] == "done"


@in_browser
async def test_there_has_to_be_somebody_to_say_something_to(house: House) -> None:
    for wanted in ({"white": "random"}, {}, {"open": "white"}):
        made = await house.create(**wanted)
        async with house.sit(made["id"], cookie=True) as me:
            assert "nobody else" in text_of(await me.ask("say", phrase="hello")), wanted


@in_browser
async def test_spectators_only_look(house: House) -> None:
    game, black_token, _ = await two(house)
    async with house.sit(game, black_token) as black, house.sit(game) as watcher:
        assert watcher.you == []
        for kind in ("resign", "take_back", "draw", "claim", "pause", "step", "hint", "hurry", "again"):
            assert "watching" in text_of(await watcher.ask(kind))
        assert "watching" in text_of(await watcher.ask("move", point="h8"))
        await black.play("h8")
        await watcher.until_state(lambda state: state["ply"] == 1)
        await black.until_state(lambda state: state["watchers"] == 1)
    async with house.sit(game, "a token that nobody gave") as guesser:
        assert "token" in text_of(await guesser.ask("resign"))


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("no JSON", "JSON"),
        ("[]", "JSON"),
        ('{"type": "fly", "id": 7}', "type"),
        ('{"type": "move", "id": 7, "point": "h8"}', "ply"),
        ('{"type": "move", "id": 7, "point": "h8", "ply": "0"}', "ply"),
        ('{"type": "move", "id": 7, "point": "z99", "ply": 0}', "z99"),
        ('{"type": "move", "id": 7, "point": "h8!", "ply": 0}', "h8!"),
        ('{"type": "pace", "id": 7, "seconds": 1e999}', "seconds"),
        ('{"type": "resign", "id": {"a": 1}, "version": 1}', "id"),
    ],
)
async def test_nonsense_is_refused_in_one_sentence(server: Server, sent: str, said: str) -> None:
    async with visit(server) as house:
        made = await house.create()
        async with websockets.connect(f"{server.ws}/api/games/{made['id']}/live") as socket:
            player = Player(socket)
            await player.hello(*made["seats"].values())
            await socket.send(sent)
            refused = await player.until(lambda m: m["type"] == "refused")
            assert said in refused["text"]
            assert refused["id"] == (7 if '"id": 7' in sent else None)
            await player.play("h8")


@pytest.mark.parametrize(
    ("hello", "said"),
    [
        ("rubbish", "JSON"),
        ("[]", "the request is []: expected an object"),
        ("{}", "type is missing"),
        ('{"type": "move"}', 'type is "move": expected hello'),
        ('{"type": "hello", "tokens": "abc"}', 'tokens is "abc": expected a list'),
        ('{"type": "hello", "tokens": ["a", 5]}', "tokens.1 is 5: expected text"),
    ],
)
async def test_a_wrong_hello_is_refused_in_one_sentence(server: Server, hello: str, said: str) -> None:
    async with visit(server) as house:
        made = await house.create()
        async with websockets.connect(f"{server.ws}/api/games/{made['id']}/live") as socket:
            await socket.send(hello)
            refused = json.loads(await socket.recv())
            assert (refused["type"], refused["id"]) == ("refused", None)
            assert said in refused["text"]


async def test_a_game_that_is_not_there(server: Server) -> None:
    for game, hello in (("nobody", '{"type": "hello"}'), ("nobody", '{"type": "move"}')):
        async with websockets.connect(f"{server.ws}/api/games/{game}/live") as socket:
            await socket.send(hello)
            assert json.loads(await socket.recv())["type"] == "refused"
            with pytest.raises(websockets.ConnectionClosed):
                await socket.recv()
