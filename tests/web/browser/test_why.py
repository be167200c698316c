"""The panel that shows what a player sees, in a real browser: its numbers are those of the players."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

import tengen
from tengen import Board, Rules
from tengen.players.lines import counters
from tengen.players.mcts import Mcts
from tests.assets.browser import needs_browser

pytestmark = needs_browser

NINE = Rules.named("freestyle", size=9)


def example(page: Page) -> Locator:
    """The worked example of a chapter, when its player has answered."""
    demo = page.locator(".learn-demo").first
    expect(demo.locator(".why-summary")).not_to_be_empty()
    expect(demo.locator(".why")).to_have_attribute("aria-busy", "false")
    return demo


def numbered(demo: Locator) -> dict[str, str]:
    """The numbers on the stones of a board, by their points."""
    stones = demo.locator(".learn-board g.stone:has(text)")
    return {
        stone.get_attribute("data-point") or "": stone.locator("text").text_content() or ""
        for stone in stones.all()
    }


def value(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.long
def test_the_parts_of_a_point_add_up_to_its_weight(readers):
    board = Board.from_moves("e5d4f5d6g5", rules=NINE)
    weights = tengen.player("shapes:o2").explain(board).weights
    with readers.look("/learn/shapes") as page:
        demo = example(page)
        demo.get_by_label("Seen by").select_option("shapes:o2")
        expect(demo.locator(".why-summary")).to_contain_text("22020")
        demo.get_by_role("button", name=re.compile("^E6")).hover()
        expect(demo.locator(".why-parts caption")).to_contain_text("e6")
        rows = demo.locator(".why-parts tbody td:last-child").all_inner_texts()
        assert sum(map(value, rows)) == weights[board.point("e6")] == 50
        assert value(demo.locator(".why-parts tfoot td").inner_text()) == 50
        assert demo.locator(".why-parts tbody .why-stones .disc.white").count() == 1
        assert demo.locator(".why-parts tbody .why-stones .disc.black").count() == 2
        expect(demo.locator(".learn-board .row.threat")).to_have_count(3)


@pytest.mark.long
def test_a_point_on_the_board_is_explained_too(readers):
    with readers.look("/learn/shapes") as page:
        demo = example(page)
        board = demo.locator(".learn-board")
        page.keyboard.press("Tab")  # one who used the mouse last would not see the cursor yet
        board.focus()  # the cursor is at the last stone
        board.press("ArrowUp")
        expect(demo.locator(".why-parts caption")).to_contain_text("g6 has weight 20")


def test_turned_numbers_change_the_choice_and_can_be_reset(readers):
    board = Board.from_moves("e5d4f5d6g5", rules=NINE)
    before = board.name(tengen.player("shapes:o5").choose(board).point)
    after = board.name(tengen.player("shapes:o5,w_1=9000").choose(board).point)
    assert before != after
    with readers.look("/learn/shapes") as page:
        demo = example(page)
        expect(demo.locator(".why-summary")).to_contain_text(f"{before} has")
        demo.get_by_text("Change its numbers").click()
        field = demo.get_by_role("spinbutton", name="shape 1", exact=True)
        assert field.input_value() == "20"
        field.fill("9000")
        field.press("Enter")
        expect(demo.locator(".why-summary")).to_contain_text(f"{after} has")
        demo.get_by_role("button", name="Reset").click()
        expect(demo.locator(".why-summary")).to_contain_text(f"{before} has")
        assert field.input_value() == "20"


def test_the_eight_counters_of_tic_tac_toe(readers):
    board = Board.from_moves("b2c3b3b1", rules="tictactoe")
    with readers.look("/learn/lines") as page:
        demo = example(page)
        shown = demo.locator(".why-counters .why-figure").all_inner_texts()
        assert [value(text) for text in shown] == list(counters(board).values())
        demo.locator(".why-counters button").nth(1).focus()
        expect(demo.locator(".learn-board .row.threat")).to_have_count(1)


def test_the_tree_opens_by_key_and_shows_its_lines_on_the_board(readers):
    with readers.look("/learn/minimax") as page:
        demo = example(page)
        tree = demo.get_by_role("tree")
        items = tree.get_by_role("treeitem")
        items.first.focus()
        assert numbered(demo) == {"d5": "1"}
        assert items.first.get_attribute("aria-expanded") == "true"
        page.keyboard.press("ArrowDown")
        assert numbered(demo) == {"d5": "1", "c5": "2"}
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        assert items.first.get_attribute("aria-expanded") == "false"
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert numbered(demo) == {"e4": "1", "d5": "2"}
        expect(tree.locator(".why-branch.cut:visible")).to_contain_text("cut off")
        page.keyboard.press("Tab")
        assert numbered(demo) == {}


@pytest.mark.long
def test_visits_are_those_of_the_playouts(readers):
    board = Board.from_moves("e5d4f5d6g5", rules=NINE)
    visits = Mcts(playouts=400, seed=1).explain(board).weights
    best = sorted(visits.values(), reverse=True)[:3]
    with readers.look("/learn/mcts") as page:
        demo = example(page)
        shown = demo.locator("[role=treeitem][aria-level='1'] > .why-branch > .why-label").all_inner_texts()
        assert [int(text.split()[0]) for text in shown[:3]] == best


def test_a_win_by_fours_step_by_step(readers):
    with readers.look("/learn/threats") as page:
        demo = example(page)
        steps = demo.locator(".line-steps")
        steps.get_by_role("button", name="One move forward").click()
        assert numbered(demo) == {"i8": "1"}
        page.keyboard.press("ArrowRight")
        assert numbered(demo) == {"i8": "1", "j8": "2"}
        steps.get_by_role("button", name="To the end").click()
        assert numbered(demo) == {"i8": "1", "j8": "2", "i7": "3", "i6": "4", "i11": "5"}
        steps.get_by_role("button", name="One move back").click()
        assert "i11" not in numbered(demo)
        steps.get_by_role("button", name="To the position").click()
        assert numbered(demo) == {}


@pytest.mark.long
def test_any_player_may_be_asked(readers):
    with readers.look("/learn/levels") as page:
        demo = example(page)
        expect(demo.locator(".why-summary")).to_contain_text("Level 1: ")
        for spec, said in (
            ("level:3", "Level 3: "),
            ("minimax", "ahead"),
            ("random", "equally likely"),
        ):
            demo.get_by_label("Seen by").select_option(spec)
            expect(demo.locator(".why-summary")).to_contain_text(said)


@pytest.mark.long
def test_an_answer_that_comes_late_is_dropped(readers):
    held: list[Route] = []

    def hold(route: Route) -> None:
        """The first question after the page's own is kept waiting."""
        if "minimax" in (route.request.post_data or "") and not held:
            held.append(route)
        else:
            route.continue_()

    with readers.look("/learn/shapes", anew=True) as page:
        demo = example(page)
        page.route("**/api/explain", hold)
        eyes = demo.get_by_label("Seen by")
        with page.expect_request(lambda request: "minimax" in (request.post_data or "")):
            eyes.select_option("minimax")
        expect(demo.locator(".why")).to_have_attribute("aria-busy", "true")
        assert held
        eyes.select_option("random")
        expect(demo.locator(".why-summary")).to_contain_text("equally likely")
        # The browser has called the older question off; what comes of it now is nobody's.
        held[0].fulfill(json={"point": "a1", "summary": {"key": "explain.nothing"}})
        page.evaluate("fetch('/words/en.json').then((answer) => answer.json())")
        expect(demo.locator(".why-summary")).to_contain_text("equally likely")


@pytest.mark.long
def test_a_question_can_be_stopped_and_asked_again(readers):
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    with readers.look("/learn/shapes", anew=True) as page:
        demo = example(page)
        page.route("**/api/explain", hold)
        demo.get_by_label("Seen by").select_option("minimax")
        demo.get_by_role("button", name="Stop").click()
        expect(demo.locator(".why-summary")).to_have_text("Stopped.")
        page.unroute("**/api/explain")
        demo.get_by_role("button", name="Ask again").click()
        expect(demo.locator(".why-summary")).to_contain_text("ahead")


def test_a_player_that_cannot_play_here_says_so(readers):
    """Nothing of the former player stays on the board."""
    with readers.look("/learn/shapes", anew=True) as page:
        demo = example(page)
        expect(demo.locator(".learn-board .weight").first).to_be_visible()
        refusal = {"error": {"key": "explain.nothing", "values": {}}, "text": "nothing"}
        page.route("**/api/explain", lambda route: route.fulfill(status=409, json=refusal))
        demo.get_by_label("Seen by").select_option("lines:o4")
        expect(demo.locator(".why-summary")).to_have_text("there is nothing to weigh")
        expect(demo.locator(".learn-board .weight")).to_have_count(0)


@pytest.mark.long
def test_the_line_of_the_engine_can_be_played_through(readers):
    with readers.look("/learn/levels") as page:
        page.set_default_timeout(60_000)
        demo = example(page)
        demo.get_by_label("Seen by").select_option("level:4")
        expect(demo.locator(".why-summary")).to_contain_text("Level 4: ", timeout=60_000)
        demo.get_by_role("button", name="To the end").click()
        moves = demo.locator(".line-move").count()
        assert list(numbered(demo).values()) == [str(n + 1) for n in range(moves)]


@pytest.mark.long
def test_what_the_network_sees_is_drawn_and_told(readers):
    """Discs for the side to move and rings against it; the parts of a point are those of the engine."""
    board = Board.from_moves("h8i9g7", rules="freestyle")
    heat, policy = tengen.player("engine,nodes=1000").explain(board).heatmaps
    with readers.look("/learn/engine") as page:
        demo = example(page)
        shown = demo.get_by_label("Show")
        shown.select_option(label="What the network sees")
        expect(demo.locator(".why-summary")).to_contain_text("before any search")
        expect(demo.locator(".learn-board .below").first).to_be_visible()
        expect(demo.locator(".learn-board .weight").first).to_be_visible()
        strongest = max(abs(weight) for weight in heat.weights.values())
        row = demo.locator(".why-heaviest button").first
        assert abs(value_of(row)) == round(strongest, 1)
        point = board.point((row.locator("b").text_content() or "").lower())
        row.focus()
        parts = demo.locator(".why-parts").nth(1).locator("tbody td:last-child").all_inner_texts()
        for text, part in zip(parts, heat.parts[point], strict=True):
            assert abs(float(text.replace("−", "-")) - part.value) < 0.06
        expect(demo.locator(".why-legend")).to_contain_text("good for White, to move")
        # The keyboard alone is enough: the list is chosen from by a key, the point by the board's cursor.
        shown.focus()
        page.keyboard.press("ArrowDown")
        expect(demo.locator(".why-summary")).to_contain_text("at a glance")
        best = max(policy.weights, key=lambda point: policy.weights[point])
        expect(demo.locator(".why-summary")).to_contain_text(board.name(best))
        expect(demo.locator(".learn-board .below")).to_have_count(0)
        field = demo.locator(".learn-board")
        field.focus()
        expect(field.locator("[aria-live]")).to_contain_text("g7")
        field.press("ArrowUp")
        field.press("ArrowRight")
        expect(field.locator("[aria-live]")).to_contain_text("h8")
        field.press("ArrowRight")
        expect(field.locator("[aria-live]")).to_contain_text(
            f"weight {policy.weights[board.point('i8')]:.2g}"
        )


def value_of(row: Locator) -> float:
    return value(row.locator(".why-figure").inner_text())


@pytest.mark.long
def test_other_eyes_have_no_heatmaps_and_the_choice_stays(readers):
    with readers.look("/learn/engine") as page:
        demo = example(page)
        demo.get_by_label("Show").select_option("value")
        expect(demo.locator(".why-summary")).to_contain_text("before any search")
        demo.get_by_label("Seen by").select_option("shapes:o5")
        expect(demo.locator(".why-summary")).to_contain_text("greatest weight")
        expect(demo.get_by_label("Show")).to_have_count(0)
        demo.get_by_label("Seen by").select_option("engine")
        expect(demo.locator(".why-summary")).to_contain_text("before any search")
