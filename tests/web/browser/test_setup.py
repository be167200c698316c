"""The dialog of a new game, in a real browser: what cannot be is said in it, and nothing is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import LYING, PHONE, Opener, Visit, held

pytestmark = needs_browser

_DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def opened(visit: Opener) -> tuple[Visit, Locator]:
    """Somebody who has opened the dialog and chosen renju, White and a clock of one's own."""
    me = visit()
    me.button("More options…").click()
    dialog = me.sees("dialog[open]")
    dialog.get_by_label("Rules").select_option("renju")
    dialog.get_by_role("radio", name="White").check(force=True)
    dialog.get_by_label("Clock", exact=True).select_option("other")
    return me, dialog


def kept(dialog: Locator) -> None:
    """The dialog is still there, and what was chosen in it."""
    expect(dialog).to_be_visible()
    expect(dialog.get_by_label("Rules")).to_have_value("renju")
    expect(dialog.get_by_role("radio", name="White")).to_be_checked()


@pytest.mark.long
def test_a_clock_or_a_size_that_cannot_be_keeps_the_dialog_and_all_choices(visit: Opener) -> None:
    me, dialog = opened(visit)
    clock = dialog.get_by_placeholder("300+3x30")
    start = dialog.get_by_role("button", name="Start")
    clock.fill("abc")
    start.click()
    kept(dialog)
    expect(clock).to_be_focused()
    said = clock.evaluate("(field) => field.validationMessage")
    assert said == "Clock: seconds, seconds+increment, or seconds+periodsxseconds"
    clock.fill("60+2")
    columns = dialog.get_by_label("Columns")
    columns.fill("99")
    start.click()
    kept(dialog)
    expect(clock).to_have_value("60+2")
    assert columns.evaluate("(field) => field.validationMessage") == "A whole number from 1 to 50"
    columns.fill("15")
    start.click()
    me.sees(".table.game")
    expect(me.page.locator(".seat.bottom .clock")).to_be_visible()


@pytest.mark.long
def test_what_the_server_refuses_is_said_in_the_dialog(visit: Opener) -> None:
    me, dialog = opened(visit)
    refusal = {"error": {"key": "error.clock.text", "values": {"text": "60"}}, "text": "no clock"}
    me.page.route("**/api/games", lambda route: route.fulfill(status=422, json=refusal))
    dialog.get_by_placeholder("300+3x30").fill("60")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.locator(".problem")).to_contain_text("60")
    kept(dialog)
    me.page.unroute("**/api/games")
    dialog.get_by_role("button", name="Start").click()
    me.sees(".table.game")
    me.faults.clear()  # the browser itself tells of the answer 422


@pytest.mark.parametrize("rules", ["freestyle", "renju", "tictactoe"])
@pytest.mark.long
def test_nothing_moves_when_it_comes_to_be_known_what_goes_with_the_rules(
    visit: Opener, rules: str
) -> None:
    """Else a click that is being made misses its button."""
    me = visit(game={"rules": "freestyle", "size": [15, 15]})
    release = held(me.page, "**/api/catalogue*")
    me.button("A friend by link").click()
    dialog = me.sees("dialog[open]")
    start = dialog.get_by_role("button", name="Start")
    dialog.get_by_label("Rules").select_option(rules)
    before = start.bounding_box()
    with me.page.expect_response(lambda answer: f"/api/catalogue?rules={rules}" in answer.url):
        release()
    opening = dialog.get_by_label("Opening rule")
    if rules != "tictactoe":
        expect(opening.locator("option")).not_to_have_count(1)
    me.page.evaluate(_DRAWN)
    assert opening.is_visible() == (rules != "tictactoe")
    assert start.bounding_box() == before
    assert dialog.get_by_label("Fouls").is_visible() == (rules == "renju")


@pytest.mark.long
def test_a_text_that_is_marked_beyond_the_edge_closes_no_dialog(visit: Opener) -> None:
    me, dialog = opened(visit)
    box = dialog.get_by_placeholder("300+3x30").bounding_box()
    assert box is not None
    me.page.mouse.move(box["x"] + 20, box["y"] + 10)
    me.page.mouse.down()
    me.page.mouse.move(5, box["y"] + 10)
    me.page.mouse.up()
    me.page.evaluate(_DRAWN)
    kept(dialog)
    me.page.mouse.click(5, 300)
    expect(dialog).to_have_count(0)


@pytest.mark.long
def test_a_dialog_goes_with_its_page(visit: Opener) -> None:
    me = visit("/learn")
    me.page.locator("#header > nav").get_by_role("link", name="Play").click()
    me.button("More options…").click()
    me.sees("dialog[open]")
    me.page.go_back()
    me.sees(".learn-number")
    expect(me.page.locator("dialog")).to_have_count(0)


@pytest.mark.long
def test_the_menu_goes_with_its_page(visit: Opener) -> None:
    me = visit("/learn", viewport=PHONE)
    for path in ("/games", "/watch"):
        me.page.locator("#open-menu").click()
        me.page.locator(f"#menu a[href='{path}']").click()
        expect(me.page.locator("#menu")).to_be_hidden()
    me.page.locator("#open-menu").click()
    expect(me.page.locator("#menu")).to_be_visible()
    me.page.go_back()
    expect(me.page.locator("#menu")).to_be_hidden()


@pytest.mark.long
def test_a_button_that_waits_for_the_server_shows_it_and_asks_once(visit: Opener) -> None:
    me = visit()
    me.button("A friend by link").click()
    dialog = me.sees("dialog[open]")
    asked: list[str] = []
    me.page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    release = held(me.page, "**/api/games")
    start = dialog.get_by_role("button", name="Start")
    start.click()
    expect(start).to_have_attribute("aria-busy", "true")
    start.click()
    release()
    me.sees(".room")
    assert len(asked) == 1


def test_a_server_that_never_answers_is_told_after_a_while(visit: Opener) -> None:
    me = visit()
    me.page.evaluate("""() => {
      const ended = new AbortController();
      AbortSignal.timeout = () => ended.signal;
      window.endOfPatience = () => ended.abort(new DOMException("", "TimeoutError"));
    }""")
    me.button("A friend by link").click()
    dialog = me.sees("dialog[open]")
    held(me.page, "**/api/games")
    start = dialog.get_by_role("button", name="Start")
    start.click()
    expect(start).to_have_attribute("aria-busy", "true")
    me.page.evaluate("endOfPatience()")
    expect(dialog.get_by_role("alert")).to_have_text("The server cannot be reached")
    expect(start).to_have_attribute("aria-busy", "false")
    me.faults.clear()  # the browser itself tells of the request that was given up


SETTINGS = [
    ({}, "Freestyle gomoku · 15×15 · no opening rule · no clock · 5 take-backs each", []),
    (
        {"opening": "swap2", "clock": "60"},
        "Freestyle gomoku · 15×15 · Swap2 · 1 minute · 5 take-backs each",
        ["Swap2", "1 minute"],
    ),
    (
        {"rules": "renju", "fouls": "claimed", "takeBacks": 0},
        "Renju · 15×15 · Black's fouls lose if White claims them"
        " · no opening rule · no clock · no take-backs",
        ["Renju", "Black's fouls lose if White claims them", "no take-backs"],
    ),
    (
        {"rules": "mnk", "size": [7, 6], "k": 4, "takeBacks": None, "clock": "300+3x30"},
        "7×6, 4 in a row · 5 min, then 3 × 30 s · unlimited take-backs",
        ["7×6, 4 in a row", "5 min, then 3 × 30 s", "unlimited take-backs"],
    ),
]


@pytest.mark.parametrize(("game", "told", "unusual"), SETTINGS)
@pytest.mark.long
def test_the_start_page_names_all_that_is_in_force(
    visit: Opener, game: dict[str, object], told: str, unusual: list[str]
) -> None:
    me = visit(game=game)
    settings = me.page.get_by_role("region", name="This game's settings")
    expect(settings.locator("p").first).to_have_text(told)
    expect(settings.locator("b")).to_have_text(unusual)
    expect(me.button("Reset to defaults")).to_be_visible(visible=bool(unusual))


def test_settings_are_reset_and_the_reset_is_undone(visit: Opener) -> None:
    me = visit(game={"opening": "swap2", "clock": "60"})
    facts = me.page.locator(".in-force p").first
    expect(facts).to_contain_text("Swap2 · 1 minute")
    me.button("Reset to defaults").click()
    expect(facts).to_contain_text("no opening rule · no clock")
    expect(me.button("Reset to defaults")).to_be_hidden()
    me.button("Undo").click()
    expect(facts).to_contain_text("Swap2 · 1 minute")
    me.button("Reset to defaults").click()
    me.choose("h8")
    me.sees(".table.game")
    expect(me.page.locator(".clock")).to_have_count(0)


@pytest.mark.long
def test_what_is_changed_in_the_window_is_in_force_without_a_game(visit: Opener) -> None:
    me = visit()
    me.button("Change…").click()
    dialog = me.sees("dialog[open]")
    dialog.get_by_label("Opening rule").select_option("swap2")
    dialog.get_by_label("Clock", exact=True).select_option("other")
    dialog.get_by_placeholder("300+3x30").fill("abc")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Reset").click()
    expect(dialog.get_by_label("Opening rule")).to_have_value("free")
    expect(dialog.get_by_label("Clock", exact=True)).to_have_value("")
    dialog.get_by_label("Opening rule").select_option("swap2")
    dialog.get_by_role("button", name="Save").click()
    expect(me.page.locator(".in-force b")).to_have_text("Swap2")
    me.page.reload()
    expect(me.page.locator(".in-force b")).to_have_text("Swap2")


@pytest.mark.long
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_on_a_phone_that_lies_all_choices_are_reached_and_a_cue_says_so(visit: Opener, locale: str) -> None:
    me = visit(viewport=LYING, has_touch=True, is_mobile=True, locale=locale)
    # The start page beside its board.
    expect(me.page.locator(".start .side[data-more]")).to_be_visible()
    me.page.locator(".start .side").evaluate("(element) => element.scrollTo(0, element.scrollHeight)")
    expect(me.page.locator(".start .side:not([data-more])")).to_be_visible()
    # The dialog of all choices.
    me.page.locator(".way").last.tap()
    me.sees("dialog[open] .dialog-body[data-more]")
    body = me.page.locator("dialog[open] .dialog-body")
    words = {"en-GB": ("Rules", "Clock", "White"), "zh-CN": ("规则", "计时", "白")}[locale]
    for field in words:
        one = body.locator(".field:visible").get_by_text(field, exact=True).first
        one.scroll_into_view_if_needed()
        frame, room = one.bounding_box(), body.bounding_box()
        assert frame is not None
        assert room is not None
        assert room["y"] - 1 <= frame["y"]
        assert frame["y"] + frame["height"] <= room["y"] + room["height"] + 1
    body.evaluate("(element) => element.scrollTo(0, element.scrollHeight)")
    expect(me.page.locator("dialog[open] .dialog-body:not([data-more])")).to_be_visible()
    expect(me.page.locator("dialog[open] footer .main")).to_be_in_viewport(ratio=1)
    me.page.locator("dialog[open] .close").tap()
    # What is whole has no cue.
    me.choose("h8")
    me.choose("h8")
    me.sees(".table.game")
    expect(me.page.locator("[data-more]")).to_have_count(0)
