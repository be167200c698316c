"""The page of puzzles, used as a person would: by clicks, by keys, and on a phone."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tengen.game.board import Board
from tengen.game.notation import point_name
from tengen.study.puzzle import Puzzle, PuzzleKind, PuzzleTurn
from tengen.study.puzzle_set import shipped
from tengen.study.puzzle_threat import threat_of
from tests.assets.browser import needs_browser
from tests.web.browser.desk import at, stones
from tests.web.browser.pages import PHONE, Opener, Visit, held

pytestmark = needs_browser

KINDS: tuple[PuzzleKind, ...] = ("vcf", "vct", "defence")

FOUL = {
    "name": "0f0f0f0f",
    "rules": "renju",
    "size": [15, 15],
    "kind": "vcf",
    "level": 1,
    "length": 1,
    "moves": "g8a1f8a15h7o1h6o15",
    "turn": {"right": {"c3": {"moves": "", "turn": None}}, "wrong": ""},
}
"""No real puzzle: a position in which h8 would be a three-three."""


def of_kind(kind: PuzzleKind) -> Puzzle:
    """The easiest puzzle of a kind, of those that a newcomer is offered."""
    return next(
        puzzle for puzzle in shipped().values() if (puzzle.rules.name, puzzle.kind) == ("freestyle", kind)
    )


def freestyle() -> list[Puzzle]:
    """What a newcomer is offered, in that order: first short wins by fours, then by difficulty."""
    all_of_them = [puzzle for puzzle in shipped().values() if puzzle.rules.name == "freestyle"]
    return sorted(all_of_them, key=lambda one: (one.kind, one.length, one.level) != ("vcf", 2, 1))


def name(puzzle: Puzzle, point: int) -> str:
    return point_name(point, puzzle.rules.width)


def first_right(puzzle: Puzzle) -> str:
    return name(puzzle, next(iter(puzzle.turn.right)))


def quiet(puzzle: Puzzle) -> str:
    """An empty point in a corner or on an edge that is neither right nor a threat."""
    board, turn = puzzle.board(), puzzle.turn
    threats = {*turn.right, *turn.wrong}
    return next(board.name(point) for point in board.legal_points() if point not in threats)


def opened(visit: Opener, puzzle: Puzzle, **options: Any) -> Visit:
    me = visit(f"/puzzles/{puzzle.name}", **options)
    me.sees(".puzzle-question")
    return me


def tells(me: Visit, text: str) -> None:
    expect(me.page.locator(".puzzle-told[role=status]")).to_contain_text(text)


def progress(me: Visit, text: str) -> None:
    expect(me.page.locator(".puzzle-progress")).to_contain_text(text)


def solve(me: Visit, puzzle: Puzzle) -> None:
    """Find every move, by the first way."""
    turn: PuzzleTurn | None = puzzle.turn
    board = puzzle.board()
    while turn is not None:
        point, reply = next(iter(turn.right.items()))
        me.choose(board.name(point))
        turn = reply.turn
        if turn is not None:
            tells(me, f"{board.name(point)} is right")
            tells(me, f"answers {board.name(reply.moves[0])}")


def at_puzzle(me: Visit, other_than: Puzzle | None = None) -> Puzzle:
    """The puzzle that the address names, once it names one, or another one."""
    not_this = f"(?!{other_than.name})" if other_than else ""
    me.page.wait_for_url(re.compile(rf"/puzzles/{not_this}[0-9a-f]{{8}}$"))
    return shipped()[me.page.url.rpartition("/")[2]]


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_puzzle_is_solved_by_clicking(visit: Opener, kind: PuzzleKind):
    puzzle = of_kind(kind)
    me = opened(visit, puzzle)
    before = len(puzzle.moves)
    assert len(stones(me)) == before
    me.page.get_by_role("button", name="Any rules").click()
    progress(me, f"0 of {len(shipped())} solved")
    solve(me, puzzle)
    tells(me, "Solved.")
    progress(me, f"1 of {len(shipped())} solved")
    if kind == "defence":
        tells(me, f"{first_right(puzzle)} stops every win by fours")
    else:
        me.sees(".board .row.win", 1)
    me.page.reload()
    progress(me, f"1 of {len(shipped())} solved")


@pytest.mark.long
def test_the_next_one_is_at_hand_and_gets_an_address(visit: Opener):
    me = visit("/puzzles")
    first = at_puzzle(me)
    assert first == freestyle()[0]
    solve(me, first)
    tells(me, "Solved")
    me.button("Next puzzle").click()
    second = at_puzzle(me, first)
    assert second == freestyle()[1]
    me.page.go_back()
    assert at_puzzle(me, second) == first
    me.page.get_by_role("navigation", name="Pages").get_by_role("link", name="Puzzles").click()
    assert at_puzzle(me, first) == second


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_move_does_not_stay_and_one_is_told_why(visit: Opener, kind: PuzzleKind):
    puzzle = of_kind(kind)
    me = opened(visit, puzzle)
    point, wrong = quiet(puzzle), name(puzzle, puzzle.turn.wrong[0])
    enemy = "White" if puzzle.solver == 1 else "Black"
    me.choose(point)
    tells(
        me,
        {
            "vcf": f"{point} does not make a four; every move must.",
            "vct": f"{point} makes neither a four nor a three that {enemy} has to answer",
            "defence": f"After {point}, {enemy} still wins by fours.",
        }[kind],
    )
    me.sees(".board .marks > *")
    me.choose(wrong)
    tells(
        me,
        {
            "vcf": f"{wrong} is a four, but after {enemy}'s answer there is no win by fours.",
            "vct": f"{wrong} is a threat, but after {enemy}'s answer there is no win by threats.",
            "defence": f"After {wrong}, {enemy} still wins by fours.",
        }[kind],
    )
    assert len(stones(me)) == len(puzzle.moves)
    solve(me, puzzle)
    tells(me, "Solved with help.")
    me.page.get_by_label("Rules", exact=True).select_option("")
    progress(me, f"0 of {len(shipped())} solved, 1 more with help")


def test_an_occupied_point_is_no_wrong_move(visit: Opener):
    puzzle = of_kind("vcf")
    me = opened(visit, puzzle)
    taken = name(puzzle, puzzle.moves[0])
    me.choose(taken)
    tells(me, f"{taken} is occupied")
    solve(me, puzzle)
    tells(me, "Solved.")


@pytest.mark.long
def test_a_foul_is_drawn_and_told(visit: Opener):
    me = visit("/learn")
    me.page.route(f"**/api/puzzles/{FOUL['name']}", lambda route: route.fulfill(body=json.dumps(FOUL)))
    me.page.goto(me.page.url.replace("/learn", f"/puzzles/{FOUL['name']}"))
    me.sees(".board .fouls > *")
    me.choose("h8")
    tells(me, "h8 is forbidden to Black: three-three")
    me.sees(".board .row.foul", 2)
    me.choose("c3")
    tells(me, "Solved.")


def test_hints_come_one_after_the_other(visit: Opener):
    puzzle = of_kind("vcf")
    me = opened(visit, puzzle)
    me.button("Hint").click()
    tells(me, f"{puzzle.length} move{'' if puzzle.length == 1 else 's'} to go.")
    me.button("Hint").click()
    point = puzzle.board().name(puzzle.solution()[0])
    tells(me, f"{point} is a correct move")
    me.sees(".board .heat .chosen", 1)
    solve(me, puzzle)
    tells(me, "Solved with help")


@pytest.mark.long
def test_help_is_not_forgotten_in_another_language(visit: Opener):
    puzzle = of_kind("defence")
    me = opened(visit, puzzle)
    me.button("Hint").click()
    me.speak("zh-CN")
    expect(me.page.get_by_role("heading", level=1)).to_contain_text("挡住连续冲四胜")
    me.choose(first_right(puzzle))
    tells(me, "借助提示解出")


def test_how_many_points_stop_a_win_is_a_hint(visit: Opener):
    puzzle = of_kind("defence")
    me = opened(visit, puzzle)
    me.button("Hint").click()
    count = len(puzzle.turn.right)
    tells(me, f"{count} {'point stops' if count == 1 else 'points stop'} it")


@pytest.mark.long
def test_the_solution_is_shown_stepped_through_and_tried_again(visit: Opener):
    puzzle = of_kind("vcf")
    me = opened(visit, puzzle)
    me.button("Show solution").click()
    line, before = puzzle.solution(), len(puzzle.moves)
    expect(me.page.locator(".line-move")).to_have_count(len(line))
    expect(me.page.locator(".board g.stone")).to_have_count(before + len(line))
    me.sees(".board .row.win", 1)
    progress(me, "1 more with help")
    me.press("ArrowLeft")
    expect(me.page.locator(".board g.stone")).to_have_count(before + len(line) - 1)
    me.page.get_by_role("button", name="To the position").click()
    expect(me.page.locator(".board g.stone")).to_have_count(before)
    me.button("Start over").click()
    solve(me, puzzle)
    tells(me, "Solved with help")


def test_the_solution_goes_on_from_where_one_is(visit: Opener):
    puzzle = next(one for one in shipped().values() if one.length > 1)
    me = opened(visit, puzzle)
    point, reply = next(iter(puzzle.turn.right.items()))
    me.choose(name(puzzle, point))
    tells(me, "answers")
    me.press("s")
    first = me.page.locator(".line-move")
    expect(first.nth(0)).to_contain_text(name(puzzle, point))
    expect(first.nth(1)).to_contain_text(name(puzzle, reply.moves[0]))


@pytest.mark.long
def test_who_wants_motion_sees_the_answer_come_and_need_not_wait(visit: Opener):
    puzzle = next(one for one in shipped().values() if one.length > 1)
    me = opened(visit, puzzle, reduced_motion="no-preference")
    solve(me, puzzle)
    tells(me, "Solved")
    me.sees(".board .row.win", 1)
    me.button("Start over").click()
    turn: PuzzleTurn | None = puzzle.turn
    while turn is not None:
        point, reply = next(iter(turn.right.items()))
        me.choose(name(puzzle, point))
        turn = reply.turn
    tells(me, "Solved")


@pytest.mark.long
def test_choices_are_remembered_and_lead_to_such_a_puzzle(visit: Opener):
    me = visit("/puzzles")
    at_puzzle(me)
    wanted = next(one for one in freestyle() if one.kind == "defence")
    me.page.get_by_label("Task").select_option(label="Stop a win by fours")
    me.page.wait_for_url(f"**/puzzles/{wanted.name}")
    expect(me.page.get_by_role("heading", level=1)).to_contain_text("stop the win by fours")
    count = sum(one.kind == "defence" for one in freestyle())
    progress(me, f"0 of {count} solved")
    me.page.goto(me.page.url.rpartition("/")[0])
    me.page.wait_for_url(f"**/puzzles/{wanted.name}")
    expect(me.page.get_by_label("Task")).to_have_value("defence")


@pytest.mark.long
def test_a_newcomer_begins_with_short_wins_and_is_asked_for_the_rules_once(visit: Opener):
    me = visit("/puzzles")
    first = at_puzzle(me)
    assert (first.rules.name, first.kind, first.length) == ("freestyle", "vcf", 2)
    expect(me.page.get_by_label("Rules", exact=True)).to_have_value("freestyle")
    progress(me, f"0 of {len(freestyle())} solved")
    question = me.page.get_by_role("group", name="Which rules do you play?")
    question.get_by_role("button", name="Renju").click()
    expect(question).to_have_count(0)
    second = at_puzzle(me, first)
    assert (second.rules.name, second.kind, second.length) == ("renju", "vcf", 2)
    me.page.reload()
    me.sees(".puzzle-question")
    expect(me.page.get_by_label("Rules", exact=True)).to_have_value("renju")
    expect(question).to_have_count(0)


def test_the_first_rules_may_be_the_answer_too(visit: Opener):
    me = visit("/puzzles")
    first = at_puzzle(me)
    question = me.page.get_by_role("group", name="Which rules do you play?")
    question.get_by_role("button", name="Freestyle").click()
    expect(question).to_have_count(0)
    assert at_puzzle(me) == first


@pytest.mark.long
def test_within_what_is_chosen_the_easier_ones_come_first(visit: Opener):
    me = visit("/puzzles")
    first = at_puzzle(me)
    me.page.get_by_label("Level").select_option("2")
    second = at_puzzle(me, first)
    chosen = [one for one in shipped().values() if one.rules.name == "freestyle" and one.level == 2]
    assert second == chosen[0] == min(chosen, key=lambda one: one.difficulty)
    me.button("Next puzzle").click()
    assert at_puzzle(me, second) == chosen[1]


@pytest.mark.long
def test_a_solved_defence_shows_what_it_has_stopped(visit: Opener):
    puzzle = of_kind("defence")
    me = opened(visit, puzzle)
    point, before = first_right(puzzle), len(puzzle.moves)
    expect(me.page.locator(".line-steps")).to_have_count(0)
    me.choose(point)
    tells(me, "Solved.")
    enemy = "White" if puzzle.solver == 1 else "Black"
    expect(me.page.get_by_role("heading", name=f"How {enemy} would have won")).to_be_visible()
    line = [puzzle.board().name(one) for one in threat_of(puzzle)]
    assert len(line) >= 3
    expect(me.page.locator(".line-move")).to_have_count(len(line))
    assert len(stones(me)) == before + 1
    me.page.get_by_role("button", name="To the end").click()
    shown = stones(me)
    assert len(shown) == before + len(line)
    assert [shown[one] for one in line[::2]] == [enemy.lower()] * len(line[::2])
    # The defence is not on the board meanwhile, but where it is the answer to the threat, too late.
    assert (point in shown) == (point in line)
    me.press("ArrowLeft")
    expect(me.page.locator(".board g.stone")).to_have_count(before + len(line) - 1)
    me.page.get_by_role("button", name="To the position").click()
    expect(me.page.locator(".board g.stone")).to_have_count(before + 1)
    expect(me.page.locator(f".board g.stone[data-point={point}]")).to_have_count(1)


@pytest.mark.long
def test_when_all_are_done_one_may_begin_again(visit: Opener):
    puzzles = list(shipped().values())
    me = visit("/learn")
    done = {one.name: "solved" for one in puzzles} | {puzzles[-1].name: "helped"}
    me.page.evaluate("(done) => localStorage.setItem('tengen.puzzles', JSON.stringify(done))", done)
    me.page.evaluate(
        "localStorage.tengen = JSON.stringify({...JSON.parse(localStorage.tengen), puzzles: {rules: ''}})"
    )
    me.page.goto(me.page.url.replace("/learn", "/puzzles"))
    progress(me, f"{len(puzzles) - 1} of {len(puzzles)} solved, 1 more with help")
    me.button("Retry those solved with help").click()
    me.page.wait_for_url(f"**/puzzles/{puzzles[-1].name}")
    solve(me, puzzles[-1])
    progress(me, f"{len(puzzles)} of {len(puzzles)} solved")
    me.button("Start again").click()
    progress(me, f"0 of {len(puzzles)} solved")
    me.page.locator(".toast").last.get_by_role("button", name="Undo").click()
    progress(me, f"{len(puzzles)} of {len(puzzles)} solved")


@pytest.mark.long
def test_the_position_is_taken_to_the_analysis(visit: Opener):
    puzzle = of_kind("vcf")
    me = opened(visit, puzzle)
    me.page.locator(".puzzle-actions").get_by_role("link", name="Analyse").click()
    at(me, len(puzzle.moves))
    black = {point for point, colour in stones(me).items() if colour == "black"}
    board = Board.from_moves(puzzle.moves, puzzle.rules)
    assert black == {board.name(point) for point in board.stones(1)}


def test_the_keyboard_suffices(visit: Opener):
    puzzle = of_kind("defence")
    me = opened(visit, puzzle)
    point = first_right(puzzle)
    me.press("b Home PageDown")
    me.press("ArrowRight " * (ord(point[0]) - ord("a")))
    me.press("ArrowUp " * (int(point[1:]) - 1))
    me.press("Enter")
    tells(me, "Solved.")
    me.press("n")
    at_puzzle(me, puzzle)
    me.press("?")
    me.sees("dialog[open] kbd")


@pytest.mark.long
def test_on_a_phone_the_board_is_as_wide_as_the_window(visit: Opener):
    puzzle = of_kind("vcf")
    me = opened(visit, puzzle, viewport=PHONE, has_touch=True, is_mobile=True)
    board = me.page.locator(".board").bounding_box()
    actions = me.page.locator(".puzzle-actions").bounding_box()
    assert board is not None
    assert actions is not None
    assert (board["x"], board["width"]) == (0, PHONE["width"])
    assert actions["y"] + actions["height"] <= PHONE["height"]
    # On small cells a point is tapped twice.
    for _ in range(2):
        me.choose(first_right(puzzle))
    tells(me, "answers" if puzzle.length > 1 else "Solved")
    me.button("Show solution").tap()
    me.sees(".line-move")
    assert me.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    after = me.page.locator(".puzzle-actions").bounding_box()
    assert after == actions


def test_in_chinese(visit: Opener):
    puzzle = of_kind("vcf")
    me = opened(visit, puzzle, locale="zh-CN")
    expect(me.page.get_by_role("heading", level=1)).to_contain_text("连续冲四胜")
    me.choose(quiet(puzzle))
    tells(me, "不是冲四；每一手都必须冲四。")
    me.button("提示").click()
    tells(me, f"还需要 {puzzle.length} 手")


def test_on_paper_there_is_what_is_asked_and_the_board(visit: Opener):
    me = opened(visit, of_kind("vcf"))
    me.page.emulate_media(media="print")
    expect(me.page.locator(".printed-head h1")).to_contain_text("win by fours")
    expect(me.page.locator(".puzzle-actions")).to_be_hidden()


def test_an_address_of_no_puzzle_says_so(visit: Opener):
    me = visit("/puzzles/00000000")
    expect(me.page.get_by_role("alert")).to_contain_text("no such puzzle")
    me.page.get_by_role("link", name="Next puzzle").click()
    at_puzzle(me)
    assert all("404" in fault for fault in me.faults)
    me.faults.clear()


@pytest.mark.long
def test_a_slow_server_holds_nobody_up(visit: Opener):
    puzzle = of_kind("vcf")
    me = visit("/learn")
    release = held(me.page, "**/api/position")
    me.page.goto(me.page.url.replace("/learn", f"/puzzles/{puzzle.name}"))
    me.sees(".puzzle-question")
    me.choose(quiet(puzzle))
    tells(me, "does not make a four")
    solve(me, puzzle)
    tells(me, "Solved with help")
    release()
    me.sees(".board .row.win", 1)


@pytest.mark.long
def test_without_the_server_a_puzzle_goes_on(visit: Opener):
    puzzle = of_kind("vcf")
    me = opened(visit, puzzle)
    me.page.route("**/api/**", lambda route: route.abort())
    me.choose(quiet(puzzle))
    tells(me, "does not make a four")
    solve(me, puzzle)
    tells(me, "Solved with help")
    me.page.unroute("**/api/**")
    me.page.reload()
    me.sees(".puzzle-question")
    assert all("ERR_FAILED" in fault for fault in me.faults)
    me.faults.clear()
