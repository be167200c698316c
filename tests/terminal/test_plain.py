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
from tengen.terminal.plain_dialogue import point_of
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


TRANSCRIPTS = """
    ## Two people learn how to play a computer
    $ ttt: w random,seed=1;b2
    Black (X): Player 1, White (O): Player 2
    Two people play here; w {ADVISER} lets a computer play White.
    Black (X): You, White (O): Random
    > 3. Black>

    ## Rules of one's own are called custom
    $ --rules mnk:4,3,3:
    Tengen: custom rules, 4x3, 3 in a row
    $ zh --rules mnk:4,3,3:
    Tengen 天元：自定规则，4x3，3 子连线

    ## Leaving in Chinese
    $ zh ttt: 退出;a1
    ! 2. 白>

    ## Rows count from the top and columns from the left
    $ ttt: 1 3
    | . .[X]/ . . ./ . . .
    $ ttt: 3 1
    | . . ./ . . ./[X]. .
    $ --rules mnk:4,2,2: 1 4
    | . . .[X]/ . . . .

    ## An occupied point is refused
    $ ttt: b2;b2;2 2;q
    2x b2 is occupied
    > 2. White>

    ## Row 0 is not the last row (a fault of O4)
    $ ttt: 0 1;1 1;1 1;q
    |[X]. ./ . . ./ . . .
    a3 is occupied

    ## Games to the end
    $ --rules mnk:7,6,4: a1;a2;b1;b2;c1;c2;d1
    Black wins: a1 b1 c1 d1 in a row
    $ ttt: {DRAW}
    draw: the board is full
    $ zh ttt: {DRAW}
    平局：棋盘已满
    $ zh ttt --passing: a1;p;b2;c3;p;停着;n
    棋盘上有三枚棋子之后才可以停着
    平局：双方停着

    ## The winner against a computer is told
    $ ttt --white {First}: a3;b3;c3;q
    You win!
    $ --rules mnk:5,3,3 --black {First}: a3;e3;q
    Black wins: a1 b1 c1 in a row
    You lose.
    $ ttt: {WIN}
    ! You lose.

    ## Another game is offered
    $ ttt: {WIN};y;b2;q
    2x Tengen: tic-tac-toe
    | . . ./ .[X]./ . . .
    $ zh ttt: {WIN};是;退出
    2x Tengen 天元：井字棋
    $ zh ttt: {WIN};否;b2
    > 再来一局（y/n）？

    ## After the end there is still something to do
    $ ttt: {WIN};;maybe;b2;h;r;d;s end.json;u;c3;q
    5x The game is over: y plays another, n quits, u takes back, s FILE saves.
    saved to end.json
    1 stone taken back; Black has 4 take-backs left
    | . .[X]/ X O ./ X O .

    ## Another game is like the last one
    $ --rules renju --size 9 --fouls loses --opening swap --take-backs 2 --white random,seed=2: {AGAIN}
    2x Tengen: renju, 9x9, 5 in a row
    2x Opening rule: Swap
    2x Black loses by committing a foul.
    1 stone taken back; Black has 1 take-back left
    1 stone taken back; Black has 0 take-backs left
    > You: place stone 1 (Black) anywhere>

    ## New asks before it drops a game
    $ ttt: a1;new;n;b1;new;y;c1
    2x Abandon this game and start another (y/n)?
    | . . ./ . . ./ . .[X]
    $ ttt: new;a1
    ! Abandon

    ## Reasons come from an adviser where there is no computer
    $ ttt: b2;why
    {WHY}
    > 2. White>
    $ ttt --hints {Own},answer=none: why;b2
    > 2. White>

    ## Hints
    $ ttt: h
    hint: b2
    $ ttt --white {First}: h
    hint: a1
    $ zh ttt --hints {First}: 提示
    提示：a1
    $ --opening swap2 --hints {First}: h;a1;a2;a3;h
    hint: a1
    hint: white (play White)
    $ ttt --hints {Own},answer=none: h;b2
    the player answered None, which is not a move
    > 2. White>

    ## Five take-backs a side, one stone each
    $ ttt: a1;u;a1;u;a1;u;a1;u;a1;u;a1;u;b2;u;q
    1 stone taken back; Black has 4 take-backs left
    1 stone taken back; Black has 3 take-backs left
    1 stone taken back; Black has 2 take-backs left
    1 stone taken back; Black has 1 take-back left
    1 stone taken back; Black has 0 take-backs left
    no take-backs are left
    1 stone taken back; White has 4 take-backs left

    ## Take-backs can be none, or unlimited
    $ ttt: u
    there is no stone to take back
    $ zh ttt: 悔棋
    没有可以悔的棋
    $ ttt --take-backs 0: a1;u
    no take-backs are left
    $ ttt --take-backs unlimited: a1;u;a1;u;a1;u;a1;u;a1;u;a1;u;a1;u
    7x 1 stone taken back

    ## Against a computer a round is taken back, even if it came later; its first stone alone stays
    $ ttt --white {First}: b2;u;c3;q
    2 stones taken back; Black has 4 take-backs left
    | . . X/ . . ./[O]. .
    $ ttt: b2;w {First};u;c3;q
    2 stones taken back; Black has 4 take-backs left
    | . . X/ . . ./[O]. .
    $ ttt: b {First};u;q
    1x Black plays a1
    there is no stone to take back

    ## Resigning is confirmed, and never by the end of the input
    $ ttt: r;n;b2;resign;yes;q
    2x Resign (y/n)?
    Black wins: White resigned
    $ zh ttt: 认输;是
    白胜：黑认输
    $ ttt: b2;r
    ! wins

    ## Draws
    $ ttt: b2;d;y;n
    1x White offers a draw: accept (y/n)?
    draw by agreement
    $ zh ttt: d;no;d;b2;d;谢绝
    2x 已谢绝↵
    提和已被谢绝：走过一步后才能再提
    $ ttt --white {First}: d
    the computer declines the draw
    $ ttt: b2;a1;a2;c2;b3;b1;c1;a3;w {First};d
    draw by agreement

    ## Fouls are drawn, for Black alone, and a forbidden move says why
    $ --rules renju: {FOUL};h8;q
    1x ↵ 8  . . . . . X X ! . . . . . . .↵
    ! marks points where Black would commit a foul
    h8 is forbidden to Black: three-three, formed by f8 g8 h8, h6 h7 h8
    > 9. Black>
    $ zh --rules renju: {FOUL};8 8
    h8 是黑方的禁手：三三禁手，由 f8 g8 h8、h6 h7 h8 构成
    $ --rules renju: {FOUL};a1;q
    1x ! marks points

    ## A foul that loses
    $ --rules renju --fouls loses: {FOUL};h8;q
    Black loses by committing a foul.
    White wins: foul by Black, three-three: f8 g8 h8, h6 h7 h8
    1x ↵ 8  . . . . .!X!X!X!. . . . . . .↵

    ## A foul that is claimed
    $ --rules renju --fouls claimed: {FOUL};c;h8;c;q
    Black loses by a foul if White claims it (c) before playing on.
    there is no foul to claim
    White wins: foul by Black, three-three: f8 g8 h8, h6 h7 h8
    $ --rules renju --fouls claimed: {FOUL};h8;a1;c;q
    there is no foul to claim
    ! wins
    $ --rules renju --fouls claimed: {FOUL};w random,seed=1;c;q
    only White may claim a foul
    > 9. Black>
    $ zh --rules renju --fouls claimed: {FOUL};w {First};h8;q
    白胜：黑犯三三禁手：f8 g8 h8、h6 h7 h8
    你输了。

    ## Colours change hands
    $ --opening swap: h8;i9;j10;black;q
    Black (X): Player 2, White (O): Player 1
    > 4. White>
    $ zh --opening swap2: h8;i9;j10;黑;q
    1x   black：执黑
    玩家 2：请选择：black/white/place>
    黑（X）：玩家 2、白（O）：玩家 1

    ## A choice that is none shows those there are
    $ --opening swap2: h8;i9;j10;;h8;black 2;blackish;8 8;?;p;q
    4x is not an option here: expected one of black, white, place
    'h8' is not an option here: expected one of black, white, place
    'black 2' is not an option here: expected one of black, white, place
    'blackish' is not an option here: expected one of black, white, place
    '8 8' is not an option here: expected one of black, white, place
    2x   place: place two more stones and let the opponent choose
    > Player 2: place stone 4 (White) anywhere>

    ## A number is typed whole
    $ --opening yamaguchi: h8;h9;h10;0;11;1 0;１０;black;q
    '0' is not an option here: expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    '11' is not an option here: expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    '1 0' is not an option here: expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    > Player 1: place stone 4 (White) anywhere>

    ## A point that the opening does not allow
    $ --opening pro: a1;h8;a1;h9;p;8 9;a8;q
    a1 is not allowed: stone 1 goes on the centre
    h9 is not allowed: stone 3 goes outside the central 5x5
    passing is not allowed in the opening
    > 4. White>

    ## A computer opens and says what it does
    $ --opening rif --rules renju --black {First}: black;a5;a6;a1;q
    First places Black on h8
    First places White on h7
    $ --opening rif --rules renju --white {First}: h8;h9;h10;a5;a6;q
    First chooses: play White
    1x ↵First chooses a
    $ --opening yamaguchi --black {First}: white;o1;q
    First chooses: 2 fifth moves
    2x ↵First offers

    ## Seats change during the game
    $ ttt: b2;w {First};c3;w human;q
    1x Black (X): You, White (O): First
    White plays a1
    Black (X): Player 1, White (O): Player 2
    > 5. Black>
    $ ttt: b {First};w {First};b human;y;a1;q
    White plays b1
    Black (X): You, White (O): First
    $ ttt: w {Own},answer=none;b {First};c3;q
    you now play White
    $ ttt: w {Nameless};b2
    '{Nameless}' is not a player: expected a name, choose() and explain()

    ## A game is saved and loaded, and another one is like it
    $ ttt: b2;S game.json;a1;ｌ game.json;c3;q
    loaded game.json
    | . .[O]/ . X ./ . . .
    $ --rules mnk:4,3,3 --white {First}: b2;s game.json;q
    $ --load game.json: c2;d2;y;q
    2x Tengen: custom rules, 4x3, 3 in a row
    2x Black (X): You, White (O): First
"""
"""Games as typed. A line with ``$`` is a command and what is typed; ``ttt`` is tic-tac-toe, ``zh`` Chinese.

After it come lines that it says; ``2x`` counts a text in the output (``↵`` ends a line), ``!`` is a text
that is not there, ``>`` is the last line, ``|`` the last board, its rows between strokes. The status is 0.
"""

NAMES = {
    "ADVISER": ADVISER,
    "AGAIN": "e5;u;e5;e6;e4;white;r;y;y;e5;u;u;e5;u",
    "WHY": say("app.why", who="Shapes (O5)"),
    "DRAW": DRAW,
    "FOUL": FOUL,
    "WIN": WIN,
    **{player: f"{HERE}:{player}" for player in ("First", "Own", "Nameless")},
}


@pytest.mark.parametrize(
    "transcript", re.split(r"\s*## ", TRANSCRIPTS)[1:], ids=lambda text: text.split("\n")[0]
)
def test_a_game_as_typed(transcript):
    answer = Answer(0, "", "")
    for line in filter(None, map(str.strip, transcript.format(**NAMES).split("\n")[1:])):
        sign, _, text = line.partition(" ")
        if sign == "$":
            words, _, typed = text.partition(": ") if ": " in text else (text[:-1], "", "")
            options = [word for word in words.replace("ttt", "--rules tictactoe").split() if word != "zh"]
            answer = play(*options, typed=typed, lang="zh" if words.startswith("zh") else "en")
            assert answer.status == 0
        elif re.fullmatch(r"[0-9]x", sign):
            assert answer.out.count(text.replace("↵", "\n")) == int(sign[0]), text
        elif sign == ">":
            assert answer.said[-1] == text
        elif line.startswith("|"):
            assert answer.boards[-1] == line[1:].replace("/", "\n")
        elif sign == "!" and not text.startswith("marks"):
            assert text not in answer.out
        else:
            assert line in answer.said


# -- the way in and out


def test_the_greeting_says_what_is_played_and_by_whom():
    greeting = play("--rules", "renju", "--white", "random,seed=1").said
    assert greeting == [
        "Tengen: renju, 15x15, 5 in a row",
        "Black (X): You, White (O): Random",
        "Type h8, or row and column from the top left: 8 8; ? lists all commands.",
        "1. Black>",
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_greeting_fits_a_narrow_terminal(lang):
    for words in (
        (),
        ("--rules", "renju", "--fouls", "claimed", "--opening", "taraguchi-10", "--size", "19"),
    ):
        for line in play(*words, typed="?;h", lang=lang).out.splitlines():
            wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in line)
            assert len(line) + wide <= 80, line


@pytest.mark.parametrize("leave", ["q", "Q", "ｑ", "quit", "exit", "a1;q;a2", "", "b2"])
def test_q_or_the_end_of_the_input_quits(leave):
    answer = tictactoe(leave)
    assert (answer.status, answer.err) == (0, "")
    assert "\nBlack wins" not in answer.out


# -- moves


@pytest.mark.parametrize(
    "typed", ["a3", "A3", "ａ３", "1 1", "1,1", " 1   1 ", "1, 1", "１ １", "１　１", "\ta3"]
)
def test_ways_to_name_a_point(typed):
    answer = tictactoe(typed)
    assert answer.boards[-1] == "[X]. .\n . . .\n . . ."
    assert answer.said[-1] == "2. White>"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("z99", "z99 is off the 3x3 board, whose points run from a1 to c3"),
        ("a0", "a0 is off the 3x3 board, whose points run from a1 to c3"),
        ("0 1", "row 0, column 1 is off the board: rows are 1 to 3, columns 1 to 3"),
        ("1 0", "row 1, column 0 is off the board: rows are 1 to 3, columns 1 to 3"),
        ("4 1", "row 4, column 1 is off the board: rows are 1 to 3, columns 1 to 3"),
        ("", "Type b2, or row and column from the top left: 2 2; ? lists all commands."),
        ("hello", "'hello' is neither a point such as b2 nor a command: see ?"),
        ("q b2", "'q b2' is neither a point such as b2 nor a command: see ?"),
        ("b2 please", "'b2 please' is neither a point such as b2 nor a command: see ?"),
        ("\0\x1b[A", "'[A' is neither a point such as b2 nor a command: see ?"),
        ("x" * 100_000, f"'{'x' * 20}...' is neither a point such as b2 nor a command: see ?"),
        ("9" * 5000 + " 1", f"'{'9' * 20}...' is neither a point such as b2 nor a command: see ?"),
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
        ("w random,speed=2", "player 'random,speed=2' has no setting 'speed': expected one of seed"),
    ],
)
def test_bad_input_is_explained_and_changes_nothing(typed, said):
    answer = tictactoe(f"{typed};c1;q")
    assert answer.status == 0
    assert said in answer.said
    assert "X" in answer.boards[-1].splitlines()[2], "the next move was played"


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


# -- another game


@pytest.mark.parametrize("no", ["n", "no", "N", "q", ""])
def test_no_other_game_leaves(no):
    answer = tictactoe(f"{WIN};{no}" if no else WIN)
    assert answer.status == 0
    assert answer.said[-1] == "Another game (y/n)?"


# -- help and hints


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_shows_every_command(lang):
    page = tictactoe("?;q", lang=lang).out
    for command in [*"uhpcdrq", "b2", "2 2", "y, n", "b SPEC", "s FILE", "l FILE", "new"]:
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


def test_a_hint_changes_nothing():
    assert tictactoe("b2;h;h;a1").boards[-1] == tictactoe("b2;a1").boards[-1]


# -- taking back, as O5 has it


def test_a_request_to_take_back_waits_for_an_answer(tmp_path):
    session = Session("tictactoe", consent=True)
    session.play("b2")
    (tmp_path / "game.json").write_text(session.to_json())
    answer = play("--load", "game.json", typed="u;n;u;y;q")
    assert answer.out.count("Black asks for a take-back: allow it (y/n)?") == 2
    assert "declined" in answer.said
    assert answer.boards[-1] == " . . .\n . . .\n . . ."


# -- fouls


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


@pytest.mark.parametrize("typed", ["black", "BLACK", "b", "bl", "ｂｌａｃｋ"])
def test_ways_to_name_a_choice(typed):
    answer = play("--opening", "swap2", typed=f"h8;i9;j10;{typed};q")
    assert "Black (X): Player 2, White (O): Player 1" in answer.said


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("opening", OPENINGS)
def test_computers_play_every_opening_to_the_end(opening, lang):
    words = ("--rules", "renju", "--size", "9", "--black", "random,seed=1", "--white", "random,seed=2")
    answer = play(*words, "--opening", opening, lang=lang)
    assert (answer.status, answer.err) == (0, "")
    assert re.search(
        r"^(Black wins|White wins|draw|黑胜|白胜|平局|Đen thắng|Trắng thắng|[Hh]òa)", answer.said[-1]
    )


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


def test_a_computer_passes_where_nothing_else_is_left():
    rules = Rules(width=4, height=1, k=3, overline="foul", passing=True)
    start = Board.from_stones(["a1", "b1", "d1"], rules=rules, turn=BLACK)
    out = Typed()
    session = Session(start=start, black=tengen.player("random,seed=1"))
    assert PlainGame(session, None, "en", Typed("q\n"), out).run() == 0
    assert "\nBlack passes\n" in out.getvalue()


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


# -- saving and loading


def test_a_saved_game_goes_on_in_another_process(tmp_path):
    saved = process("play", "--rules", "tictactoe", typed="b2\na1\ns game.json\nq\n", cwd=tmp_path)
    assert "saved to game.json" in saved.said
    loaded = process("play", "--load", "game.json", typed="u\nq\n", cwd=tmp_path)
    assert loaded.boards[0] == " . . .\n . X .\n[O]. ."
    assert "1 stone taken back; White has 4 take-backs left" in loaded.said
    assert loaded.boards[-1] == " . . .\n .[X].\n . . ."


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
    assert "other.json: this is not a saved game of Tengen" in answer.said
    assert "picture cannot be read: it is not a text file" in answer.said
    assert ". cannot be read: it is a folder" in answer.said
    assert answer.boards[-1] == " . . X\n .[O].\n . . ."


# -- every session a face may meet


MEANINGS = [pair.split("=") for lang in LANGUAGES for pair in catalogue(lang)["plain.words"].split()]
LEAVING = {"q", "n"} | {word for word, meaning in MEANINGS if meaning in ("q", "n")}

POINTS = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3", "1 1", "0 2", "--"]
COMMANDS = [*"?uhrdcpynbwsl", "new", "认输", "悔棋", "提示", ""]
SEATS = ["w random", "b random", "w shapes", "w human", "b human", "w x:y"]
FILES = ["s game", "l game", "s .", "l ."]
CHOICES = ["e5", "e6", "e7", "d4", "f3", "a9", "i9", "black", "white", "b", "place", "offer", "1", "2"]

LINES = st.one_of(
    st.sampled_from(POINTS),
    st.sampled_from(COMMANDS),
    st.sampled_from(SEATS + FILES),
    # No file is to be written anywhere but in the folder of the test.
    st.text(max_size=12).filter(
        lambda text: not set("/\\~\n\r") & set(unicodedata.normalize("NFKC", text))
    ),
)


def no_input_ends_but_leaving(typed, lang, *words):
    source = Typed(typed)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        answer = run("play", *words, typed=source, lang=lang)
    assert (answer.status, answer.err) == (0, "")
    last = unicodedata.normalize("NFKC", source.last).strip().lower()
    assert source.read() == "" or last in LEAVING


@pytest.mark.long
@given(
    st.lists(LINES, max_size=20).map("\n".join),
    st.sampled_from(("tictactoe", "mnk:3,2,2", "mnk:1,1,1", "mnk:2,9,3")),
    st.sampled_from(("forbidden", "loses", "claimed")),
    st.sampled_from(LANGUAGES),
)
def test_no_input_ends_the_game_but_leaving(typed, rules, fouls, lang):
    no_input_ends_but_leaving(typed, lang, "--rules", rules, "--fouls", fouls, "--passing")


@pytest.mark.long
@given(
    st.lists(st.one_of(LINES, st.sampled_from(CHOICES)), max_size=20).map("\n".join),
    st.sampled_from(OPENINGS),
    st.sampled_from(LANGUAGES),
)
def test_no_input_ends_an_opening_but_leaving(typed, opening, lang):
    words = ("--rules", "renju", "--size", "9", "--opening", opening)
    no_input_ends_but_leaving("e5\ne6\ne7\n" + typed, lang, *words)


WAYS = "h8;H 8;h-8;(h,8);1. h8;h8!;8h;Ｈ８;\ufeffh8\u200b;h八;8 8;8,8;8-8;(8,8);8八"


@pytest.mark.parametrize("line", WAYS.split(";"))
def test_a_point_in_the_ways_that_people_write_it(line):
    assert point_of(Board(), line) == 112


@pytest.mark.parametrize("line", ["hh", "no", "h8 i9", "8", "1-0-1", "h", "pass", "+1", "8..8"])
def test_what_names_no_point_is_refused(line):
    with pytest.raises(TengenError):
        point_of(Board(), line)
