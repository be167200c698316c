"""Games played line by line, as typed: every test runs the command ``tengen play``."""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tengen
from tengen import BLACK, Board, Choice, Explanation, TengenError
from tengen.game.opening_rules import NAMES as OPENINGS
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.terminal.asking import ADVISER
from tengen.terminal.plain import PlainGame
from tengen.words import LANGUAGES, Message, catalogue, say
from tests.console import Answer, Typed, play, process, run
from tests.positions import rows_of

HERE = f"py:{__name__}"

FOUL = "f8;i10;g8;j7;h7;e9;h6;g5"
"""After these moves h8 is a three-three."""

WIN = "a1;b1;a2;b2;a3"
"""Black wins tic-tac-toe."""

DRAW = "b2;a1;a2;c2;b3;b1;c1;a3;c3"
"""Tic-tac-toe without a winner."""


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


# -- players that anybody might write


class First:
    """Plays the first point it may."""

    name = f"{HERE}:First"

    def choose(self, board, limit=None, stop=None):
        return Choice(board.legal_points()[0])

    def explain(self, board):
        return Explanation(
            Message("explain.random", {"count": 1}), dict.fromkeys(board.legal_points(), 1.0)
        )


class Late(First):
    """Thinks longer than a clock of a hundredth of a second allows, whatever it is told."""

    name = f"{HERE}:Late"

    def choose(self, board, limit=None, stop=None):
        stop.wait(0.05)
        return super().choose(board)


class Own(First):
    """Answers what it was made with: ``Own,answer=none`` and the like."""

    def __init__(self, answer):
        self.answer = answer
        self.name = f"{HERE}:Own,answer={answer}"

    def choose(self, board, limit=None, stop=None):
        if self.answer == "raise":
            raise RuntimeError("oh\nno")
        if self.answer == "exit":
            raise SystemExit(5)
        if self.answer == "occupied":
            return Choice(board.moves[0] if board.moves else 0)
        return {"none": None, "text": "h8", "off": Choice(999), "half": Choice(0.5)}[self.answer]  # type: ignore[arg-type]


class Nameless(First):
    """Has a name that cannot be saved."""

    name = 7  # type: ignore[assignment]


FAULTS = {
    "raise": "the player's code raised RuntimeError: oh?no",
    "exit": "the player's code raised SystemExit: 5",
    "occupied": "a1 is occupied",
    "none": "the player answered None, which is not a move",
    "text": "the player answered 'h8', which is not a move",
    "off": "999 is off the 3x3 board, whose points run from a1 to c3",
    "half": f"the player answered {Choice(0.5)!r}, which is not a move",  # type: ignore[arg-type]
}


def tictactoe(typed: str, *words: str, lang: str = "en") -> Answer:
    return play("--rules", "tictactoe", *words, typed=typed, lang=lang)


def answers(answer: Answer) -> list[str]:
    """What was said after the greeting, without prompts."""
    prompts = ("Another game", "Tengen", "Type ", "Black (X)", "Two people", "Opening rule")
    return [line for line in answer.said if not (re.match(r"[0-9]+\. ", line) or line.startswith(prompts))]


# -- the way in and out


def test_the_greeting_says_what_is_played_and_by_whom():
    greeting = play("--rules", "renju", "--white", "random,seed=1").said
    assert greeting == [
        "Tengen: renju, 15x15, 5 in a row",
        "Black (X): You, White (O): Random",
        "Type h8, or row and column from the top left: 8 8; ? lists all commands.",
        "1. Black>",
    ]


def test_two_people_learn_how_to_play_a_computer():
    said = tictactoe("w random,seed=1;b2").said
    assert "Black (X): Player 1, White (O): Player 2" in said
    assert f"Two people play here; w {ADVISER} lets a computer play White." in said
    assert "Black (X): You, White (O): Random" in said
    assert said[-1] == "3. Black>"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_greeting_fits_a_narrow_terminal(lang):
    for words in (
        (),
        ("--rules", "renju", "--fouls", "claimed", "--opening", "taraguchi-10", "--size", "19"),
    ):
        for line in play(*words, typed="?;h", lang=lang).out.splitlines():
            wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in line)
            assert len(line) + wide <= 80, line


def test_rules_of_ones_own_are_called_custom():
    assert play("--rules", "mnk:4,3,3").said[0] == "Tengen: custom rules, 4x3, 3 in a row"
    assert play("--rules", "mnk:4,3,3", lang="zh").said[0] == "Tengen 天元：自定规则，4x3，3 子连线"


@pytest.mark.parametrize("leave", ["q", "Q", "ｑ", "quit", "exit", "a1;q;a2", "", "b2"])
def test_q_or_the_end_of_the_input_quits(leave):
    answer = tictactoe(leave)
    assert (answer.status, answer.err) == (0, "")
    assert "\nBlack wins" not in answer.out


def test_q_in_chinese():
    answer = tictactoe("退出;a1", lang="zh")
    assert answer.status == 0
    assert "2. 白>" not in answer.out


# -- moves


@pytest.mark.parametrize(
    "typed", ["a3", "A3", "ａ３", "1 1", "1,1", " 1   1 ", "1, 1", "１ １", "１　１", "\ta3"]
)
def test_ways_to_name_a_point(typed):
    answer = tictactoe(typed)
    assert answer.boards[-1] == "[X]. .\n . . .\n . . ."
    assert answer.said[-1] == "2. White>"


def test_rows_count_from_the_top_and_columns_from_the_left():
    assert tictactoe("1 3").boards[-1] == " . .[X]\n . . .\n . . ."
    assert tictactoe("3 1").boards[-1] == " . . .\n . . .\n[X]. ."
    assert play("--rules", "mnk:4,2,2", typed="1 4").boards[-1] == " . . .[X]\n . . . ."


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("z99", "z99 is off the 3x3 board, whose points run from a1 to c3"),
        ("a0", "a0 is off the 3x3 board, whose points run from a1 to c3"),
        ("0 1", "row 0, column 1 is off the board: rows are 1 to 3, columns 1 to 3"),
        ("1 0", "row 1, column 0 is off the board: rows are 1 to 3, columns 1 to 3"),
        ("4 1", "row 4, column 1 is off the board: rows are 1 to 3, columns 1 to 3"),
        (
            "",
            "Type b2, or row and column from the top left: 2 2; ? lists all commands.",
        ),
        ("hello", "'hello' is neither a point such as b2 nor a command: see ?"),
        ("q b2", "'q b2' is neither a point such as b2 nor a command: see ?"),
        ("b2 please", "'b2 please' is neither a point such as b2 nor a command: see ?"),
        ("\0\x1b[A", "'[A' is neither a point such as b2 nor a command: see ?"),
        (
            "x" * 100_000,
            f"'{'x' * 20}...' is neither a point such as b2 nor a command: see ?",
        ),
        (
            "9" * 5000 + " 1",
            f"'{'9' * 20}...' is neither a point such as b2 nor a command: see ?",
        ),
        ("--", "these rules do not allow passing"),
        ("p", "these rules do not allow passing"),
        ("c", "fouls are not claimed under these rules"),
        ("y", "there is no request to answer"),
        ("n", "there is no request to answer"),
        ("u", "there is no stone to take back"),
        ("s", "s needs a file name, such as s game.json"),
        ("l", "l needs a file name, such as l game.json"),
        ("b", "b needs a player: b human, or a player such as b shapes"),
        ("w", "w needs a player: w human, or a player such as w shapes"),
        ("l nowhere.json", "nowhere.json cannot be read: there is no such file or folder"),
        ("s nowhere/game.json", "nowhere/game.json cannot be written: there is no such file or folder"),
        (
            "w random,speed=2",
            "player 'random,speed=2' has no setting 'speed': expected one of seed",
        ),
    ],
)
def test_bad_input_is_explained_and_changes_nothing(typed, said):
    answer = tictactoe(f"{typed};c1;q")
    assert answer.status == 0
    assert said in answer.said
    assert "X" in answer.boards[-1].splitlines()[2], "the next move was played"


def test_an_occupied_point_is_refused():
    answer = tictactoe("b2;b2;2 2;q")
    assert answer.said.count("b2 is occupied") == 2
    assert answer.said[-1] == "2. White>"


def test_row_zero_does_not_wrap_round():
    """A fault of O4: row 0 was the last row, and a stone could be overwritten."""
    answer = tictactoe("0 1;1 1;1 1;q")
    assert answer.boards[-1] == "[X]. .\n . . .\n . . ."
    assert "a3 is occupied" in answer.said


def test_bytes_that_are_no_text(tmp_path):
    answer = process("play", "--rules", "tictactoe", typed=b"\xff\xfe\nb2\n\x80", cwd=tmp_path)
    assert (answer.status, answer.err) == (0, "")
    assert "2. White>" in answer.out


# -- games to the end


def test_the_game_that_o1_describes():
    """O1's worked example; its cells are x, y on a grid of light points, with y running down."""
    cells = "2,2 4,0 2,0 2,4 0,0 4,4 4,2 0,4"
    typed = [f"{int(y) // 2 + 1} {int(x) // 2 + 1}" for x, y in (cell.split(",") for cell in cells.split())]
    answer = tictactoe(";".join(typed))
    assert "White wins: a1 b1 c1 in a row" in answer.said
    assert answer.boards[-1] == " X X O\n . X X\n*O*O*O*"


WON = [
    next(
        row
        for row in rows_of("outcomes.jsonl")
        if (row["rule"], row["outcome"]) == (rule, winner) and row["line"]
    )
    for rule in ("freestyle", "standard", "renju", "caro")
    for winner in ("black", "white")
]


@pytest.mark.parametrize("row", WON, ids=lambda row: f"{row['rule']}-{row['outcome']}")
def test_a_won_game_of_every_rule(row):
    words = ("--rules", row["rule"], "--size", str(row["size"]))
    moves = ";".join(re.findall(r"[a-z]+[0-9]+", row["moves"]))
    answer = play(*words, typed=moves + ";n")
    winner = row["outcome"].capitalize()
    assert f"{winner} wins: {' '.join(row['line'])} in a row" in answer.said
    assert answer.boards[-1].count("*") >= len(row["line"])
    assert answer.status == 0
    chinese = play(*words, typed=moves, lang="zh")
    assert f"{'黑' if winner == 'Black' else '白'}胜：{' '.join(row['line'])} 连成一线" in chinese.said


def test_a_won_game_of_any_k():
    answer = play("--rules", "mnk:7,6,4", typed="a1;a2;b1;b2;c1;c2;d1")
    assert "Black wins: a1 b1 c1 d1 in a row" in answer.said


def test_a_draw_is_announced():
    """A fault of O4: it was not."""
    assert "draw: the board is full" in tictactoe(DRAW).said
    assert "平局：棋盘已满" in tictactoe(DRAW, lang="zh").said


def test_two_passes_are_a_draw():
    answer = tictactoe("a1;p;b2;c3;p;停着;n", "--passing", lang="zh")
    assert "棋盘上有三枚棋子之后才可以停着" in answer.said
    assert "平局：双方停着" in answer.said


def test_the_winner_against_a_computer_is_told():
    assert "You win!" in tictactoe("a3;b3;c3;q", "--white", f"{HERE}:First").said
    lost = play("--rules", "mnk:5,3,3", "--black", f"{HERE}:First", typed="a3;e3;q")
    assert "Black wins: a1 b1 c1 in a row" in lost.said
    assert "You lose." in lost.said
    assert "You lose." not in tictactoe(WIN).said


# -- another game


def test_another_game_is_offered():
    answer = tictactoe(f"{WIN};y;b2;q")
    assert answer.out.count("Tengen: tic-tac-toe") == 2
    assert answer.boards[-1] == " . . .\n .[X].\n . . ."


@pytest.mark.parametrize("no", ["n", "no", "N", "q", ""])
def test_no_other_game_leaves(no):
    answer = tictactoe(f"{WIN};{no}" if no else WIN)
    assert answer.status == 0
    assert answer.said[-1] == "Another game (y/n)?"


def test_another_game_in_chinese():
    answer = tictactoe(f"{WIN};是;退出", lang="zh")
    assert answer.out.count("Tengen 天元：井字棋") == 2
    assert tictactoe(f"{WIN};否;b2", lang="zh").said[-1] == "再来一局（y/n）？"


def test_after_the_end_there_is_still_something_to_do():
    answer = tictactoe(f"{WIN};;maybe;b2;h;r;d;s end.json;u;c3;q")
    over = "The game is over: y plays another, n quits, u takes back, s FILE saves."
    assert answer.said.count(over) == 5
    assert "saved to end.json" in answer.said
    assert "1 stone taken back; Black has 4 take-backs left" in answer.said
    assert answer.boards[-1] == " . .[X]\n X O .\n X O ."


def test_another_game_is_like_the_last_one():
    words = (
        "--rules",
        "renju",
        "--size",
        "9",
        "--fouls",
        "loses",
        "--opening",
        "swap",
        "--take-backs",
        "2",
    )
    moves = "e5;u;e5;e6;e4;white;r;y;y;e5;u;u;e5;u"
    answer = play(*words, "--clock", "100+5", "--white", "random,seed=2", typed=moves)
    assert answer.out.count("Tengen: renju, 9x9, 5 in a row") == 2
    assert answer.out.count("Opening rule: Swap") == 2
    assert answer.out.count("Black loses by committing a foul.") == 2
    assert "1 stone taken back; Black has 1 take-back left" in answer.said
    assert "1 stone taken back; Black has 0 take-backs left" in answer.said
    assert re.search(r"^You 1:40: place stone 1 \(Black\) anywhere>", answer.out, re.MULTILINE)


def test_a_set_up_position_is_set_up_again():
    start = Board.from_stones(["a1", "a2"], ["b1", "b2"], rules="tictactoe")
    session = Session(start=start, take_backs=None)
    session.play("c3")
    again = session.again()
    assert again.board == start
    assert [seat.take_backs for seat in again.seats.values()] == [None, None]


def test_new_asks_before_it_drops_a_game():
    answer = tictactoe("a1;new;n;b1;new;y;c1")
    assert answer.out.count("Abandon this game and start another (y/n)?") == 2
    assert answer.boards[-2:] == [" . . .\n . . .\n . . .", " . . .\n . . .\n . .[X]"]
    assert "Leave" not in tictactoe("new;a1").out, "there is nothing to lose yet"


# -- help and hints


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_shows_every_command(lang):
    page = tictactoe("?;q", lang=lang).out
    for command in (
        "b2",
        "2 2",
        "u",
        "h",
        "p",
        "c",
        "d",
        "y, n",
        "r",
        "b SPEC",
        "s FILE",
        "l FILE",
        "new",
        "q",
    ):
        assert re.search(rf"^  {command}  ", page, re.MULTILINE), command
    assert tictactoe("help;q", lang=lang).out == page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_that_the_help_names_is_a_command(lang):
    words = re.split(
        r"\W+", say("plain.help", lang, point="", padded="", cells="", row=1, column=1).splitlines()[-1]
    )
    named = [word for word in words if word][-11:]
    meanings = dict(pair.split("=") for pair in catalogue(lang)["plain.words"].split())
    assert [meanings[word] for word in named] == list("uhpcdynrslq")


def test_the_board_is_shown_again_when_asked_for():
    once, twice = tictactoe("b2"), tictactoe("b2;board;show")
    assert len(twice.boards) == len(once.boards) + 2
    assert len(set(twice.boards[-3:])) == 1
    assert tictactoe("b2;棋盘", lang="zh").boards[-1] == once.boards[-1]


@pytest.mark.parametrize(
    ("word", "lang"), [("why", "en"), ("explain", "en"), ("理由", "zh"), ("why", "zh")]
)
def test_why_tells_what_the_computer_saw(word, lang):
    answer = tictactoe(f"b2;{word}", "--white", f"{HERE}:First", lang=lang)
    assert say("app.why", lang, who="First") in answer.said
    assert say("explain.choice", lang, point="a1") in answer.said


def test_why_without_a_computer_tells_what_an_adviser_sees():
    said = tictactoe("b2;why").said
    assert say("app.why", who="Shapes (O5)") in said
    assert said[-1] == "2. White>"


def test_why_of_a_player_that_fails_is_told_and_changes_nothing():
    answer = tictactoe("why;b2", "--hints", f"{HERE}:Own,answer=none")
    assert answer.said[-1] == "2. White>"
    assert answer.status == 0


def test_a_hint_where_nobody_is_asked_comes_from_a_textbook_player():
    assert "hint: b2" in tictactoe("h").said


def test_a_hint_comes_from_the_computer_at_the_table():
    assert "hint: a1" in tictactoe("h", "--white", f"{HERE}:First").said


def test_a_hint_comes_from_whoever_is_named():
    assert "提示：a1" in tictactoe("提示", "--hints", f"{HERE}:First", lang="zh").said


def test_a_hint_changes_nothing():
    assert tictactoe("b2;h;h;a1").boards[-1] == tictactoe("b2;a1").boards[-1]


def test_a_hint_in_an_opening():
    said = play("--opening", "swap2", "--hints", f"{HERE}:First", typed="h;a1;a2;a3;h").said
    assert "hint: a1" in said
    assert "hint: black (play Black)" in said or "hint: white (play White)" in said


def test_an_adviser_that_fails_does_not_end_the_game():
    answer = tictactoe("h;b2", "--hints", f"{HERE}:Own,answer=none")
    assert FAULTS["none"] in answer.said
    assert answer.said[-1] == "2. White>"


# -- taking back, as O5 has it


def test_five_take_backs_a_side_one_stone_each():
    answer = tictactoe("a1;u;a1;u;a1;u;a1;u;a1;u;a1;u;b2;u;q")
    said = answers(answer)
    assert said[:6] == [
        "1 stone taken back; Black has 4 take-backs left",
        "1 stone taken back; Black has 3 take-backs left",
        "1 stone taken back; Black has 2 take-backs left",
        "1 stone taken back; Black has 1 take-back left",
        "1 stone taken back; Black has 0 take-backs left",
        "no take-backs are left",
    ]
    assert said[6] == "1 stone taken back; White has 4 take-backs left", "charged to the side that moved"


def test_no_stone_to_take_back():
    assert "there is no stone to take back" in tictactoe("u").said
    assert "没有可以悔的棋" in tictactoe("悔棋", lang="zh").said


def test_take_backs_can_be_none_or_unlimited():
    assert "no take-backs are left" in tictactoe("a1;u", "--take-backs", "0").said
    unlimited = tictactoe("a1;u;" * 9, "--take-backs", "unlimited")
    assert unlimited.said.count("1 stone taken back") == 9


def test_against_a_computer_a_round_is_taken_back():
    answer = tictactoe("b2;u;c3;q", "--white", f"{HERE}:First")
    assert "2 stones taken back; Black has 4 take-backs left" in answer.said
    assert answer.boards[-1] == " . . X\n . . .\n[O]. ."


def test_taking_back_from_a_computer_that_came_later():
    """The stone of a computer alone would be played again at once: the round is taken back."""
    answer = tictactoe(f"b2;w {HERE}:First;u;c3;q")
    assert answers(answer)[1:2] == ["2 stones taken back; Black has 4 take-backs left"]
    assert answer.boards[-1] == " . . X\n . . .\n[O]. ."


def test_a_computers_first_stone_alone_stays():
    answer = tictactoe(f"b {HERE}:First;u;q")
    assert answer.out.count("Black plays a1") == 1
    assert "there is no stone to take back" in answer.said


def test_a_request_to_take_back_waits_for_an_answer(tmp_path):
    session = Session("tictactoe", consent=True)
    session.play("b2")
    (tmp_path / "game.json").write_text(session.to_json())
    answer = play("--load", "game.json", typed="u;n;u;y;q")
    assert answer.out.count("Black asks for a take-back: allow it (y/n)?") == 2
    assert "declined" in answer.said
    assert answer.boards[-1] == " . . .\n . . .\n . . ."


# -- giving up, draws


def test_resigning_is_confirmed():
    answer = tictactoe("r;n;b2;resign;yes;q")
    assert answer.out.count("Resign (y/n)?") == 2
    assert "Black wins: White resigned" in answer.said
    assert "白胜：黑认输" in tictactoe("认输;是", lang="zh").said


def test_the_end_of_the_input_does_not_resign():
    assert "wins" not in tictactoe("b2;r").out


def test_a_draw_is_offered_and_accepted():
    answer = tictactoe("b2;d;y;n")
    assert "White offers a draw: accept (y/n)?" in answer.out
    assert "draw by agreement" in answer.said


def test_a_draw_is_offered_and_declined():
    answer = tictactoe("d;no;d;b2;d;谢绝", lang="zh")
    assert answer.said.count("已谢绝") == 2
    assert "提和已被谢绝：走过一步后才能再提" in answer.said


def test_a_computer_agrees_to_a_draw_that_is_one():
    assert "the computer declines the draw" in tictactoe("d", "--white", f"{HERE}:First").said
    dead = tictactoe(f"b2;a1;a2;c2;b3;b1;c1;a3;w {HERE}:First;d")
    assert "draw by agreement" in dead.said


# -- fouls


def test_fouls_are_drawn_and_a_forbidden_move_says_why():
    answer = play("--rules", "renju", typed=f"{FOUL};h8;q")
    assert answer.boards[-1].splitlines()[15 - 8] == " . . . . . X X ! . . . . . . ."
    assert "! marks points where Black would commit a foul" in answer.said
    assert "h8 is forbidden to Black: three-three, formed by f8 g8 h8, h6 h7 h8" in answer.said
    assert answer.said[-1] == "9. Black>"
    assert play("--rules", "renju", typed=f"{FOUL};8 8", lang="zh").said[-2] == (
        "h8 是黑方的禁手：三三禁手，由 f8 g8 h8、h6 h7 h8 构成"
    )


def test_fouls_are_not_drawn_for_white():
    answer = play("--rules", "renju", typed=f"{FOUL};a1;q")
    assert "!" not in answer.boards[-1]


def test_a_foul_that_loses():
    answer = play("--rules", "renju", "--fouls", "loses", typed=f"{FOUL};h8;q")
    assert "Black loses by committing a foul." in answer.said
    assert "White wins: foul by Black, three-three: f8 g8 h8, h6 h7 h8" in answer.said
    assert answer.boards[-1].splitlines()[15 - 8] == " . . . . .!X!X!X!. . . . . . ."


def test_a_foul_is_claimed_in_time():
    answer = play("--rules", "renju", "--fouls", "claimed", typed=f"{FOUL};c;h8;c;q")
    assert "Black loses by a foul if White claims it (c) before playing on." in answer.said
    assert "there is no foul to claim" in answer.said
    assert "White wins: foul by Black, three-three: f8 g8 h8, h6 h7 h8" in answer.said


def test_a_foul_lapses_when_white_plays_on():
    answer = play("--rules", "renju", "--fouls", "claimed", typed=f"{FOUL};h8;a1;c;q")
    assert "there is no foul to claim" in answer.said
    assert "wins" not in answer.out


def test_black_does_not_claim_against_itself():
    answer = play("--rules", "renju", "--fouls", "claimed", typed=f"{FOUL};w random,seed=1;c;q")
    assert "only White may claim a foul" in answer.said
    assert answer.said[-1] == "9. Black>"


def test_a_computer_claims_for_itself():
    answer = play("--rules", "renju", "--fouls", "claimed", typed=f"{FOUL};w {HERE}:First;h8;q", lang="zh")
    assert "白胜：黑犯三三禁手：f8 g8 h8、h6 h7 h8" in answer.said
    assert "你输了。" in answer.said


def test_a_computer_claims_a_foul_that_fills_the_board():
    rules = Rules(width=6, height=1, k=5, overline="foul", fouls="claimed")
    session = Session(
        rules, start=Board.from_stones(["a1", "b1", "c1", "e1", "f1"], rules=rules, turn=BLACK)
    )
    session.hand_over(2, tengen.player("random,seed=1"))
    source = Typed("d1\nq\n")
    out = Typed()
    assert PlainGame(session, None, "en", source, out).run() == 0
    assert "White wins: foul by Black, overline: a1 b1 c1 d1 e1 f1" in out.getvalue()


# -- clocks


def test_the_clock_is_shown():
    def shown(typed: str, clock: str) -> str:
        return tictactoe(typed, "--clock", clock).said[-1]

    # A busy machine may take some seconds.
    assert re.fullmatch(r"2\. White (5:00|4:5\d)>", shown("b2", "300"))
    assert re.fullmatch(r"1\. Black 1:(16|1[0-5]|0\d)>", shown("", "75.5+2"))
    assert re.fullmatch(r"1\. Black 0:(30|2\d) x3>", shown("", "0+3x30"))


class Slow(Typed):
    """A user who takes a while to type a line."""

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        time.sleep(0.05)
        return super().readline(size)


def test_time_runs_out_while_somebody_types():
    answer = run("play", "--rules", "tictactoe", "--clock", "0.02", typed=Slow("b2\nq\n"))
    assert answer.boards[-1] == " . . .\n . . .\n . . ."
    assert "White wins: Black ran out of time" in answer.said


def test_a_computer_that_thinks_too_long_has_lost_and_not_failed():
    answer = tictactoe("", "--clock", "0.01", "--black", f"{HERE}:Late", "--white", f"{HERE}:Late")
    assert "White wins: Black ran out of time" in answer.said
    assert "failed" not in answer.out
    assert answer.status == 0


# -- openings


def test_an_opening_says_who_does_what_where():
    answer = play("--opening", "rif", "--rules", "renju", typed="h8;h9;h10;white;a1;j9;q")
    assert answer.said[1:3] == ["Opening rule: RIF", "Black (X): Player 1, White (O): Player 2"]
    assert [line for line in answer.said[5:] if ":" in line or "+" in line] == [
        "Player 1: place stone 1 (Black) on the centre (h8)>",
        "Player 1: place stone 2 (White) inside the central 3x3 (g7 to i9)>",
        "Player 1: place stone 3 (Black) inside the central 5x5 (f6 to j10)>",
        "  black: play Black",
        "  white: play White",
        "Player 2: choose: black/white>",
        "Black (X): Player 1, White (O): Player 2",
        "Player 2: place stone 4 (White) anywhere>",
        "Player 1: offer fifth move 1 of 2>",
        "+ marks the fifth moves offered: j9",
        "Player 1: offer fifth move 2 of 2>",
    ]
    assert "This is regular opening 1D, Kansei." in answer.said
    assert "+" in answer.boards[-1]


def test_colours_change_hands():
    answer = play("--opening", "swap", typed="h8;i9;j10;black;q")
    assert "Black (X): Player 2, White (O): Player 1" in answer.said
    assert answer.said[-1] == "4. White>"


@pytest.mark.parametrize("typed", ["black", "BLACK", "b", "bl", "ｂｌａｃｋ"])
def test_ways_to_name_a_choice(typed):
    answer = play("--opening", "swap2", typed=f"h8;i9;j10;{typed};q")
    assert "Black (X): Player 2, White (O): Player 1" in answer.said


def test_a_choice_in_chinese():
    answer = play("--opening", "swap2", typed="h8;i9;j10;黑;q", lang="zh")
    assert "  black：执黑" in answer.said
    assert "玩家 2：请选择：black/white/place>" in answer.said
    assert "黑（X）：玩家 2、白（O）：玩家 1" in answer.said


def test_a_choice_that_is_none_shows_those_there_are():
    answer = play("--opening", "swap2", typed="h8;i9;j10;;h8;black 2;blackish;8 8;?;p;q")
    expected = "is not an option here: expected one of black, white, place"
    assert [line for line in answer.said if expected in line] == [
        f"'h8' {expected}",
        f"'black 2' {expected}",
        f"'blackish' {expected}",
        f"'8 8' {expected}",
    ]
    place = "  place: place two more stones and let the opponent choose"
    assert answer.said.count(place) == 2, "once with the board and once in the help"
    assert answer.said[-1] == "Player 2: place stone 4 (White) anywhere>"


def test_a_number_is_typed_whole():
    answer = play("--opening", "yamaguchi", typed="h8;h9;h10;0;11;1 0;１０;black;q")
    for wrong in ("0", "11", "1 0"):
        assert (
            f"'{wrong}' is not an option here: expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10" in answer.said
        )
    assert answer.said[-1] == "Player 1: place stone 4 (White) anywhere>"


def test_a_point_the_opening_does_not_allow():
    answer = play("--opening", "pro", typed="a1;h8;a1;h9;p;8 9;a8;q")
    assert "a1 is not allowed: stone 1 goes on the centre" in answer.said
    assert "h9 is not allowed: stone 3 goes outside the central 5x5" in answer.said
    assert "passing is not allowed in the opening" in answer.said
    assert answer.said[-1] == "4. White>"


def test_a_computer_opens_and_says_what_it_does():
    words = ("--opening", "rif", "--rules", "renju", "--black", f"{HERE}:First")
    said = play(*words, typed="black;a5;a6;a1;q").said
    assert "First places Black on h8" in said
    assert "First places White on h7" in said
    said = play(
        "--opening", "rif", "--rules", "renju", "--white", f"{HERE}:First", typed="h8;h9;h10;a5;a6;q"
    ).said
    assert "First chooses: play White" in said
    assert "First chooses a5" in said or "First chooses a6" in said
    offers = play("--opening", "yamaguchi", "--black", f"{HERE}:First", typed="white;o1;q").said
    assert "First chooses: 2 fifth moves" in offers
    assert sum(line.startswith("First offers ") for line in offers) == 2


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("opening", OPENINGS)
def test_computers_play_every_opening_to_the_end(opening, lang):
    words = ("--rules", "renju", "--size", "9", "--black", "random,seed=1", "--white", "random,seed=2")
    answer = play(*words, "--opening", opening, lang=lang)
    assert (answer.status, answer.err) == (0, "")
    assert re.search(r"^(Black wins|White wins|draw|黑胜|白胜|平局)", answer.said[-1])


# -- seats


def test_computers_play_to_the_end_and_leave():
    answer = tictactoe("", "--black", f"{HERE}:First", "--white", f"{HERE}:First")
    assert answer.status == 0
    assert answers(answer) == [
        "Black plays a1",
        "White plays b1",
        "Black plays c1",
        "White plays a2",
        "Black plays b2",
        "White plays c2",
        "Black plays a3",
        "Black wins: a3 b2 c1 in a row",
    ]


def test_whoever_seats_two_computers_stays_at_the_table():
    answer = tictactoe(f"b {HERE}:First;w {HERE}:First;b human;y;a1;q")
    assert "White plays b1" in answer.said
    assert "Black (X): You, White (O): First" in answer.said
    failed = tictactoe(f"w {HERE}:Own,answer=none;b {HERE}:First;c3;q")
    assert "you now play White" in failed.said
    assert failed.status == 0


def test_a_computer_passes_where_nothing_else_is_left():
    rules = Rules(width=4, height=1, k=3, overline="foul", passing=True)
    start = Board.from_stones(["a1", "b1", "d1"], rules=rules, turn=BLACK)
    out = Typed()
    session = Session(start=start, black=tengen.player("random,seed=1"))
    assert PlainGame(session, None, "en", Typed("q\n"), out).run() == 0
    assert "\nBlack passes\n" in out.getvalue()


def test_seats_change_during_the_game():
    answer = tictactoe(f"b2;w {HERE}:First;c3;w human;q")
    assert answer.said.count("Black (X): You, White (O): First") == 1
    assert "White plays a1" in answer.said
    assert answer.said[-2:] == ["Black (X): Player 1, White (O): Player 2", "5. Black>"]


@pytest.mark.parametrize(("answer", "reason"), FAULTS.items())
def test_a_player_that_fails_hands_over_to_the_human(answer, reason):
    played = tictactoe("a1;b2;c3;q", "--white", f"{HERE}:Own,answer={answer}")
    assert played.status == 0
    assert f"White's player failed: {reason}" in played.said
    assert "you now play White" in played.said
    assert played.said[-1] == "4. White>"


@pytest.mark.parametrize(("answer", "reason"), FAULTS.items())
def test_a_game_between_computers_breaks_off_when_one_fails(answer, reason):
    words = ("--white", f"{HERE}:Own,answer={answer}", "--black", f"{HERE}:First")
    played = tictactoe("", *words)
    assert played.status == 1
    assert ("in choose" in played.err) == (answer in ("raise", "exit")), "where its own code has failed"
    assert bool(played.err) == (answer in ("raise", "exit"))
    assert played.said[-1] == f"White's player failed: {reason}"
    chinese = tictactoe("", *words, lang="zh")
    assert chinese.said[-1].startswith("白方的棋手出错：")


def test_a_player_without_a_name_is_refused():
    answer = tictactoe(f"w {HERE}:Nameless;b2")
    assert f"'{HERE}:Nameless' is not a player: expected a name, choose() and explain()" in answer.said


# -- saving and loading


def test_a_saved_game_goes_on_in_another_process(tmp_path):
    saved = process("play", "--rules", "tictactoe", typed="b2\na1\ns game.json\nq\n", cwd=tmp_path)
    assert "saved to game.json" in saved.said
    loaded = process("play", "--load", "game.json", typed="u\nq\n", cwd=tmp_path)
    assert loaded.boards[0] == " . . .\n . X .\n[O]. ."
    assert "1 stone taken back; White has 4 take-backs left" in loaded.said
    assert loaded.boards[-1] == " . . .\n .[X].\n . . ."


def test_a_game_is_saved_and_loaded_within_the_game():
    answer = tictactoe("b2;S game.json;a1;ｌ game.json;c3;q")
    assert "loaded game.json" in answer.said
    assert answer.boards[-1] == " . .[O]\n . X .\n . . ."


def test_names_of_files_are_left_as_they_are(tmp_path):
    tictactoe("保存 对局（１） ABC.json;q", lang="zh")
    assert [path.name for path in tmp_path.iterdir()] == ["对局（１） ABC.json"]
    assert "已读取 对局（１） ABC.json" in tictactoe("读取 对局（１） ABC.json;q", lang="zh").said


def test_a_damaged_file_does_not_disturb_the_game(tmp_path):
    tictactoe("b2;s game.json;q")
    text = (tmp_path / "game.json").read_text()
    (tmp_path / "half.json").write_text(text[: len(text) // 2])
    (tmp_path / "other.json").write_text("{}")
    (tmp_path / "picture").write_bytes(b"\x89PNG\r\n\x1a\n\xff")
    answer = tictactoe("c3;l half.json;l other.json;l picture;l .;b2;q")
    assert any("the saved game is damaged at line 1, column" in line for line in answer.said)
    assert "this is not a saved game of Tengen" in answer.said
    assert "picture cannot be read: it is not a text file" in answer.said
    assert ". cannot be read: it is a folder" in answer.said
    assert answer.boards[-1] == " . . X\n .[O].\n . . ."


def test_another_game_after_loading_is_like_the_loaded_one():
    play("--rules", "mnk:4,3,3", "--white", f"{HERE}:First", typed="b2;s game.json;q")
    answer = play("--load", "game.json", typed="c2;d2;y;q")
    assert answer.out.count("Tengen: custom rules, 4x3, 3 in a row") == 2
    assert answer.out.count("Black (X): You, White (O): First") == 2


# -- every session a face may meet


MEANINGS = [pair.split("=") for lang in LANGUAGES for pair in catalogue(lang)["plain.words"].split()]
LEAVING = {"q", "n"} | {word for word, meaning in MEANINGS if meaning in ("q", "n")}

POINTS = ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3", "1 1", "0 2", "--")
COMMANDS = (
    "?",
    "u",
    "h",
    "r",
    "d",
    "c",
    "p",
    "y",
    "n",
    "new",
    "b",
    "w",
    "s",
    "l",
    "认输",
    "悔棋",
    "提示",
    "",
)
SEATS = (
    "w random",
    "b random",
    "w shapes",
    "w human",
    "b human",
    "w x:y",
    "s game",
    "l game",
    "s .",
    "l .",
)
CHOICES = ("e5", "e6", "e7", "d4", "f3", "a9", "i9", "black", "white", "b", "place", "offer", "1", "2")

LINES = st.one_of(
    st.sampled_from(POINTS),
    st.sampled_from(COMMANDS),
    st.sampled_from(SEATS),
    # No file is to be written anywhere but in the folder of the test.
    st.text(max_size=12).filter(
        lambda text: not set("/\\~\n\r") & set(unicodedata.normalize("NFKC", text))
    ),
)


@given(
    st.lists(LINES, max_size=20),
    st.sampled_from(("tictactoe", "mnk:3,2,2", "mnk:1,1,1", "mnk:2,9,3")),
    st.sampled_from(("forbidden", "loses", "claimed")),
    st.sampled_from(LANGUAGES),
)
def test_no_input_ends_the_game_but_leaving(lines, rules, fouls, lang):
    source = Typed("\n".join(lines))
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        words = ("--rules", rules, "--fouls", fouls, "--passing")
        answer = run("play", *words, typed=source, lang=lang)
    assert (answer.status, answer.err) == (0, "")
    last = unicodedata.normalize("NFKC", source.last).strip().lower()
    assert source.read() == "" or last in LEAVING


@given(
    st.lists(st.one_of(LINES, st.sampled_from(CHOICES)), max_size=20),
    st.sampled_from(OPENINGS),
    st.sampled_from(LANGUAGES),
)
def test_no_input_ends_an_opening_but_leaving(lines, opening, lang):
    source = Typed("e5\ne6\ne7\n" + "\n".join(lines))
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        words = ("--rules", "renju", "--size", "9", "--opening", opening)
        answer = run("play", *words, typed=source, lang=lang)
    assert (answer.status, answer.err) == (0, "")
    last = unicodedata.normalize("NFKC", source.last).strip().lower()
    assert source.read() == "" or last in LEAVING


@pytest.mark.parametrize(
    "line",
    [
        "h8",
        "H 8",
        "h-8",
        "(h,8)",
        "1. h8",
        "h8!",
        "8h",
        "Ｈ８",
        "\ufeffh8\u200b",
        "h八",
        "8 8",
        "8,8",
        "8-8",
        "(8,8)",
        "8八",
    ],
)
def test_a_point_in_the_ways_that_people_write_it(line):
    from tengen.terminal.plain_dialogue import point_of

    assert point_of(Board(), line) == 112


@pytest.mark.parametrize("line", ["hh", "no", "h8 i9", "8", "1-0-1", "h", "pass", "+1", "8..8"])
def test_what_names_no_point_is_refused(line):
    from tengen.terminal.plain_dialogue import point_of

    with pytest.raises(TengenError):
        point_of(Board(), line)
