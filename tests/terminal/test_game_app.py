"""Games full screen, as they are played with keys and mouse."""

from __future__ import annotations

import json
import re

import pytest
from rich.cells import cell_len
from textual.containers import ScrollableContainer
from textual.widgets import Input, Label, Select, Static

from tengen import Board, Choice, Explanation, Rules, player
from tengen.game.session import Session
from tengen.terminal.dialogs import FilePrompt, NewGame, Question, Seats, TextPage
from tengen.words import LANGUAGES, Message, say
from tests.terminal.screens import Table, at_table, playing

HERE = f"py:{__name__}"

FOUL = ["f8", "i10", "g8", "j7", "h7", "e9", "h6", "g5"]
"""After these moves h8 is a three-three."""


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


class First:
    """Plays the first point it may."""

    name = f"{HERE}:First"

    def choose(self, board, limit=None, stop=None):
        return Choice(board.legal_points()[0])

    def explain(self, board, limit=None, stop=None):
        return Explanation(Message("explain.random", {"count": 1}), {board.legal_points()[0]: 1.0})


class Slow(First):
    """Thinks until it is told to answer."""

    name = f"{HERE}:Slow"

    def choose(self, board, limit=None, stop=None):
        stop.wait(30)
        return super().choose(board)


class Broken(First):
    """Answers nothing that can be played."""

    name = f"{HERE}:Broken"

    def choose(self, board, limit=None, stop=None):
        raise RuntimeError("oh no")


def against(other, rules="tictactoe", **more) -> Session:
    return Session(rules, "human", other, take_back_unit=None, **more)


# -- playing


@playing(lambda: Session("freestyle"))
async def test_the_cursor_begins_in_the_middle_and_enter_plays_there(table: Table) -> None:
    assert table.status == "1. Black to move\nh8"
    await table.press("enter")
    assert table.moves == "h8"
    await table.press("left", "up", "space")
    assert table.moves == "h8g9"
    assert table.status == "3. Black to move\ng9"
    assert table.board[6] == " 9  ├─┼─┼─┼─┼─┼[●]┼─┼─┼─┼─┼─┼─┼─┤"
    assert table.text("movetext").split() == ["1.", "h8", "g9"]


@pytest.mark.long
@playing(lambda: Session("freestyle"))
async def test_the_cursor_stops_at_the_edges_and_moves_by_five_with_shift(table: Table) -> None:
    await table.press("shift+left", "shift+left", "shift+up")
    assert table.status.endswith("\na13")
    await table.press("up", "up", "up", "left")
    assert table.status.endswith("\na15")
    await table.press("end", "pagedown")
    assert table.status.endswith("\nf10")


@playing(lambda: Session("freestyle"))
async def test_a_click_plays(table: Table) -> None:
    # Row 14 is the second from the top; b is the second column.
    await table.pilot.click("BoardView", offset=(6, 1))
    assert table.moves == "b14"
    await table.pilot.click("BoardView", offset=(1, 1))
    await table.pilot.click("BoardView", offset=(6, 15))
    assert table.moves == "b14"  # coordinates are no points


@playing(lambda: against(First()))
async def test_a_computer_answers(table: Table) -> None:
    assert table.text("black") == "X Black: You  5 take-backs"
    assert table.text("white") == "O White: First"
    await table.press("enter")
    await table.until(lambda: table.moves == "b2a1")
    assert table.messages[-1] == "White plays a1"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_levels_have_their_names(lang):
    async def acts(table: Table) -> None:
        assert (
            table.text("white")
            == {"en": "○ White: Level 2", "zh": "○ 白：第 2 级", "vi": "○ Trắng: Cấp 2"}[lang]
        )

    at_table(against(player("level:2"), "freestyle"), acts, lang=lang)


@playing(lambda: Session("tictactoe", First(), First()))
async def test_two_computers_play_until_the_end(table: Table) -> None:
    await table.until(lambda: table.session.result is not None)
    assert "wins" in table.status


@playing(lambda: Session("tictactoe"))
async def test_occupied_points_are_refused_and_nothing_changes(table: Table) -> None:
    await table.press("enter", "enter")
    assert table.moves == "b2"
    assert table.messages[-1] == "b2 is occupied"


@pytest.mark.long
@playing(lambda: Session("renju"))
async def test_fouls_are_marked_and_explained_where_the_cursor_stands(table: Table) -> None:
    await table.play(*FOUL)
    assert "!" in table.board[7]
    assert not table.app._board.picture.rows
    table.app._board.move_to(table.session.board.point("h8"))
    await table.pilot.pause()
    assert table.status == "9. Black to move\nh8: three-three, formed by f8 g8 h8, h6 h7 h8"
    lit = {table.session.board.name(point) for point in table.app._board.picture.rows}
    assert lit == {"f8", "g8", "h8", "h6", "h7"}
    await table.press("enter")
    assert table.moves == "".join(FOUL)
    said = "h8 is forbidden to Black: three-three, formed by f8 g8 h8, h6 h7 h8"
    assert " ".join(table.messages[-2:]) == said


@pytest.mark.long
def test_the_end_is_told_and_the_row_set_off():
    async def acts(table: Table) -> None:
        await table.play("b1", "a1", "b2", "a2", "b3")
        assert table.status == "Black wins: b1 b2 b3 in a row"
        assert len(table.app._board.picture.rows) == 3
        await table.play("c1")
        assert table.messages[-1] == "the game is over"
        await table.press("q")

    assert at_table(Session("tictactoe"), acts).return_code == 0


@pytest.mark.long
@playing(lambda: against(First()))
async def test_who_plays_a_computer_reads_that_they_have_lost(table: Table) -> None:
    await table.press("r", "y")
    assert table.status == "You lose.\nWhite wins: Black resigned"


@pytest.mark.long
@playing(lambda: Session("freestyle", opening="swap2"))
async def test_an_opening_rule_gives_its_options_as_a_list(table: Table) -> None:
    assert table.status == "Player 1: place stone 1 (Black) anywhere\nh8"
    await table.play("h8", "i9", "j10")
    assert table.status.startswith("Player 2: choose\n")
    options = [str(option.prompt) for option in table.panel.options.options]
    assert options == ["play Black", "play White", "place two more stones and let the opponent choose"]
    await table.press("down", "enter")
    assert table.messages[-1] == "Black (X): Player 1, White (O): Player 2"
    assert not table.panel.options.display
    await table.press("left", "enter")
    assert table.moves == "h8i9j10i10"


@playing(lambda: Session("tictactoe", clock="0.3"))
async def test_clocks_run_and_end_the_game(table: Table) -> None:
    assert "0:0" in table.text("black")
    await table.until(lambda: table.session.result is not None)
    await table.until(lambda: table.status == "White wins: Black ran out of time")


# -- what keys do


@playing(lambda: against(First()))
async def test_taking_back_takes_a_round_against_a_computer(table: Table) -> None:
    await table.press("enter")
    await table.until(lambda: len(table.session.board.moves) == 2)
    await table.press("u")
    assert table.moves == ""
    assert table.messages[-1] == "2 stones taken back; Black has 4 take-backs left"
    await table.press("u")
    assert "no stone" in table.messages[-1]


@playing(lambda: Session("tictactoe"), named=First())
async def test_a_hint_is_marked_until_the_next_move(table: Table) -> None:
    await table.press("h")
    await table.until(lambda: table.messages[-1] == "hint: a1")
    assert table.board[7].split() == ["1", "?", "·", "·"]
    await table.press("enter")
    assert "?" not in "".join(table.board)


@playing(lambda: against(First()))
async def test_why_shows_what_the_computer_saw_before_its_move(table: Table) -> None:
    await table.press("enter")
    await table.until(lambda: table.moves == "b2a1")
    await table.press("w")
    await table.until(lambda: isinstance(table.app.screen, TextPage))
    page = table.app.screen
    assert isinstance(page, TextPage)
    lines = page._text.splitlines()
    assert lines[:3] == ["What First sees:", "", "plays a1"]
    assert "2 . X ." in [line.strip() for line in lines]
    await table.press("escape")
    assert not isinstance(table.app.screen, TextPage)


@pytest.mark.long
@playing(lambda: Session("freestyle"))
async def test_why_asks_an_adviser_where_no_computer_plays(table: Table) -> None:
    await table.press("enter", "w")
    await table.until(lambda: isinstance(table.app.screen, TextPage))
    assert table.app.screen._text.startswith("What Shapes (O5) sees:")  # type: ignore[attr-defined]


@playing(lambda: against(Slow()))
async def test_m_has_a_slow_computer_move(table: Table) -> None:
    await table.press("enter")
    assert table.status.startswith("thinking: 0 s (m: move now)")
    await table.press("enter")
    assert " ".join(table.messages[-2:]).endswith("it is the computer's turn: press m to make it move now")
    await table.press("m")
    await table.until(lambda: table.moves == "b2a1")


@playing(lambda: against(Slow()))
async def test_a_take_back_while_a_computer_thinks_takes_its_answer_back_too(table: Table) -> None:
    await table.press("enter", "u")
    assert table.moves == ""
    await table.pilot.pause(0.3)
    assert table.moves == ""
    assert table.status.startswith("1. Black to move")


@playing(lambda: against(Broken()))
async def test_a_computer_that_fails_hands_over_to_a_human(table: Table) -> None:
    await table.press("enter")
    await table.until(lambda: "you now play White" in table.messages)
    assert "White's player failed: the player's code raised" in " ".join(table.messages)
    await table.play("a1")
    assert table.moves == "b2a1"


@pytest.mark.long
@playing(lambda: Session("tictactoe"))
async def test_a_draw_between_people_is_asked_about(table: Table) -> None:
    await table.press("enter", "d")
    assert isinstance(table.app.screen, Question)
    await table.press("n")
    assert table.session.result is None
    assert table.messages[-1] == "declined"
    await table.play("a1")
    await table.press("d", "y")
    assert table.status == "draw by agreement"


@playing(lambda: against(First()))
async def test_a_computer_declines_a_draw_by_itself(table: Table) -> None:
    await table.press("d")
    assert table.messages[-1] == "the computer declines the draw"


@pytest.mark.long
@playing(lambda: Session("tictactoe"))
async def test_resigning_is_asked_about(table: Table) -> None:
    await table.press("enter", "r", "escape")
    assert table.session.result is None
    await table.press("r", "enter")  # the first button is yes
    assert table.status == "Black wins: White resigned"
    await table.press("r")
    assert table.messages[-1] == "the game is over"


@pytest.mark.long
@playing(lambda: Session(Rules.parse("renju", fouls="claimed")))
async def test_a_foul_is_claimed_by_its_key(table: Table) -> None:
    await table.play(*FOUL, "h8")
    await table.press("c")
    assert table.status.startswith("White wins: foul by Black, three-three")


@playing(lambda: Session("tictactoe"))
async def test_passing_is_refused_where_the_rules_have_no_passes(table: Table) -> None:
    await table.press("p")
    assert "pass" in table.messages[-1]
    assert table.moves == ""


@playing(lambda: Session("freestyle"))
async def test_numbers_letters_and_colours(table: Table) -> None:
    await table.press("enter", "i")
    assert "[1]" in table.board[7].replace(" ", "")
    await table.press("i", "x")
    assert "[X]" in table.board[7]
    before = table.app._board.render_line(0)._segments[0].style
    await table.press("t")
    assert table.app._board.render_line(0)._segments[0].style != before


@pytest.mark.long
def test_a_game_is_saved_and_loaded(tmp_path):
    async def acts(table: Table) -> None:
        await table.press("enter", "s")
        assert isinstance(table.app.screen, FilePrompt)
        await table.press(*"g.json", "enter")
        assert table.messages[-1] == "saved to g.json"
        await table.play("a1")
        await table.press("o", *"g.json", "enter")
        await table.until(lambda: table.moves == "b2")
        assert table.messages[-1] == "loaded g.json"
        await table.press("o", *"none", "enter")
        await table.until(lambda: "none" in table.messages[-1])
        assert table.moves == "b2"
        await table.press("o", "escape")
        assert table.moves == "b2"

    at_table(Session("tictactoe"), acts)
    assert json.loads((tmp_path / "g.json").read_text())["format"] == "tengen session"


@pytest.mark.long
def test_a_game_with_a_computer_goes_on_where_it_was_saved():
    async def save(table: Table) -> None:
        await table.press("enter")
        await table.until(lambda: table.moves == "b2a1")
        await table.press("s", *"g.json", "enter")

    async def load(table: Table) -> None:
        await table.press("o", *"g.json", "enter")
        await table.until(lambda: table.moves == "b2a1")
        await table.play("c3")
        await table.until(lambda: table.moves == "b2a1c3b1")

    at_table(against(First()), save)
    at_table(Session("freestyle"), load)


@pytest.mark.long
@playing(lambda: Session("freestyle"))
async def test_another_game_is_chosen_by_its_parts(table: Table) -> None:
    await table.press("enter", "n")
    form = table.app.screen
    assert isinstance(form, NewGame)
    form.query_one("#rules", Select).value = "tictactoe"
    form.query_one("#white", Select).value = "lines"
    form.query_one("#clock", Input).value = "1:00"
    await table.pilot.click("#go")
    assert "1:00" in str(form.query_one("#error", Label).content)
    assert table.moves == "h8"
    form.query_one("#clock", Input).value = "60"
    await table.until(lambda: not form.query_one("#go").has_class("-active"))  # a double click is one
    await table.pilot.click("#go")
    await table.until(lambda: table.session.rules.name == "tictactoe")
    assert table.text("title") == "Tengen: tic-tac-toe, 3x3, 3 in a row"
    assert "Lines" in table.text("white")
    assert str(table.session.control) == "60"
    await table.press("enter")
    await table.until(lambda: table.session.board.ply == 2)


@pytest.mark.long
@playing(lambda: Session("tictactoe"))
async def test_what_the_engine_does_not_play_is_refused_in_the_form(table: Table) -> None:
    await table.press("n")
    form = table.app.screen
    form.query_one("#white", Select).value = "level:4"
    await table.pilot.click("#go")
    assert "the engine" in str(form.query_one("#error", Label).content)
    await table.press("escape")
    assert table.session.rules.name == "tictactoe"


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (60, 20), (44, 16)], ids=str)
def test_help_and_why_are_wrapped(lang, size):
    """Nothing has to be scrolled sideways, but a board where the window is too narrow for one."""

    async def acts(table: Table) -> None:
        for key in ("question_mark", "w"):
            await table.press(key)
            await table.until(lambda: isinstance(table.app.screen, TextPage))
            await table.pilot.pause(0.1)
            area = table.app.screen.query_one(ScrollableContainer)
            page = table.app.screen
            assert isinstance(page, TextPage)
            assert str(page.query_one("#text", Static).content) == page._text
            assert str(page.query_one(".note", Label).content) == say("app.page.close", lang)
            rows = re.compile(r"^ *[0-9]+( +\S+)+$|^ +a( +[a-z])+$")
            prose = [line for line in page._text.splitlines() if not rows.match(line)]
            assert max(map(cell_len, prose)) <= area.scrollable_content_region.width
            if size[0] >= 80:
                assert area.max_scroll_x == 0
            await table.press("escape")

    board = Board.from_moves("h8i9g9h9h10g8i8g10f8j8", rules="freestyle")
    at_table(Session(start=board, white=player("shapes")), acts, lang=lang, size=size)


@pytest.mark.long
@playing(lambda: Session("tictactoe"))
async def test_a_computer_sits_down_during_the_game(table: Table) -> None:
    await table.press("enter", "l")
    seats = table.app.screen
    assert isinstance(seats, Seats)
    seats.query_one("#white", Select).value = "lines"
    await table.pilot.click("#go")
    await table.until(lambda: table.session.board.ply == 2)
    assert "White (O): Lines" in " ".join(table.messages)
    await table.press("l", "escape")
    assert table.session.seats[1].occupant == "human"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_names_every_key(lang):
    async def acts(table: Table) -> None:
        await table.press("question_mark")
        page = table.app.screen
        assert isinstance(page, TextPage)
        keys = [line.split()[0] for line in page._text.splitlines() if line.startswith("      ")]
        assert sorted(keys) == sorted("uhwmrdcpnlsoixt?q")

    at_table(Session("tictactoe"), acts, lang=lang)


# -- leaving


@pytest.mark.long
def test_leaving_a_game_is_asked_about():
    async def acts(table: Table) -> None:
        await table.press("enter", "q", "n")
        assert table.app.return_code is None
        await table.press("ctrl+c")
        assert isinstance(table.app.screen, Question)
        await table.press("ctrl+c")

    assert at_table(Session("tictactoe"), acts).return_code == 0


def test_leaving_before_the_first_move_is_not():
    async def acts(table: Table) -> None:
        await table.press("q")

    assert at_table(Session("tictactoe"), acts).return_code == 0


# -- the screen


@pytest.mark.parametrize(
    ("size", "wide"), [((80, 24), 34), ((120, 40), 64), ((200, 60), 94), ((40, 30), 34), ((20, 12), 20)]
)
def test_the_board_takes_as_much_of_the_screen_as_there_is(size, wide):
    async def acts(table: Table) -> None:
        assert table.app._board.size.width == wide
        assert table.app._board.size.height <= size[1] - 1
        await table.press("enter")
        assert table.moves == "h8"

    at_table(Session("freestyle"), acts, size=size)


@pytest.mark.long
@playing(lambda: Session("freestyle"), size=(40, 20))
async def test_in_a_small_window_messages_questions_and_errors_are_seen_whole(table: Table) -> None:
    await table.press("enter", "enter")
    assert table.messages[-1] == "h8 is occupied"
    assert table.panel.query_one("#messages").size.height >= 2
    await table.press("q")
    question = table.app.screen.query_one(Label)
    assert question.size.height == 2, "it is longer than the dialog is wide"
    await table.press("n", "n")
    form = table.app.screen
    form.query_one("#size", Input).value = "many"
    form.query_one("#size", Input).focus()
    await table.press("enter")
    notes = form.query_one(".note", Label), form.query_one("#error", Label)
    for note in notes:
        assert len(str(note.content)) <= note.size.width * note.size.height


@pytest.mark.long
@playing(lambda: Session("freestyle", opening="swap2"), size=(40, 20))
async def test_in_a_small_window_every_option_is_within_reach(table: Table) -> None:
    await table.play("h8", "i8", "h7")
    options = table.panel.options
    assert options.option_count > 2
    assert table.panel.region.contains_region(options.region)


@pytest.mark.long
@playing(lambda: Session("mnk:50,50,5"))
async def test_of_a_large_board_the_part_about_the_cursor_is_seen(table: Table) -> None:
    view = table.app._board
    for name in ("a1", "ax50", "a50", "ax1", "z25"):
        point = table.session.board.point(name)
        view.move_to(point)
        await table.pilot.pause()
        seen = [
            view.point_at(type(view._corner)(x, y))
            for x in range(view.size.width)
            for y in range(view.size.height)
        ]
        assert point in seen
        assert table.board[-1].split()


@playing(lambda: Session("tictactoe"), lang="zh")
async def test_an_app_runs_in_chinese_from_end_to_end(table: Table) -> None:
    assert table.text("title") == "Tengen 天元：井字棋，3x3，3 子连线"
    await table.press("enter")
    assert table.status.startswith("第 2 手，轮到白方")
    await table.press("u")
    assert table.messages[-1].startswith("悔了 1 子")
