"""The guided walk and the page of rules, in a real browser; and that what they teach is true."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

import tengen
from tengen import BLACK, WHITE, Board, Heatmap, Limit, Rules
from tengen.engine.board.patterns import SIDES
from tengen.engine.board.point_classes import CLASSES
from tengen.engine.board.records import WIDTH
from tengen.engine.evaluation.network import load
from tests.assets.browser import needs_browser
from tests.web.browser.looking import PHONE, WIDE, Readers, go

pytestmark = needs_browser

NAMES = ["lookup", "lines", "shapes", "minimax", "mcts", "threats", "levels", "engine", "network"]


@pytest.fixture(scope="module")
def chapters(readers: Readers) -> dict[str, Any]:
    """The chapters as the page has them, by name."""
    with readers.look("/learn") as page:
        found = page.evaluate("import('/static/learn/chapters.js').then((module) => module.CHAPTERS)")
    return {chapter["name"]: chapter for chapter in found}


def board_of(position: dict[str, Any]) -> Board:
    rules = Rules.named(position["rules"], size=position["size"])
    setup = position["setup"]
    if setup is None:
        return Board.from_moves(" ".join(position["moves"]), rules=rules)
    turn = BLACK if setup["turn"] == "black" else WHITE
    return Board.from_stones(black=setup["black"], white=setup["white"], turn=turn, rules=rules)


def choose(demo: Locator, point: str) -> None:
    """Choose a point of a board by the keyboard."""
    board = demo.locator(".learn-board")
    board.focus()
    for key in ("Home", "PageDown"):
        board.press(key)
        board.press(key)
    for _ in range(ord(point[0]) - ord("a")):
        board.press("ArrowRight")
    for _ in range(int(point[1:]) - 1):
        board.press("ArrowUp")
    board.press("Enter")


def answered(page: Page, number: int) -> Locator:
    demo = page.locator(".learn-demo").nth(number)
    expect(demo.locator(".why-summary")).not_to_be_empty()
    expect(demo.locator(".why")).to_have_attribute("aria-busy", "false")
    return demo


# -- what is taught is true


def test_there_is_a_chapter_for_each_idea(chapters):
    assert list(chapters) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_player_overlooks_the_answer(chapters, name):
    """Where a chapter says that its player overlooks a point, it does."""
    task = chapters[name]["task"]
    board = board_of(task["position"])
    assert all(board.is_legal(board.point(point)) for point in task["answers"])
    if task["open"]:
        assert chosen(task, board) not in task["answers"]


def chosen(task: dict[str, Any], board: Board) -> str:
    """The point that is outlined for the reader: the player's, or the likeliest of a heatmap."""
    if "heatmap" not in task:
        return board.name(tengen.player(task["player"]).choose(board).point)
    weights = heatmaps_of(task["player"], board)[task["heatmap"]].weights
    return board.name(max(weights, key=lambda point: weights[point]))


def heatmaps_of(spec: str, board: Board) -> dict[str, Heatmap]:
    return {heatmap.name: heatmap for heatmap in tengen.player(spec).explain(board).heatmaps}


@pytest.mark.parametrize("name", ["lookup", "lines"])
def test_the_answers_on_the_small_board_are_all_that_hold(chapters, name):
    task = chapters[name]["task"]
    board = board_of(task["position"])
    worth = tengen.player("lookup").explain(board).weights
    assert {board.name(point) for point, value in worth.items() if value >= 0} == set(task["answers"])


def wins(board: Board, point: str) -> bool:
    """Whether a move wins: at once, or against every answer by fours."""
    attacker = board.turn
    after = board.copy()
    after.push(point)
    if (outcome := after.outcome()) is not None:
        return outcome.winner == attacker
    for reply in after.legal_points():
        after.push(reply)
        beaten = after.outcome() is None and tengen.solve_vcf(after, Limit(nodes=20_000)).winner == attacker
        after.pop()
        if not beaten:
            return False
    return True


@pytest.mark.parametrize("name", ["shapes", "minimax", "mcts", "threats", "engine", "network"])
def test_the_answers_win(chapters, name):
    task = chapters[name]["task"]
    board = board_of(task["position"])
    assert all(wins(board, point) for point in task["answers"])


def test_the_answers_to_level_1_stop_what_it_has_overlooked(chapters):
    task = chapters["levels"]["task"]
    board = board_of(task["position"])
    holding = set()
    for point in board.legal_points():
        board.push(point)
        if tengen.solve_vcf(board, Limit(nodes=5_000)).winner is None:
            holding.add(board.name(point))
        board.pop()
    assert holding == set(task["answers"])


def test_the_sum_sees_no_difference_where_the_network_does(chapters):
    """Boards A and B: the same sum, and the network tells them apart as a search does."""
    example = chapters["network"]["example"]
    near, apart = (board_of(example[name]) for name in ("position", "other"))
    one, other = (heatmaps_of(example["player"], board)["value"].total for board in (near, apart))
    assert [part.value for part in one[:2]] == [part.value for part in other[:2]]
    assert one[2].value > 50
    assert other[2].value < -50
    engine = tengen.Engine()
    scores = [engine.analyse(board, Limit(nodes=200_000))[0].score.value for board in (near, apart)]
    assert scores[0] > 50
    assert scores[1] < -50


def test_the_chapter_names_the_measures_of_the_network_that_plays(readers):
    network = load("freestyle")
    assert network is not None
    numbers = sum(getattr(network, field.name).size for field in fields(network))
    assert round(numbers, -3) == 28_000
    with readers.look("/learn/network") as page:
        text = page.locator("article").inner_text()
        for number in (CLASSES, SIDES * SIDES, WIDTH, round(numbers, -3)):
            assert f"{number:,}" in text


# -- the pages


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_list_leads_to_every_chapter(readers, lang):
    with readers.look("/learn", lang) as page:
        links = page.locator(".learn-card")
        expect(links).to_have_count(len(NAMES))
        hrefs = [link.get_attribute("href") for link in links.all()]
        assert hrefs == [f"/learn/{name}" for name in NAMES]
        links.nth(1).click()
        page.wait_for_url("**/learn/lines")
        expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "lang", "names"),
    [(PHONE, "zh", NAMES), (PHONE, "en", ["lookup", "mcts"]), (WIDE, "en", ["minimax"])],
)
def test_every_page_fits_its_window(readers, size, lang, names):
    with readers.look("/learn", lang, size) as page:
        for name in (*names, "rules", ""):
            go(page, f"/learn/{name}".rstrip("/"))
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_on_a_phone_that_lies_the_whole_board_is_in_sight_with_its_panel(readers):
    with readers.look("/learn/shapes", size=(844, 390)) as page:
        place = page.locator(".learn-board").first
        expect(place.locator("svg")).to_be_attached()
        place.scroll_into_view_if_needed()
        board, panel = place.bounding_box(), page.locator(".learn-panel").first.bounding_box()
        assert board["height"] <= 390 - 40
        assert panel["x"] >= board["x"] + board["width"]


@pytest.mark.long
def test_a_task_is_solved_on_the_board_and_remembered(readers, server):
    with readers.look("/learn/lines") as page:
        task = answered(page, 1)
        choose(task, "a3")
        expect(task.locator(".learn-told")).to_contain_text("a3 is not it")
        choose(task, "c2")
        expect(task.locator(".learn-told")).to_contain_text("c2 is right")
        expect(task.locator(".why-summary")).to_contain_text("table of all 19683 boards")
        page.goto(f"{server.url}/learn")
        expect(page.get_by_text("1 of 9 tasks solved")).to_be_visible()
        expect(page.locator(".learn-card").nth(1)).to_contain_text("solved")


def test_the_answer_is_shown_to_those_who_do_not_find_it(readers, server):
    with readers.look("/learn/threats") as page:
        task = answered(page, 1)
        choose(task, "a1")
        expect(task.get_by_role("button", name="Show me")).to_have_count(0)
        choose(task, "b1")
        task.get_by_role("button", name="Show me").click()
        expect(task.locator(".learn-told")).to_contain_text("g6 makes two open threes")
        page.goto(f"{server.url}/learn")
        expect(page.locator(".learn-card").nth(5)).not_to_contain_text("solved")


@pytest.mark.long
def test_the_example_can_be_played_on_and_taken_back(readers):
    with readers.look("/learn/lookup") as page:
        demo = answered(page, 0)
        stones = demo.locator(".learn-board g.stone")
        choose(demo, "b3")
        expect(stones).to_have_count(3)  # to choose a point is to look at it
        demo.get_by_role("button", name="Place stones").click()
        choose(demo, "b3")
        expect(stones).to_have_count(4)
        expect(demo.locator(".why-summary")).to_contain_text("a draw")
        choose(demo, "b3")
        expect(page.get_by_role("alert")).to_contain_text("occupied")
        expect(stones).to_have_count(4)
        demo.get_by_role("button", name="Take back").click()
        expect(stones).to_have_count(3)


@pytest.mark.long
def test_a_real_game_against_the_table(readers, server):
    """The first stone begins a game on the server; the table answers, and holds at least a draw."""
    with readers.look("/learn/lookup") as page:
        play = page.locator(".learn-demo").nth(2)
        status = play.locator(".learn-told")
        stones = play.locator(".learn-board g.stone")
        choose(play, "b2")
        expect(stones).to_have_count(2)
        for count in (4, 6, 8, 9):
            taken = {stone.get_attribute("data-point") for stone in stones.all()}
            board = Board.from_stones(
                black=points_of(play, "black"),
                white=points_of(play, "white"),
                turn=BLACK,
                rules="tictactoe",
            )
            best = board.name(tengen.player("lookup").choose(board).point)
            assert best not in taken
            choose(play, best)
            expect(stones).to_have_count(count)
        expect(status).to_contain_text("draw", ignore_case=True)
        link = play.get_by_role("link", name="Full game page").get_attribute("href")
        assert link is not None
        state = httpx.get(f"{server.url}/api/games/{link.removeprefix('/g/')}").json()
        assert len(state["moves"]) == 9
        assert state["seats"][1]["occupant"].startswith("lookup")


@pytest.mark.long
def test_two_boards_are_compared_and_stones_change_both_sums(readers):
    """What the sum says stays from board to board; a stone changes it, and what the network adds."""
    with readers.look("/learn/network") as page:
        demo = answered(page, 0)
        whole = demo.locator(".why-parts").first.locator("tbody td:last-child")
        before = whole.all_inner_texts()
        demo.get_by_role("button", name="Board B").click()
        expect(whole.nth(2)).not_to_have_text(before[2])
        apart = whole.all_inner_texts()
        assert apart[:2] == before[:2]
        demo.get_by_role("button", name="Place stones").click()
        choose(demo, "e8")
        expect(demo.locator(".learn-board g.stone")).to_have_count(9)
        expect(whole.nth(0)).not_to_have_text(apart[0])
        assert whole.nth(2).inner_text() != apart[2]
        demo.get_by_role("button", name="Take back").click()
        expect(whole.nth(0)).to_have_text(apart[0])


@pytest.mark.long
def test_a_glance_hides_what_the_search_has_found(readers):
    with readers.look("/learn/network") as page:
        task = answered(page, 1)
        expect(task.locator(".why-summary")).to_contain_text("at a glance l8")
        expect(task.locator("select")).to_have_count(0)
        choose(task, "l8")
        expect(task.locator(".learn-told")).to_contain_text("l8 is not it")
        choose(task, "m14")
        expect(task.locator(".learn-told")).to_contain_text("m14")
        expect(task.locator(".why-summary")).to_contain_text("win with 4 fours")


def points_of(demo: Locator, colour: str) -> list[str]:
    stones = demo.locator(f".learn-board g.stone.{colour}").all()
    return [stone.get_attribute("data-point") or "" for stone in stones]


def test_the_fouls_of_renju_are_shown_live(readers):
    with readers.look("/learn/rules") as page:
        three = page.locator("#double-three")
        expect(three.locator(".learn-told")).to_contain_text("e5: three-three")
        expect(three.locator(".learn-board .row.foul")).to_have_count(2)
        expect(page.locator("#double-four .learn-told")).to_contain_text("e5: four-four")
        expect(page.locator("#overline .learn-told")).to_contain_text("e5: overline")
        # Two stones more, and the three is closed: the foul is gone.
        three.get_by_role("button", name="Place stones").click()
        choose(three, "a9")
        choose(three, "e8")
        expect(three.locator(".learn-found")).not_to_contain_text("three-three")


def test_how_the_game_is_won(readers):
    with readers.look("/learn/rules", "zh") as page:
        goal = page.locator("#goal")
        expect(goal.locator(".learn-told")).to_have_text("黑胜。")
        expect(goal.locator(".learn-board .row.win")).to_have_count(1)
