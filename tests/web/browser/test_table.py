"""What happens at a table besides stones, in real browsers: claims, offers, seats, clocks, crashes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tengen.web.games import commands
from tengen.web.games.game import Presence
from tengen.web.games.subscribers import Subscribers
from tests.assets.browser import needs_browser
from tests.web.browser.pages import PHONE, WIDE, Opener, Visit
from tests.web.test_start import command, free_port

pytestmark = needs_browser

LANDSCAPE = {"width": 844, "height": 390}
CLAIMED = {"rules": "renju", "fouls": "claimed"}


def two_here(visit: Opener, **options: Any) -> Visit:
    """A game of two people at one device."""
    me = visit(**options)
    me.sees(".levels label")  # what the rules know has been told
    me.button("Two people here").click()
    me.sees(".table.game")
    return me


def by_link(visit: Opener, **options: Any) -> tuple[Visit, Visit]:
    """A game by link: who made it and plays Black, and a friend who plays White."""
    me = visit(**options)
    me.button("A friend by link").click()
    me.button("Start").click()
    me.sees(".room")
    friend = visit(path_of(me), **options)
    friend.button("Take the seat and begin as White").click()
    me.says("Your turn")
    friend.says("Your opponent's turn")
    return me, friend


def path_of(one: Visit) -> str:
    """The page that somebody is on."""
    return "/" + one.page.url.split("/", 3)[3]


def act(one: Visit, name: str) -> None:
    """Press a button of the game; those of the menu are looked for there."""
    button = one.page.locator(f"#act-{name}")
    if not button.is_visible():
        one.page.locator("#act-more").click()
    button.click()
    if name in ("swap", "human-black", "human-white", "computer-black", "computer-white"):
        one.sees("dialog[open]").get_by_role("button", name="Change seats").click()


# -- fouls that lose, at once or when they are claimed


@pytest.mark.long
def test_a_foul_that_loses_is_played_when_it_is_chosen_again(visit: Opener) -> None:
    me = two_here(visit, game={**CLAIMED, "fouls": "loses"})
    me.play("h8", "a1", "i8", "o15", "j9", "a15", "j10", "o1")
    me.choose("j8")
    me.says("j8 is a foul and loses: three-three, formed by h8 i8 j8, j8 j9 j10")
    me.says("choose it again")
    me.shows(8)
    me.play("j8")
    expect(me.sees("dialog[open]").locator("h2")).to_have_text("White wins")


@pytest.mark.long
def test_white_claims_a_three_three(visit: Opener) -> None:
    me = two_here(visit, game=CLAIMED)
    me.play("h8", "a1", "i8", "o15", "j9", "a15", "j10", "o1")
    expect(me.page.locator(".board .fouls > *")).to_have_count(0)
    me.play("j8")
    me.button("Claim foul").click()
    dialog = me.sees("dialog[open]")
    expect(dialog.locator("h2")).to_have_text("White wins")
    expect(dialog).to_contain_text("foul by Black, three-three")
    expect(dialog).to_contain_text("h8 i8 j8")
    expect(dialog).to_contain_text("j8 j9 j10")
    me.sees(".board .row.foul", 2)


@pytest.mark.long
def test_a_claim_without_a_foul_is_refused(visit: Opener) -> None:
    me = two_here(visit, game=CLAIMED)
    me.play("h8")
    me.button("Claim foul").click()
    me.says("There is no foul to claim")
    me.shows(1)
    me.play("i9")


@pytest.mark.long
def test_a_foul_that_is_overlooked_stands(visit: Opener) -> None:
    me = two_here(visit, game=CLAIMED)
    me.play("h8", "a1", "i8", "o15", "j9", "a15", "j10", "o1", "j8", "a8")
    me.button("Claim foul").click()
    me.says("There is no foul to claim")
    me.shows(10)


# -- a server that is killed


@pytest.mark.long
def test_a_server_that_is_killed_and_comes_back(visit: Opener, tmp_path: Path) -> None:
    words = ("serve", "--no-browser", "--port", str(free_port()), "--data", str(tmp_path))
    with command(tmp_path, *words) as first:
        me, friend = by_link(visit, url=first.url)
        me.play("h8")
        friend.shows(1)
        friend.play("i9")
        me.shows(2)
        me.page.evaluate("window.sameAsBefore = true")
        first.process.kill()
        first.process.communicate()
    me.says("Connection lost")
    friend.says("Connection lost")
    me.choose("j10")  # kept until there is a server again
    with command(tmp_path, *words):
        me.shows(3)
        friend.shows(3)
        friend.says("Your turn")
        friend.play("k11")
        me.says("Your turn")
        assert [text.split()[-1] for text in me.moves().all_inner_texts()] == ["h8", "i9", "j10", "k11"]
        assert me.page.evaluate("window.sameAsBefore")
        for one in (me, friend):
            one.faults.clear()  # the browser itself tells of the lost connection
            one.page.close()  # before the server ends once more


# -- what one side asks of the other


@pytest.mark.long
def test_a_draw_is_declined_and_then_accepted(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    me.button("Offer draw").click()
    me.says("You have offered a draw")
    friend.says("Your opponent offers a draw")
    friend.button("Decline").click()
    me.says("Your opponent declined the draw")
    friend.says("Your turn")
    me.button("Offer draw").click()
    me.says("That offer was declined")
    friend.play("i9")
    me.shows(2)
    friend.button("Offer draw").click()
    me.button("Accept").click()
    for one in (me, friend):
        dialog = one.sees("dialog[open]")
        expect(dialog.locator("h2")).to_have_text("Draw")
        expect(dialog).to_contain_text("agreement")


@pytest.mark.long
def test_a_take_back_that_is_declined(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    act(me, "back")
    me.says("You have asked for a take-back")
    friend.says("Your opponent asks for a take-back")
    friend.button("Decline").click()
    me.says("Your opponent refused the take-back")
    friend.play("i9")
    me.shows(2)


@pytest.mark.long
def test_a_computer_declines_a_draw(visit: Opener) -> None:
    me = visit(game={"opponent": "random"})
    me.play("h8")
    me.shows(2)
    me.says("Your turn")
    me.button("Offer draw").click()
    me.says("Your opponent declined the draw")


@pytest.mark.long
def test_a_rematch_is_offered_accepted_and_played_with_exchanged_colours(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.button("Resign").click()
    me.button("Resign?").click()
    me.sees("dialog[open]")
    dialog = friend.sees("dialog[open]")
    me.page.locator("dialog[open]").get_by_role("button", name="Rematch").click()
    me.says("You have offered a rematch")
    expect(dialog.get_by_role("status")).to_have_text("Your opponent offers a rematch")
    expect(me.button("Rematch")).to_be_disabled()
    # The window lies over the line with the question, and answers it.
    dialog.get_by_role("button", name="Decline").click()
    me.says("Your opponent declined the rematch")
    expect(dialog.get_by_role("button", name="Decline")).to_have_count(0)
    dialog.get_by_role("button", name="Close").click()
    friend.says("Black resigned")
    friend.button("Rematch").click()
    friend.button("Withdraw").click()
    friend.says("The rematch offer has been withdrawn")
    me.button("Rematch").click()
    friend.button("Accept").click()
    for one in (me, friend):
        expect(one.page.locator("dialog")).to_have_count(0)
    friend.says("Your turn: you play Black")
    me.says("Your opponent's turn")
    friend.play("h8")
    me.shows(1)
    assert path_of(me) == path_of(friend)


@pytest.mark.long
@pytest.mark.parametrize("viewport", [WIDE, PHONE, LANDSCAPE])
def test_a_rematch_is_accepted_in_the_window_of_the_result(visit: Opener, viewport: dict[str, int]) -> None:
    me, friend = by_link(visit)
    friend.page.set_viewport_size(viewport)  # type: ignore[arg-type]
    me.button("Resign").click()
    me.button("Resign?").click()
    dialog = friend.sees("dialog[open]")
    me.page.locator("dialog[open]").get_by_role("button", name="Rematch").click()
    accept = dialog.get_by_role("button", name="Accept")
    expect(accept).to_be_in_viewport()
    assert accept.evaluate(
        """(button) => {
          const { left, top, width, height } = button.getBoundingClientRect();
          return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }"""
    )
    accept.click()
    for one in (me, friend):
        expect(one.page.locator("dialog")).to_have_count(0)
    friend.says("Your turn: you play Black")
    assert path_of(me) == path_of(friend)


@pytest.mark.long
def test_a_stone_that_ended_the_game_is_asked_back_in_the_window_of_the_result(visit: Opener) -> None:
    me, friend = by_link(visit, game={"rules": "tictactoe", "size": [3, 3]})
    moves = ((me, "b2"), (friend, "a1"), (me, "b1"), (friend, "a2"), (me, "b3"))
    for number, (one, point) in enumerate(moves, 1):
        one.play(point)
        for other in (me, friend):
            other.shows(number)
    me.sees("dialog[open]").get_by_role("button", name="Close").click()
    dialog = friend.sees("dialog[open]")
    act(me, "back")
    expect(dialog.get_by_role("status")).to_have_text("Your opponent asks for a take-back")
    dialog.get_by_role("button", name="Accept").click()
    expect(dialog).to_have_count(0)
    for one in (me, friend):
        one.shows(4)


@pytest.mark.long
def test_a_game_that_the_other_one_has_not_begun_is_aborted(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    act(me, "abort")
    expect(me.page.locator("#act-abort")).to_have_text("Abort the game?")
    act(me, "abort")
    for one in (me, friend):
        dialog = one.sees("dialog[open]")
        expect(dialog.locator("h2")).to_have_text("Game aborted")
        expect(dialog).to_contain_text("The game was aborted")
    me.page.goto(f"{me.page.url.partition('/g/')[0]}/games")
    expect(me.page.locator(".games-result")).to_have_text("Aborted")


@pytest.mark.long
@pytest.mark.parametrize(
    ("button", "title"), [("Claim a draw", "Draw"), ("Abort the game", "Game aborted")]
)
def test_who_is_left_alone_ends_the_game(
    visit: Opener, monkeypatch: pytest.MonkeyPatch, button: str, title: str
) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    friend.play("i9")
    me.shows(2)
    monkeypatch.setattr(commands, "PATIENCE", 0.0)
    presence = Subscribers.presence

    def long_away(self: Subscribers) -> Presence:
        now = presence(self)
        return replace(now, away={who: seconds + 597.5 for who, seconds in now.away.items()})

    monkeypatch.setattr(Subscribers, "presence", long_away)
    friend.page.close()
    expect(me.page.locator(".seat.top")).to_contain_text("offline")
    expect(me.page.locator(".status").get_by_role("button", name=button)).to_have_count(0)
    # It appears by itself once ten minutes are over.
    me.says("Your opponent has been away for 10 minutes. You may end the game.")
    me.page.locator(".status").get_by_role("button", name=button).click()
    expect(me.sees("dialog[open]").locator("h2")).to_have_text(title)


@pytest.mark.long
def test_a_game_that_people_play_is_not_analysed(visit: Opener) -> None:
    me, friend = by_link(visit)
    me.play("h8")
    game, url = path_of(me), me.page.url.partition("/g/")[0]
    for one in (me, friend, visit()):
        one.page.goto(f"{url}/analyse?game={game.rpartition('/')[2]}")
        expect(one.page.locator("main h1")).to_have_text("This game is still being played")
        expect(one.page.locator(".board")).to_have_count(0)
        expect(one.page.get_by_role("tab")).to_have_count(0)
    me.page.get_by_role("link", name="Go to the game").click()
    me.shows(1)
    me.button("Resign").click()
    me.button("Resign?").click()
    me.sees("dialog[open]").get_by_role("button", name="Review").click()
    expect(me.page.locator(".board svg")).to_be_visible()
    friend.page.reload()
    expect(friend.page.locator(".board svg")).to_be_visible()


@pytest.mark.long
def test_a_stone_that_ended_the_game_is_asked_back(visit: Opener) -> None:
    me, friend = by_link(visit, game={"rules": "tictactoe", "size": [3, 3]})
    for number, (one, point) in enumerate(
        ((me, "b2"), (friend, "a1"), (me, "b1"), (friend, "a2"), (me, "b3")), 1
    ):
        one.play(point)
        for other in (me, friend):
            other.shows(number)
    for one in (me, friend):
        one.sees("dialog[open]").get_by_role("button", name="Close").click()
    act(me, "back")
    friend.says("Your opponent asks for a take-back")
    friend.button("Accept").click()
    me.shows(4)


# -- what they say


@pytest.mark.long
def test_each_reads_a_phrase_in_a_language_of_their_own(visit: Opener) -> None:
    me, friend = by_link(visit)
    friend.speak("zh-CN")
    expect(friend.page.locator("html")).to_have_attribute("lang", "zh-CN")
    friend.says("轮到对手")  # it is connected again
    me.button("Say…").click()
    me.button("Good luck!").click()
    expect(me.page.locator(".seat.bottom .phrase")).to_have_text("“Good luck!”")
    expect(friend.page.locator(".seat.top .phrase")).to_have_text("“祝好运！”")
    expect(friend.page.locator("#spoken")).to_have_text("对手：祝好运！")
    expect(me.page.locator("#phrases")).to_be_hidden()
    friend.button("说……").click()
    friend.page.get_by_label("不显示别人说的话").check()
    expect(friend.page.locator(".seat.bottom .phrase")).to_have_count(0)
    friend.button("谢谢！").click()
    expect(me.page.locator(".seat.top .phrase")).to_have_text("“Thanks!”")
    expect(me.page.locator("#spoken")).to_have_text("Opponent: Thanks!")
    me.button("Say…").click()
    me.button("Sorry!").click()
    expect(me.page.locator(".seat.bottom .phrase")).to_have_text("“Sorry!”")
    me.play("h8")
    friend.shows(1)
    expect(friend.page.locator(".seat.top .phrase")).not_to_have_text("“抱歉！”")


@pytest.mark.long
def test_who_talks_much_is_told_to_wait(visit: Opener) -> None:
    me, _ = by_link(visit)
    for _ in range(5):
        me.button("Say…").click()
        me.button("Hello!").click()
    me.says(re.compile(r"Too many requests: try again in [1-5] seconds?"))


@pytest.mark.long
def test_there_is_nothing_to_say_to_a_computer_or_from_a_spectator(visit: Opener) -> None:
    me, _ = by_link(visit)
    spectator = visit(path_of(me))
    spectator.sees(".action-grid")
    expect(spectator.page.locator("#act-say")).to_have_count(0)
    alone = visit(game={"opponent": "random"})
    alone.play("h8")
    alone.shows(2)
    expect(alone.page.locator("#act-say")).to_have_count(0)


# -- who plays


@pytest.mark.long
def test_a_seat_is_handed_over_and_taken_back(visit: Opener) -> None:
    me = two_here(visit, game={"opponent": "random"})
    me.play("h8")
    act(me, "computer-white")
    me.shows(2)
    expect(me.page.locator(".seat.top b")).to_have_text("Random")
    me.says("Your turn: you play Black")
    before = set(me.moves().all_inner_texts())
    act(me, "human-white")
    expect(me.page.locator(".seat.top b")).to_have_text("White player")
    me.says("Black to move")
    assert set(me.moves().all_inner_texts()) == before
    free = next(name for name in ("o15", "o14") if not any(text.endswith(name) for text in before))
    me.play(free)
    me.says("White to move")
    me.shows(3)


@pytest.mark.long
def test_sides_are_swapped_with_a_computer(visit: Opener) -> None:
    me = visit(game={"opponent": "random"})
    me.play("h8")
    me.shows(2)
    act(me, "swap")
    expect(me.page.locator(".toast")).to_have_text("You now play White")
    me.shows(3)
    expect(me.page.locator(".seat.bottom")).to_contain_text("White")
    expect(me.page.locator(".seat.top b")).to_have_text("Random")


# -- who watches


@pytest.mark.long
def test_a_spectator_sees_each_move_and_plays_none(visit: Opener) -> None:
    me, friend = by_link(visit)
    spectator = visit(path_of(me))
    me.play("h8")
    spectator.shows(1)
    spectator.choose("i9")
    spectator.says("Watching: White to move")
    friend.play("i9")
    spectator.shows(2)
    assert me.moves().count() == 2
    for name in ("back", "hint", "draw", "resign"):
        expect(spectator.page.locator(f"#act-{name}")).to_have_count(0)
    me.button("Resign").click()
    me.button("Resign?").click()
    expect(spectator.sees("dialog[open]").locator("h2")).to_have_text("White wins")


# -- time


@pytest.mark.long
def test_who_runs_out_of_time_loses(visit: Opener) -> None:
    me, friend = by_link(visit, game={"clock": "5"})
    me.play("h8")
    expect(friend.page.locator(".seat.bottom .clock")).to_have_text(re.compile(r"^0:0[0-4]\.\d$"))
    expect(me.sees("dialog[open]").locator("h2")).to_have_text("You win!")
    dialog = friend.sees("dialog[open]")
    expect(dialog.locator("h2")).to_have_text("You lose")
    expect(dialog).to_contain_text("White ran out of time")
    expect(friend.page.locator(".seat.bottom .clock")).to_have_text("0:00.0")


# -- opening rules


@pytest.mark.long
def test_soosyrv_8_with_a_number_of_fifth_moves(visit: Opener) -> None:
    me = two_here(visit, game={"rules": "renju", "opening": "soosyrv-8"})
    me.says("Place stone 1 (Black) on the centre")
    me.play("h8", "h9", "h10")
    me.button("Play White").click()
    me.says("Place stone 4 (White) anywhere")
    me.play("i9")
    me.says("Say how many fifth moves will be offered")
    expect(me.page.locator(".answers button")).to_have_text([str(count) for count in range(1, 9)])
    me.button("2").click()
    me.button("Play Black").click()
    me.says("Offer fifth move 1 of 2")
    me.choose("g10")
    me.says("Offer fifth move 2 of 2")
    me.sees(".board [data-label], .board .marks text")
    me.choose("g7")
    me.says("Choose one of the 2 fifth moves")
    me.choose("a1")
    me.says("offered")
    me.shows(4)
    me.play("g10")
    me.says("White to move")
    me.shows(5)
