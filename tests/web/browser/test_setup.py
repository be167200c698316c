"""The dialog of a new game, in a real browser: what cannot be is said in it, and nothing is lost."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import Opener, Visit

pytestmark = needs_browser


def opened(visit: Opener) -> tuple[Visit, Locator]:
    """Somebody who has opened the dialog and chosen renju, White and a clock of one's own."""
    me = visit()
    me.button("More choices…").click()
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
