"""The line that says how a game stands: one state, one sentence, for whoever looks."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.assets.browser import needs_browser
from tests.web.browser.looking import Readers
from tests.web.browser.pages import Opener
from tests.web.browser.test_table import act, by_link, path_of

pytestmark = needs_browser

_SAY = """async ([state, you]) => {
  const { standingOf } = await import("/static/play/status_view.js");
  const { speaker } = await import("/assets/words.js");
  const say = speaker(await (await fetch("/words/en.json")).json(), "en");
  const context = { say, lookupKey: (message) => say(message.key, message.values) };
  return standingOf({ state, you, context, acts: {} }).words;
}"""

BLACK, WHITE, BOTH, WATCHER = [1], [2], [1, 2], list[int]()


def seat(participant: int, **other: Any) -> dict[str, Any]:
    """A seat of the state that a server tells."""
    colour = "black" if participant == 1 else "white"
    usual = {"participant": participant, "colour": colour, "occupant": "human", "open": False}
    return usual | other


def game(*seats: dict[str, Any], **other: Any) -> dict[str, Any]:
    """As much of a state as the line reads; Black is to move."""
    usual = {
        "seats": list(seats) or [seat(1), seat(2)],
        "actor": 1,
        "paused": False,
        "preparing": False,
        "outcome": None,
        "opening": None,
        "request": None,
    }
    return usual | other


OPEN = game(seat(1), seat(2, open=True))
WAITING = OPEN | {"paused": True}
PREPARING = game(seat(1, occupant="level:9"), seat(2), paused=True, preparing=True)
COMPUTER = game(seat(1, occupant="level:3"), seat(2))
DRAW = game(request={"kind": "draw", "by": 1})
BACK = game(request={"kind": "take_back", "by": 1})
CHOICE = {
    "by": 1,
    "kind": "choice",
    "message": {"key": "opening.ask.choice", "values": {"options": "play Black"}},
    "points": [],
    "options": [{"value": "black", "message": {"key": "opening.option.black", "values": {}}}],
}
CHOOSING = game(opening={"name": "swap", "decision": CHOICE})
OVER = game(outcome={"winner": "black", "reason": "resigned", "line": [], "foul": None})


@pytest.mark.parametrize(
    ("state", "you", "words"),
    [
        (game(), BLACK, "Your turn: you play Black"),
        (game(), WHITE, "Your opponent's turn"),
        (game(), BOTH, "Black to move"),
        (game(), WATCHER, "Watching: Black to move"),
        (COMPUTER, WHITE, "Level 3 is thinking…"),
        (COMPUTER, WATCHER, "Level 3 is thinking…"),
        (COMPUTER | {"actor": 2}, WHITE, "Your turn: you play White"),
        (COMPUTER | {"actor": 2}, WATCHER, "Watching: White to move"),
        (OPEN, BLACK, "Waiting for your friend"),
        (OPEN, WATCHER, "You have been invited to a game."),
        (WAITING, BLACK, "Waiting for your friend"),
        (WAITING, WATCHER, "You have been invited to a game."),
        (PREPARING, BLACK, "The engine is getting ready. The clocks start when it is."),
        (PREPARING, WATCHER, "The engine is getting ready. The clocks start when it is."),
        (game(paused=True), BLACK, "Paused"),
        (game(paused=True), WHITE, "Paused"),
        (game(paused=True), WATCHER, "Paused"),
        (COMPUTER | {"paused": True}, WATCHER, "Paused"),
        (DRAW, BLACK, "You have offered a draw"),
        (DRAW, WHITE, "Your opponent offers a draw"),
        (DRAW, WATCHER, "Watching: Black to move"),
        (BACK, BLACK, "You have asked for a take-back"),
        (BACK, WHITE, "Your opponent asks for a take-back"),
        (CHOOSING, BLACK, "Your choice:"),
        (OVER, BLACK, "Black wins: White resigned"),
        (OVER, WATCHER, "Black wins: White resigned"),
    ],
)
@pytest.mark.long
def test_each_state_has_one_sentence_for_each_role(
    readers: Readers, state: dict[str, Any], you: list[int], words: str
) -> None:
    with readers.look("/learn") as page:
        assert page.evaluate(_SAY, [state, you]) == words


@pytest.mark.long
def test_while_a_friend_is_waited_for_nothing_is_paused(visit: Opener) -> None:
    me = visit()
    me.button("A friend by link").click()
    me.button("Start").click()
    me.says("Waiting for your friend")
    me.choose("h8")
    me.says("Waiting for your friend")
    friend = visit(path_of(me))
    friend.says("You have been invited to a game")
    watcher = visit(path_of(me))
    friend.button("Take the seat and begin as White").click()
    friend.says("Your opponent's turn")
    me.says("Your turn")
    watcher.says("Watching: Black to move")


@pytest.mark.long
def test_a_note_goes_with_the_state_it_was_said_in(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    me.choose("h8")
    me.says("h8 is occupied")
    friend.play("i9")
    expect(me.page.locator(".status p")).to_have_text("Your turn: you play Black")
    friend.choose("j10")
    friend.says("Your opponent's turn")
    me.choose("h8")
    me.says("h8 is occupied")
    act(friend, "back")
    me.says("Your opponent asks for a take-back")
    me.button("Accept").click()
    expect(me.page.locator(".status p")).to_have_text("Your opponent's turn")
