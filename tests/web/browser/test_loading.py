"""How the app comes up: nothing moves once it is seen, and what cannot be loaded is said."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.assets.browser import needs_browser
from tests.web.browser.pages import PATIENCE, PHONE, Opener, held
from tests.web.serving import Server

pytestmark = needs_browser

_PAGE_IS_LOADED = """async () => {
  await import(document.querySelector("link[href$='/play/play.js']").href);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""

_WHEN_DRAWN = """new MutationObserver((_, watching) => {
  if (!document.querySelector(".board svg .grid")) return;
  watching.disconnect();
  window.drawn = performance.now();
}).observe(document, { childList: true, subtree: true });"""

_ASKED = """() => {
  const seen = performance.getEntriesByType("resource");
  const before = seen.filter(({ startTime }) => startTime < window.drawn);
  const own = seen.filter(({ name }) => name.endsWith(".js") && !name.includes("/vendor/"));
  return [before.length + 1, own.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)];
}"""
"""Requests before the board is drawn, the document's too; bytes of all own modules, as sent."""


def opened(browser: Browser, **options: object) -> Page:
    context = browser.new_context(locale="en-GB", **options)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    return context.new_page()


def test_a_page_is_drawn_when_its_style_sheets_are_there(server: Server, browser: Browser):
    page = opened(browser)
    release = held(page, "**/shared/table.css")
    page.goto(server.url, wait_until="commit")
    expect(page.locator("#header > nav")).to_be_attached()
    page.evaluate(_PAGE_IS_LOADED)
    assert page.locator("main > *").count() == 0
    release()
    expect(page.locator(".table .board svg")).to_be_visible()
    page.context.close()


@pytest.mark.long
def test_the_start_page_is_drawn_with_few_requests_and_little_code(server: Server, browser: Browser):
    page = opened(browser)
    page.add_init_script(_WHEN_DRAWN)
    page.goto(server.url, wait_until="networkidle")
    page.wait_for_function("performance.getEntriesByType('resource').some((e) => /tabs_view/.test(e.name))")
    page.wait_for_load_state("networkidle")
    requests, code = page.evaluate(_ASKED)
    # Two of them are small: what a site without a server replaces.
    assert 10 < requests <= 32
    assert 40_000 < code < 82_000
    page.context.close()


def test_the_analysis_keeps_room_for_its_board(server: Server, browser: Browser):
    page = opened(browser, viewport=PHONE)
    release = held(page, "**/api/position")
    page.goto(server.url + "/analyse", wait_until="commit")
    actions = page.locator(".actions")
    expect(actions).to_be_visible()
    before = actions.bounding_box()
    release()
    expect(page.locator(".board svg")).to_be_visible()
    assert before is not None
    assert before == actions.bounding_box()
    page.context.close()


def test_a_server_that_does_not_answer_is_told(server: Server, browser: Browser):
    page = opened(browser)
    page.route("**/words/**/*.json", lambda route: route.abort())
    page.goto(server.url)
    expect(page.locator("#speechless")).to_be_visible()
    expect(page.locator("#speechless")).to_contain_text(re.compile("does not answer.*没有回应", re.DOTALL))
    page.context.close()


def test_a_language_that_cannot_be_loaded_leaves_the_page_as_it_is(visit: Opener):
    me = visit("/learn")
    title = me.page.get_by_role("heading", level=1)
    before = title.inner_text()
    me.page.route("**/words/**/zh/*.json", lambda route: route.abort())
    me.speak("zh-CN")
    me.sees("#toasts .toast")
    assert title.inner_text() == before
    me.page.unroute("**/words/**/zh/*.json")
    me.speak("zh-CN")
    expect(me.page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(title).not_to_have_text(before)
    assert all("ERR_FAILED" in fault for fault in me.faults)
    me.faults.clear()


@pytest.mark.long
def test_a_tab_that_cannot_be_loaded_is_told_and_the_game_goes_on(visit: Opener):
    me = visit(game={"opponent": "shapes"})
    me.page.route("**/play/engine_tab.js", lambda route: route.abort())
    me.play("h8")
    me.shows(2)
    me.page.locator("#tab-engine").click()
    me.sees("#toasts .toast")
    expect(me.page.locator("#tab-engine")).to_have_attribute("aria-selected", "true")
    me.page.locator("#tab-moves").click()
    me.play("a1")
    me.shows(4)
    assert all("ERR_FAILED" in fault or "engine_tab" in fault for fault in me.faults)
    me.faults.clear()


def test_a_dialog_that_cannot_be_loaded_is_told(server: Server, browser: Browser):
    page = opened(browser)
    page.route("**/shared/dialog.js", lambda route: route.abort())
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(server.url + "/privacy")
    page.get_by_role("button", name="Delete my data").click()
    expect(page.locator("#toasts .toast.error")).to_contain_text("could not be loaded")
    assert page.locator("dialog").count() == 0
    assert not faults
    page.context.close()


def test_a_game_that_cannot_be_loaded_says_so_at_its_address(server: Server, browser: Browser):
    page = opened(browser)
    page.route("**/play/game.js", lambda route: route.abort())
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(server.url)
    page.locator(".board svg").click()
    expect(page.locator("section.sorry")).to_contain_text("could not be loaded")
    assert re.search(r"/g/\w+", page.url)
    page.unroute("**/play/game.js")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#act-resign")).to_be_visible()
    assert not faults
    page.context.close()
