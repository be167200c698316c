"""Fingers on the board: one that rests looks through a loupe, two zoom, and pages scroll as ever."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import CDPSession, expect

from tests.assets.browser import needs_browser
from tests.web.browser.desk import play, shows, stones
from tests.web.browser.pages import LYING, PHONE, Opener, Visit

pytestmark = needs_browser

FINGERS = {"viewport": PHONE, "has_touch": True, "is_mobile": True}

Place = tuple[float, float]


class Hand:
    """Fingers on a page, moved one step after the other."""

    def __init__(self, me: Visit) -> None:
        self._session: CDPSession = me.context.new_cdp_session(me.page)

    def down(self, *places: Place) -> None:
        """Put fingers down; those that are there already are named first."""
        self._send("touchStart", places)

    def move(self, *places: Place) -> None:
        """Move all fingers."""
        self._send("touchMove", places)

    def up(self) -> None:
        """Lift all."""
        self._send("touchEnd", ())

    def _send(self, kind: str, places: tuple[Place, ...]) -> None:
        points: list[dict[str, Any]] = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def taken(me: Visit) -> Hand:
    """A hand, once the board takes gestures."""
    me.sees(".board.by-hand")
    return Hand(me)


def cell(me: Visit) -> float:
    """Pixels from a point to the next one."""
    return me.place("i8")[0] - me.place("h8")[0]


def spread(me: Visit, hand: Hand, by: float, point: str = "h8") -> None:
    """Two fingers beside a point move apart, or together."""
    x, y = me.place(point)
    near, far = sorted((40.0, 40 * by))[:: 1 if by > 1 else -1]
    hand.down((x - near, y))
    hand.down((x - near, y), (x + near, y))
    for step in range(1, 6):
        apart = near + (far - near) * step / 5
        hand.move((x - apart, y), (x + apart, y))
    hand.up()


# -- one finger


@pytest.mark.long
def test_a_finger_that_rests_sees_the_point_enlarged_slides_and_chooses_by_lifting(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8", **FINGERS)
    me.page.evaluate("localStorage.tengen = JSON.stringify({confirm: 'never', sound: false})")
    me.page.reload()
    hand = taken(me)
    loupe = me.page.locator(".loupe")
    expect(loupe).to_have_count(0)
    hand.down(me.place("i9"))
    expect(loupe.locator("b")).to_have_text("i9")
    frame, finger = loupe.bounding_box(), me.place("i9")
    assert frame is not None
    assert frame["y"] + frame["height"] < finger[1]
    stone = loupe.locator(".stone[data-point=h8] .body").bounding_box()
    assert stone is not None
    assert stone["width"] > 1.5 * cell(me)
    expect(loupe.locator(".ghosts .body")).to_have_count(1)
    hand.move(me.place("j7"))
    expect(loupe.locator("b")).to_have_text("j7")
    hand.up()
    shows(me, "j7")
    expect(loupe).to_have_count(0)
    assert stones(me) == {"h8": "black", "j7": "white"}


@pytest.mark.long
def test_off_the_board_nothing_is_chosen(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8", **FINGERS)
    hand = taken(me)
    hand.down(me.place("h15"))
    loupe = me.page.locator(".loupe")
    expect(loupe.locator("b")).to_have_text("h15")
    # At the upper edge of the window there is room only beside the finger.
    frame, (x, _) = loupe.bounding_box(), me.place("h15")
    assert frame is not None
    assert not frame["x"] < x < frame["x"] + frame["width"]
    hand.move((x, 20))
    expect(loupe).to_be_hidden()
    hand.up()
    expect(loupe).to_have_count(0)
    assert stones(me) == {"h8": "black"}
    expect(me.page.locator(".board .ghosts .body, .board .frames rect")).to_have_count(0)


@pytest.mark.parametrize(
    ("viewport", "locale", "words"),
    [
        (PHONE, "en-GB", "tap again to play there"),
        (LYING, "en-GB", "tap again to play there"),
        (PHONE, "zh-CN", "再点一次落子"),
    ],
)
def test_the_first_tap_says_that_another_one_plays(
    visit: Opener, viewport: Any, locale: str, words: str
) -> None:
    me = visit(**(FINGERS | {"viewport": viewport, "locale": locale}))
    said = me.page.locator(".board .again")
    expect(said).to_be_hidden()
    for point in ("h3", "h13"):
        me.choose(point)
        expect(said).to_be_visible()
        expect(said).to_have_text(re.compile(rf"^{point}.*{words}$"))
        # Neither the point nor anything beside the board is covered.
        frame, board, (_, y) = (
            said.bounding_box(),
            me.page.locator(".board").bounding_box(),
            me.place(point),
        )
        assert frame is not None
        assert board is not None
        assert not frame["y"] - 10 < y < frame["y"] + frame["height"] + 10
        assert board["x"] <= frame["x"]
        assert frame["x"] + frame["width"] <= board["x"] + board["width"]
    me.choose("h13")
    expect(said).to_be_hidden()
    me.page.wait_for_url("**/g/*")


@pytest.mark.long
def test_where_points_are_tapped_twice_lifting_is_a_tap(visit: Opener) -> None:
    me = visit(game={"opponent": "random"}, **FINGERS)
    hand = taken(me)
    hand.down(me.place("c3"))
    me.sees(".loupe")
    hand.up()
    me.sees(".board .frames rect", 1)
    assert "/g/" not in me.page.url
    hand.down(me.place("c3"))
    me.sees(".loupe")
    hand.up()
    me.shows(2)
    expect(me.moves().first).to_have_text(re.compile(r"c3\s*$"))


@pytest.mark.long
def test_a_finger_that_moves_at_once_scrolls_the_page(visit: Opener) -> None:
    me = visit(**FINGERS)
    hand = taken(me)
    x, y = me.place("h5")
    hand.down((x, y))
    for step in range(1, 10):
        hand.move((x, y - 20 * step))
    hand.up()
    me.page.evaluate(
        "new Promise((done) => {"
        "  const look = () => (scrollY > 50 ? done() : requestAnimationFrame(look));"
        "  look();"
        "})"
    )
    expect(me.page.locator(".loupe")).to_have_count(0)
    me.shows(0)
    expect(me.page.locator(".board .frames rect")).to_have_count(0)


@pytest.mark.parametrize(("rules", "side", "loupes"), [("tictactoe", 3, 0), ("freestyle", 15, 1)])
def test_large_cells_need_no_loupe(visit: Opener, rules: str, side: int, loupes: int) -> None:
    me = visit(game={"rules": rules, "size": [side, side]}, **FINGERS)
    hand = taken(me)
    me.page.clock.install()
    hand.down(me.place("b2"))
    me.page.clock.run_for(1000)  # longer than a finger has to rest
    assert me.page.locator(".loupe").count() == loupes
    hand.move((5, 5))
    hand.up()


# -- two fingers


@pytest.mark.long
def test_two_fingers_zoom_the_board_and_not_the_page_and_a_button_goes_back(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=19&moves=h8", **FINGERS)
    hand = taken(me)
    back = me.page.get_by_role("button", name="Whole board")
    expect(back).to_have_count(0)
    before, place, frame = cell(me), me.place("h8"), me.page.locator(".board").bounding_box()
    spread(me, hand, 2.5)
    expect(back).to_be_visible()
    assert cell(me) == pytest.approx(2.5 * before, rel=0.05)
    # What was between the fingers is there still.
    assert me.place("h8") == pytest.approx(place, abs=3)
    assert me.page.evaluate("visualViewport.scale") == 1
    assert me.page.locator(".board").bounding_box() == frame
    # Cells that a finger hits are tapped once.
    play(me, "i8")
    # Two fingers that keep their distance move it, not beyond its edge.
    (x, y) = me.place("h8")
    hand.down((x - 60, y))
    hand.down((x - 60, y), (x + 60, y))
    hand.move((x - 60, y + 30), (x + 60, y + 30))
    hand.move((x - 60, y + 60), (x + 60, y + 60))
    hand.up()
    assert me.place("h8") == pytest.approx((x, y + 60), abs=3)
    back.tap()
    expect(back).to_have_count(0)
    assert cell(me) == pytest.approx(before)
    assert me.place("h8") == pytest.approx(place)


@pytest.mark.long
def test_fingers_that_close_again_leave_the_whole_board(visit: Opener) -> None:
    me = visit(**FINGERS)
    hand = taken(me)
    before = cell(me)
    spread(me, hand, 2)
    me.sees(".whole-board")
    spread(me, hand, 0.4)
    expect(me.page.locator(".whole-board")).to_have_count(0)
    assert cell(me) == pytest.approx(before)
    assert "/g/" not in me.page.url


@pytest.mark.long
def test_the_way_back_is_pressed_with_keys_and_the_board_keeps_its_own(desk: Opener) -> None:
    me = desk("/analyse?rules=freestyle&size=15&moves=h8", **FINGERS)
    spread(me, taken(me), 2)
    me.page.locator(".whole-board").focus()
    me.press("Enter")
    expect(me.page.locator(".whole-board")).to_have_count(0)
    assert stones(me) == {"h8": "black"}
    me.press("b ArrowRight Enter")
    shows(me, "i8")


@pytest.mark.long
def test_another_look_of_the_board_keeps_the_gestures(visit: Opener) -> None:
    me = visit(**FINGERS)
    spread(me, taken(me), 2)
    me.sees(".whole-board")
    me.page.locator("#open-menu").click()
    me.page.locator("#menu-options").click()
    me.page.locator("#settings select").first.select_option("slate")
    me.press("Escape Escape")
    expect(me.page.locator(".board[data-board=slate]")).to_be_visible()
    expect(me.page.locator(".whole-board")).to_have_count(0)
    spread(me, taken(me), 2)
    me.sees(".whole-board", 1)


@pytest.mark.long
def test_a_mouse_has_no_use_for_it(visit: Opener) -> None:
    me = visit()
    asked: list[str] = []
    me.page.on("request", lambda request: asked.append(request.url))
    me.page.reload()
    me.page.wait_for_load_state("networkidle")
    expect(me.page.locator(".board svg")).to_be_visible()
    assert not [url for url in asked if "board_touch" in url or "board_loupe" in url]
