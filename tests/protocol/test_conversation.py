"""The engine behind the Gomocup protocol, by both of the programs that speak it."""

from __future__ import annotations

import random
import re
import subprocess
import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tengen.game.board import Board
from tengen.game.errors import IllegalMove
from tengen.game.notation import from_gomocup, to_gomocup
from tengen.game.player import GameTime, Limit
from tengen.game.rules import Rules
from tengen.gomocup.search_reports import last_report
from tengen.players.external.external_player import External
from tengen.players.registry import player
from tests.protocol.sessions import (
    ABOUT,
    FAST,
    MOVE,
    WAIT,
    Brain,
    everything,
    game,
    heard,
    kinds,
    program_command,
    talk,
    use_native,
    without_messages,
)


@pytest.fixture(
    scope="module", autouse=True, params=["python", pytest.param("native", marks=pytest.mark.long)]
)
def program(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each of the two programs."""
    use_native(request.getfixturevalue("native_program") if request.param == "native" else None)
    yield
    use_native(None)


@pytest.fixture(scope="module")
def running() -> Iterator[Brain]:
    brain = Brain()
    yield brain
    brain.program.end()


@pytest.fixture(scope="module")
def external() -> Iterator[External]:
    with External(program_command(), ready=300) as player:
        yield player


@pytest.fixture
def brain(running: Brain) -> Brain:
    """The program at the beginning of a game, with a minute for every move."""
    running.send("INFO timeout_match 0", "INFO time_left 2147483647", "INFO timeout_turn 60000")
    running.send("INFO rule 0", "INFO max_depth 0", "INFO max_node 0")
    assert running.ask("START 15") == "OK"
    running.program.messages.clear()
    return running


# -- games


def test_a_game_from_the_beginning():
    answers = game("BEGIN", "TURN 8,8", "TURN 0,0")
    assert answers[0] == "7,7"
    assert kinds(answers) == ["x,y"] * 3
    assert len({*answers, "8,8", "0,0"}) == 5


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\n\r\n"])
def test_lines_end_as_they_like(end):
    said = heard(end.join([" start 15 ", FAST, "begin", ""]))
    assert said.split("\n")[0] == "OK"
    assert "7,7" in said


def test_who_it_is():
    assert talk("ABOUT") == [ABOUT + 'country="-", www="-", email="-"']


@pytest.mark.parametrize("size", [5, 6, 15, 20, 22])
def test_sizes(size):
    last = f"{size - 1},{size - 1}"
    assert kinds(game(f"TURN {last}", f"TURN {last}", f"TURN {size},0", size=size)) == [
        "x,y",
        "ERROR",
        "ERROR",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "START 4",
        "START 23",
        "START",
        "START x",
        "START 4 4",
        "START 15 15 15",
        "START -15",
        "START 99999999999999",
        "RECTSTART 23 23",
    ],
)
def test_sizes_that_are_not_played(line):
    # The corners are empty whatever is answered: after the end of input a busy machine answers in a hurry.
    answers = game("TURN 0,0", line, "TURN 14,14")
    assert kinds(answers) == ["x,y", "ERROR", "x,y"], "the game continues"
    assert "5 to 22" in answers[1]


def test_only_squares_are_played():
    assert talk("RECTSTART 12,12", "RECTSTART 20,15", "RECTSTART", "RECTSTART 1,1") == [
        "OK",
        "ERROR '20,15' is not a square board: expected equal width and height, such as 15,15",
        "ERROR '' is not a square board: expected equal width and height, such as 15,15",
        "ERROR '1' is not a size that can be played: expected a side from 5 to 22",
    ]
    assert game("TURN 0,0", "START 15 20", "TURN 14,14")[1] == (
        "ERROR '15 20' is not a square board: expected equal width and height, such as 15,15"
    )


def test_a_size_said_twice():
    """The original Yixin-Board always does."""
    script = ["info show_detail 1", "START 15 15", FAST, "board", "7,7,2", "done", "end"]
    assert kinds(talk(*script)) == ["OK", "x,y"]
    assert kinds(talk("START 15 15", FAST, "TURN 14,14", "TURN 15,0")) == ["OK", "x,y", "ERROR"]


def test_restart_empties_the_board():
    assert game("BEGIN", "BEGIN", "RESTART", "BEGIN") == [
        "7,7",
        "ERROR there are stones on the board: BEGIN needs an empty one",
        "OK",
        "7,7",
    ]


@pytest.mark.parametrize("line", ["BEGIN", "TURN 1,1", "RESTART", "TAKEBACK 1,1", "PLAY 1,1", "YXNBEST 1"])
def test_what_needs_a_board(line):
    assert talk(line) == ["ERROR there is no board yet: expected START first"]


def test_a_list_needs_a_board_too():
    assert kinds(talk("BOARD", "1,1,1", "DONE", "ABOUT")) == ["ERROR", 'name="Tengen",']


@pytest.mark.parametrize("line", ["TURN 7 7", "turn\t7 , 7", "Turn 7,7 if you please", "TURN  07,+7"])
def test_points_as_managers_write_them(line):
    assert kinds(game(line, "TURN 7,7")) == ["x,y", "ERROR"], "there is a stone now"


@pytest.mark.parametrize("text", ["", "7", "7;7", "a,b", "h8", "15,0", "0,15", "-1,0", "1,2,3", "1e1,1"])
def test_points_that_are_none(text):
    answers = game(f"TURN {text}", "BEGIN")
    assert kinds(answers) == ["ERROR", "x,y"], "the board is still empty"
    assert "expected x,y, each from 0 to 14" in answers[0]


def test_a_win_is_seen_and_taken():
    row = [f"{x},7,1" for x in range(3, 7)]
    others = ["0,0,2", "2,2,2", "9,0,2", "0,9,2"]
    assert game("BOARD", *row, *others, "DONE")[0] in ("2,7", "7,7")
    assert kinds(game("BOARD", *row, *others, "DONE", "TURN 14,14")) == ["x,y", "ERROR"]


def test_a_game_that_is_over():
    row = [f"{x},7,2" for x in range(3, 7)]
    own = ["0,0,1", "2,2,1", "9,0,1"]
    board = ["YXBOARD", *row, *own, "DONE"]
    over = "ERROR the game is over: there is no move to make"
    # White is to move, plays elsewhere by PLAY, and Black wins.
    answers = game(*board, "PLAY 14,14", "TURN 7,7", "TURN 1,1", "YXNBEST 1", "TAKEBACK 7,7", "TURN 13,0")
    assert answers[:5] == ["14,14", over, over, over, "OK"]
    assert kinds(answers[5:]) == ["x,y"]
    assert game("BOARD", *row, "7,7,2", *own, "1,13,1", "DONE", "BEGIN")[0] == over


# -- lists of stones


def test_a_board_and_what_it_means_for_the_colours():
    """The own stones are the mover's; five of them in a row, or one short of it, tell."""
    answers = game("BOARD", "1,1,1", "2,1,1", "3,1,1", "4,1,1", "9,9,2", "DONE")
    assert answers[0] in ("0,1", "5,1"), "more own stones than others"
    answers = game("BOARD", "1,1,2", "2,1,2", "3,1,2", "4,1,2", "0,1,1", "DONE")
    assert answers == ["5,1"], "far more others: the only defence"


def test_an_empty_board_is_begun_on():
    assert game("TURN 1,1", "BOARD", "DONE")[1] == "7,7"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["1,1"], "line 1 of BOARD: '1,1' is not a stone"),
        (["1,1,1", "x"], "line 2 of BOARD: 'x' is not a stone"),
        (["1,1,1", "1,1,2"], "line 2 of BOARD: there is a stone on 1,1"),
        (["15,1,1"], "line 1 of BOARD: '15,1' is not a point"),
        (["-1,-1,1"], "line 1 of BOARD: '-1,-1,1' is not a stone"),
        (["1,1,4"], "line 1 of BOARD: '1,1,4' is not a stone"),
        (["1,1,3"], "continuous game"),
        (["x", "y", "z"], "line 1 of BOARD: 'x' is not a stone"),
    ],
)
def test_a_faulty_board_is_one_error_and_no_move(lines, said):
    answers = game("TURN 7,7", "BOARD", *lines, "DONE", "TURN 7,7", "ABOUT")
    assert kinds(answers) == ["x,y", "ERROR", "ERROR", 'name="Tengen",'], "the position is unchanged"
    assert said in answers[1]


def test_a_board_with_blanks_and_empty_lines():
    answers = game("board", "", "7 7 2", " 8 , 8 , 1 ", "\t", "7,8\t2", "done", "TAKEBACK 7 7")
    assert kinds(answers) == ["x,y", "ERROR"]
    assert answers[1].startswith("ERROR 7,7 is not the last move")


def test_info_and_stop_do_not_break_a_list_off():
    stones = ["1,1,1", "INFO time_left 500", "2,1,1", "3,1,1", "STOP", "INFO rule 2", "4,1,1", "9,9,2"]
    assert game("BOARD", *stones, "DONE")[0] in ("0,1", "5,1")


def test_a_board_that_is_broken_off():
    answers = game("BOARD", "1,1,1", "ABOUT", "2,2,2", "DONE", "BEGIN")
    assert kinds(answers) == ["ERROR", 'name="Tengen",', "x,y"]
    assert answers[0] == "ERROR BOARD was interrupted by ABOUT: expected stones and then DONE"
    assert kinds(game("BOARD", "1,1,1", "RESTART", "DONE", "BEGIN", "DONE")) == [
        "ERROR",
        "OK",
        "x,y",
        "ERROR",
    ]


def test_stones_are_taken_back():
    assert game("BEGIN", "TAKEBACK 6,6", "TAKEBACK 7,7", "TAKEBACK 7,7", "BEGIN") == [
        "7,7",
        "ERROR there is no stone on 6,6 to take back",
        "OK",
        "ERROR there is no stone on 7,7 to take back",
        "7,7",
    ]
    assert game("BEGIN", "PLAY 0,0", "TAKEBACK 7,7", "TAKEBACK 0,0")[2:] == [
        "ERROR 7,7 is not the last move, which was 0,0",
        "OK",
    ]


def test_stones_of_a_list_are_taken_back_in_any_order():
    """Only renju has them in the order played."""
    answers = game("BOARD", "1,1,2", "9,9,1", "2,2,2", "DONE", "TAKEBACK 9,9")
    assert kinds(answers) == ["x,y", "ERROR"], "the last move is known"
    set_up = ("YXBOARD", "1,1,2", "9,9,1", "2,2,2", "DONE")
    assert game(*set_up, "TAKEBACK 1,1", "TAKEBACK 2,2", "TAKEBACK 9,9", "BEGIN") == ["OK"] * 3 + ["7,7"]


# -- rules


@pytest.mark.parametrize("rule", [2, 3, 6, 10, 12, 13, 16, 20, -1])
def test_rules_that_are_not_played(rule):
    """INFO never costs a move: what can be played is, and it is said once."""
    said = everything("START 15", FAST, f"INFO rule {rule}", "BEGIN", "TURN 1,1")
    assert kinds(without_messages(said)) == ["OK", "x,y", "x,y"]
    told = [line for line in said if line.startswith(f"MESSAGE INFO rule {rule} is ")]
    assert len(told) == 1
    assert said.index(told[0]) == 1, "before the answer of the next command, not as one of INFO"


def test_rules_that_are_played_in_part():
    """Renju in a continuous game is renju."""
    assert game("YXBOARD", *FOUL, "DONE", "YXSHOWFORBID", rule=6) == ["FORBID 0607."]
    # Renju and caro at once are nothing, so that renju stays.
    both = game("INFO rule 12", "YXBOARD", *FOUL, "DONE", "YXSHOWFORBID", rule=4)
    assert both == ["FORBID 0607."]


def test_yixin_says_2_for_renju():
    assert talk("INFO caution_factor 1", "INFO rule 2", "START 15") == ["OK"]


@pytest.mark.parametrize(
    ("rule", "wins"), [(0, True), (1, False), (4, False), (5, False), (8, True), (9, False)]
)
def test_six_in_a_row(rule, wins):
    """Black, who is to move, could make six; what is left of the row is closed."""
    own = [f"{x},7,1" for x in (4, 5, 6, 8, 9)]
    others = ["3,7,2", "10,7,2", "0,0,2", "13,2,2", "2,13,2"]
    assert (game("BOARD", *own, *others, "DONE", rule=rule) == ["7,7"]) is wins


FOUL = ["7,7,1", "0,0,2", "8,7,1", "14,0,2", "6,8,1", "0,14,2", "6,9,1", "14,14,2"]
"""Black, who is to move, would make a double three at 6,7."""


def test_fouls():
    assert game("YXBOARD", *FOUL, "DONE", "YXSHOWFORBID", rule=4) == ["FORBID 0607."]
    assert game("YXBOARD", *FOUL, "DONE", "YXSHOWFORBID") == ["FORBID ."]
    assert game("YXBOARD", *sorted(FOUL), "-1,-1,2", "DONE", "YXSHOWFORBID", rule=4) == ["FORBID 0607."]
    others = [f"{line[:-1]}{3 - int(line[-1])}" for line in FOUL]
    assert game("YXBOARD", *others, "DONE", "YXSHOWFORBID", rule=4) == ["FORBID ."], "they are White's"


def test_a_foul_of_the_other_side_is_let_stand():
    answers = game("YXBOARD", *FOUL, "DONE", "TURN 6,7", "TURN 6,7", rule=4)
    assert kinds(answers) == ["x,y", "ERROR"]


def test_the_rule_may_come_after_start():
    answers = game("TURN 7,7", "INFO rule 4", "TURN 0,0", "TAKEBACK 0,0")
    assert kinds(answers) == ["x,y", "x,y", "ERROR"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("rule", "rules"),
    [
        (0, Rules.named("freestyle", 9)),
        (1, Rules.named("standard", 9)),
        (4, Rules.named("renju", 9)),
        (8, Rules.named("caro", 9, overline="wins")),
        (9, Rules.named("caro", 9)),
    ],
)
def test_whole_games(external, rule, rules):
    """Against a textbook player; by moves, and by BOARD where a program is asked out of turn."""
    board, other = Board(rules), player("shapes")
    colour = 1 + rule % 2
    while board.outcome() is None:
        mover = external if board.turn == colour else other
        board.push(mover.choose(board, Limit(nodes=400)).point)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner != 3 - colour, "it does not lose to a player that does not look ahead"
    assert external.noise == 0


@pytest.mark.long
def test_a_limit_and_a_clock(external):
    """The player that other programs are to Tengen keeps to what it is told."""
    board = Board.from_moves("h8i9g7")
    clock = GameTime(10, 2, 0.1, 1)
    for limit in (Limit(0.2), Limit(0.1, time=clock)):
        choice = external.choose(board, limit)
        assert choice.point in board.legal_points()
        assert choice.score is not None
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    assert external.choose(board, Limit(60), stop).seconds < 30, "INFO takes its time away"


# -- time and control


@pytest.mark.long
def test_a_bound_on_nodes_and_depth(brain):
    brain.send("INFO max_depth 4")
    brain.ask("TURN 7,7")
    assert brain.program.messages[-1].startswith("depth 4 ")
    brain.send("INFO max_depth 0", "INFO max_node 2000")
    brain.ask("TURN 0,0")
    score, nodes = last_report(brain.program.messages)
    assert score is not None
    assert 0 < nodes <= 2100


def test_reports(brain):
    brain.send("INFO max_depth 6")
    brain.ask("BOARD", "7,7,2", "8,8,1", "7,8,2", "DONE")
    form = r"depth \d+ ev ([+-]?\d+|[+-]M\d+) n \d+ nps \d+ tm \d+ pv( [a-o]\d+)+"
    reports = list(brain.program.messages)
    assert reports
    assert all(re.fullmatch(form, text) for text in reports)


def test_stop_is_answered_with_the_best_so_far(brain):
    for stop in ("STOP", "YXSTOP"):
        brain.send("RESTART", "TURN 7,7")
        assert brain.answer() == "OK"
        brain.thinks()
        assert MOVE.fullmatch(brain.ask(stop))
        brain.send(stop)  # too late
        assert brain.silent()


def test_stop_at_once_still_gives_a_thought(brain):
    answer = brain.ask(
        "BOARD", "7,7,2", "7,8,2", "7,9,2", "7,10,2", "0,0,1", "7,6,1", "1,1,1", "DONE", "STOP"
    )
    assert answer == "7,11", "the only defence"


def test_commands_wait_for_their_turn(brain):
    brain.send("TURN 7,7")
    brain.thinks()
    brain.send("TAKEBACK 7,7", "INFO max_node 1000", "BOARD", "1,1,2", "DONE", "WHAT", "STOP")
    answers = [brain.answer() for _ in range(4)]
    assert kinds(answers) == ["x,y", "ERROR", "x,y", "UNKNOWN"]


@pytest.mark.long
def test_limits_that_change_meanwhile(brain):
    for info in ("timeout_turn 0", "timeout_turn 200", "max_depth 3", "max_node 10", "time_left 0"):
        brain.send(
            "INFO time_left 2147483647", "INFO timeout_turn 60000", "INFO max_depth 0", "INFO max_node 0"
        )
        brain.send("RESTART", "TURN 7,7")
        assert brain.answer() == "OK"
        brain.thinks()
        assert MOVE.fullmatch(brain.ask(f"INFO {info}")), info


@pytest.mark.long
def test_more_time_meanwhile(brain):
    brain.send("INFO timeout_turn 1000", "TURN 7,7", "INFO timeout_turn 60000")
    brain.thinks()
    assert brain.program.receive(1.2) is None, "the second is over, and it thinks on"
    assert MOVE.fullmatch(brain.ask("STOP"))


def test_time_runs_out_for_the_whole_game(brain):
    brain.send("INFO timeout_turn 600000", "INFO timeout_match 1000")
    for left in (200, 0, -500):
        assert MOVE.fullmatch(brain.ask(f"INFO time_left {left}", "RESTART", "BEGIN")) is None  # the OK
        assert MOVE.fullmatch(brain.answer())
        assert MOVE.fullmatch(brain.ask(f"INFO time_left {left}", "TURN 0,0"))


ODD_INFO = [
    "",
    "timeout_turn",
    "timeout_turn soon",
    "timeout_turn 10 000",
    "timeout_match -0.5",
    "max_memory 0",
    "max_memory " + "9" * 40,
    "max_memory -1",
    "game_type 7",
    "game_type human",
    "rule",
    "rule x",
    "rule 2",
    "rule 255",
    "folder C:\\My Games\\brain",
    "folder",
    "evaluate 99,99",
    "evaluate",
    "thread_num 0",
    "thread_num 1e9",
    "time_left 2147483647.0",
    "nothing at all",
    "=",
    "棋 盘",
]


@pytest.mark.long
def test_info_never_costs_a_move():
    """Whatever it says, it is not answered, and the next command is obeyed."""
    lines = [f"INFO {text}" for text in ODD_INFO]
    assert kinds(game(*lines, "BEGIN", *lines, "TURN 0,0", *lines, "RESTART")) == ["x,y", "x,y", "OK"]
    for line in lines:
        assert kinds(game(line, "TURN 0,0")) == ["x,y"], line


def test_info_that_makes_no_sense(brain):
    brain.program.messages.clear()
    brain.send("INFO", "INFO nothing 1", "INFO timeout_turn soon", "INFO max_memory much")
    brain.send("INFO max_memory 0", "INFO timeout_turn 60000.5", "INFO max_depth four")
    assert brain.silent(), "INFO is not answered"
    assert brain.ask("BEGIN") == "7,7"
    told = [text for text in brain.program.messages if "INFO" in text]
    assert told == ["INFO max_depth 'four' is ignored: expected a number"], "others were said better since"


def test_amounts_below_zero_are_reported_at_the_next_command(brain):
    brain.program.messages.clear()
    brain.send("INFO timeout_match -5", "INFO max_memory -1", "INFO max_node -1", "INFO time_left -1")
    brain.send("INFO max_memory 0", "INFO time_left 2147483647")
    assert brain.silent(), "INFO is not answered"
    assert brain.ask("BEGIN") == "7,7"
    told = [text for text in brain.program.messages if "INFO" in text]
    assert told == ["INFO timeout_match '-5' is taken as 0: expected a number of at least 0"]


def test_times_longer_than_any_timer_takes(brain):
    for key in ("timeout_turn", "timeout_match", "time_left", "time_increment"):
        brain.send("RESTART", f"INFO {key} {'9' * 18}", "TURN 7,7")
        assert brain.answer() == "OK"
        brain.thinks()
        assert MOVE.fullmatch(brain.ask("STOP")), key


def test_nbest_leaves_the_board_alone(brain):
    brain.send("INFO max_depth 4", "YXBOARD", "7,7,2", "8,8,1", "8,7,2", "DONE", "YXHASHCLEAR")
    assert MOVE.fullmatch(brain.ask("YXNBEST 3"))
    assert {text[:3] for text in brain.program.messages} == {"(1)", "(2)", "(3)"}
    assert "expected 1 to 50" in brain.ask("YXNBEST 0")
    assert brain.ask("TAKEBACK 8,7") == "OK"


@pytest.mark.long
@pytest.mark.parametrize("when", ["idle", "thinking"])
def test_end(when):
    brain = Brain()
    assert brain.ask("START 15") == "OK"
    if when == "thinking":
        brain.send("INFO timeout_turn 60000", "TURN 7,7")
        brain.thinks()
    brain.send("END")
    assert brain.program.wait(WAIT) == 0
    with pytest.raises(Exception, match=r"^$"):  # the output has ended, and nothing more was said
        brain.program.receive(WAIT)
    brain.program.end()


def test_a_script_is_answered_to_its_end():
    answers = talk("START 15", "INFO timeout_turn 60000", "TURN 7,7", "TURN 0,0", "END", "ABOUT")
    assert kinds(answers) == ["OK", "x,y", "x,y"]


@pytest.mark.long
@pytest.mark.parametrize("end", ["\n", ""])
def test_the_last_line_of_a_script_need_not_end(end):
    script = f"START 15\n{FAST}\nBEGIN\nEND{end}"
    done = subprocess.run(
        program_command().split(), input=script, text=True, capture_output=True, check=True
    )
    said = [line for line in done.stdout.splitlines() if not line.startswith("MESSAGE ")]
    assert said == ["OK", "7,7"]


# -- swap2


def test_swap2_opens_with_three_stones():
    for size, rule in ((15, 0), (20, 0), (15, 1), (15, 4), (5, 0)):
        (answer,) = game("SWAP2BOARD", "DONE", size=size, rule=rule)
        stones = answer.split(" ")
        assert len(set(stones)) == 3
        places = [map(int, stone.split(",")) for stone in stones]
        points = [from_gomocup(x, y, size, size) for x, y in places]
        assert Board.from_moves(points, Rules.named("freestyle", size)).outcome() is None


def test_swap2_takes_the_better_side():
    strong = ["7,7", "0,0", "8,8"]  # two black stones side by side in the centre, White's in the corner
    assert game("SWAP2BOARD", *strong, "DONE") == ["SWAP"]
    weak = ["0,0", "7,7", "14,14"]
    assert kinds(game("SWAP2BOARD", *weak, "DONE", "TURN 1,1")) == ["x,y", "x,y"]
    # With five stones White, who is to move, has an open three against nothing, or the other way round.
    assert kinds(game("SWAP2BOARD", "0,0", "7,7", "14,14", "8,8", "14,0", "DONE")) == ["x,y"]
    assert game("SWAP2BOARD", "7,7", "0,0", "8,8", "14,14", "9,9", "DONE") == ["SWAP"]


@pytest.mark.parametrize(
    "stones", [["1,1"], ["1,1", "2,2"], ["1,1"] * 3, ["1,1", "2,2", "3,3", "4,4"], ["x"] * 3]
)
def test_swap2_with_other_stones(stones):
    assert kinds(game("SWAP2BOARD", *stones, "DONE", "BEGIN")) == ["ERROR", "x,y"]


# -- whatever comes


def test_unknown_commands_are_said_to_be():
    # A line of nothing but characters that nobody sees is an empty one.
    assert talk("HELLO world", "12", "DATABASE" * 100, "\x07") == [
        "UNKNOWN HELLO world",
        "UNKNOWN 12",
        f"UNKNOWN {('DATABASE' * 100)[:60]}...",
    ]


WORDS = st.sampled_from(
    ["START", "BOARD", "DONE", "TURN", "TAKEBACK", "INFO", "SWAP2BOARD", "YXBOARD", "PLAY", "STOP", "BEGIN"]
)
VALUES = st.one_of(
    st.sampled_from(
        ["", "5", "6", "1,1", "2,2,1", "3,3,2", "rule 4", "rule 9", "max_node 5", "timeout_turn 0"]
    ),
    st.text(max_size=6),
)


@pytest.mark.long
@settings(max_examples=40)
@given(st.lists(st.builds("{} {}".format, WORDS, VALUES) | VALUES, max_size=12))
def test_no_lines_break_it(commands):
    answers = talk(FAST, "START 5", *(text.replace("END", "") for text in commands), "DONE", "ABOUT")
    assert answers[-1].startswith(ABOUT)
    known = re.compile(r"OK|SWAP|ERROR .+|UNKNOWN .+|name=.+|FORBID .*|([0-9]+,[0-9]+ ?){1,3}")
    assert [text for text in answers if not known.fullmatch(text)] == []
    assert not any("should not have happened" in text for text in answers)


LAST_FOUR = "f3e2a6b1c5c3f6f4e6f2f1c4e1b3a4d4e4d3f5b2d2c1b5b4d1d6a2b6a5e5a1c6c2d5"
"""Renju on 6x6: White, if he moves, makes a four after which only a foul is left to Black: a draw."""


def test_the_program_lives_on_where_only_fouls_are_left(brain):
    """Once it ended with exit status 2."""
    board = Board.from_moves(LAST_FOUR, Rules.named("renju", 6))

    def name(point: int) -> str:
        return "{},{}".format(*to_gomocup(point, 6, 6))

    stones = [f"{name(point)},{colour}" for colour in (1, 2) for point in board.stones(colour)]
    first = name(board.stones(1)[0])
    brain.send("INFO rule 4", "INFO max_node 1000")
    assert brain.ask("START 6") == "OK"
    brain.send("YXBOARD", *stones, "DONE")
    # So it is White's move, with as many stones as Black.
    assert brain.ask(f"TAKEBACK {first}", f"PLAY {first}") == "OK"
    assert brain.answer() == first
    assert brain.ask("YXNBEST 1") == "4,3"
    assert brain.silent()


@pytest.mark.long
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32))
def test_no_position_ends_the_program(brain, seed):
    """Any stones on a small board under any rules, and then a few commands: all is answered."""
    drawn = random.Random(seed)
    size = drawn.choice([5, 5, 6, 6, 7])
    points = [f"{x},{y}" for x in range(size) for y in range(size)]
    drawn.shuffle(points)
    stones = [f"{point},{drawn.choice([1, 2])}" for point in points[: drawn.randint(0, len(points))]]
    brain.send(f"INFO rule {drawn.choice([0, 1, 4, 4, 8, 9])}", "INFO max_node 200")
    assert brain.ask(f"START {size}") == "OK"
    commands = ["YXNBEST 3", "YXSHOWFORBID", f"TAKEBACK {points[0]}", f"PLAY {points[-1]}", "YXNBEST 1"]
    form = re.compile(r"ERROR .+|OK|FORBID .*|[0-9]+,[0-9]+")
    assert form.fullmatch(brain.ask("BOARD", *stones, "DONE"))
    brain.send("YXBOARD", *stones, "DONE", "ABOUT")
    answers = [brain.answer()]
    if not answers[0].startswith(ABOUT):  # the game on it is over, or no position
        answers.append(brain.answer())
    assert answers[-1].startswith(ABOUT)
    for command in drawn.sample(commands, 3):
        answer = brain.ask(command)
        assert form.fullmatch(answer), command
        assert "should not have happened" not in answer, command
        assert "off the" not in answer, command
    assert brain.silent()


class Model:
    """What each command has to be answered with; `Board` judges moves."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.board = Board()

    def command(self) -> tuple[list[str], str]:
        """Some lines, and how their answer begins: ``"move"`` for one of the engine's, empty for none."""
        others = [self.start, self.restart, self.begin, self.listed, self.other]
        return self.random.choice([*others, *[self.put] * 6, *[self.take_back] * 2])()

    def start(self) -> tuple[list[str], str]:
        size = self.random.choice([4, 6, 7, 9, 23])
        if not 5 <= size <= 22:
            return [f"START {size}"], "ERROR"
        self.board = Board(Rules.named("freestyle", size))
        return [f"START {size}"], "OK"

    def restart(self) -> tuple[list[str], str]:
        self.board = Board(self.board.rules)
        return ["RESTART"], "OK"

    def begin(self) -> tuple[list[str], str]:
        return ["BEGIN"], "ERROR" if any(self.board.position) else "move"

    def other(self) -> tuple[list[str], str]:
        silent = ["INFO x 1", "INFO evaluate 1,1", "STOP", "YXSTOP", "YXHASHCLEAR", "INFO max_memory 1"]
        said = {"ABOUT": ABOUT, "?": "UNKNOWN", "1,2": "UNKNOWN", "DONE": "ERROR", "TURN": "ERROR"}
        text = self.random.choice([*silent, *said])
        return [text], said.get(text, "")

    def point(self) -> tuple[str, int]:
        """A place, and the point there, -1 where it is off the board."""
        size = self.board.width
        x, y = self.random.randint(0, size), self.random.randint(0, size - 1)
        return f"{x},{y}", -1 if x == size else from_gomocup(x, y, size, size)

    def put(self) -> tuple[list[str], str]:
        name = self.random.choice(["TURN", "TURN", "TURN", "PLAY"])
        text, point = self.point()
        try:
            self.board.push(point)
        except IllegalMove:
            return [f"{name} {text}"], "ERROR"
        if name == "PLAY":
            return [f"PLAY {text}"], text
        return [f"TURN {text}"], "move" if self.board.outcome() is None else "ERROR"

    def take_back(self) -> tuple[list[str], str]:
        text, point = self.point()
        if self.board.ply and self.random.random() < 0.7:
            point = self.board.moves[-1]
            text = "{},{}".format(*to_gomocup(point, self.board.width, self.board.height))
        if point < 0 or self.board.last != point:
            return [f"TAKEBACK {text}"], "ERROR"
        self.board.pop()
        return [f"TAKEBACK {text}"], "OK"

    def listed(self) -> tuple[list[str], str]:
        """A BOARD with a few stones in turn, now and then with a fault."""
        size = self.board.width
        count = self.random.randint(0, 6)
        points = self.random.sample(range(size * size), count)
        names = ["{},{}".format(*to_gomocup(point, size, size)) for point in points]
        lines = [f"{name},{2 if (count - ply) % 2 else 1}" for ply, name in enumerate(names)]
        if count and self.random.random() < 0.3:
            fault = self.random.choice(["x", "1,1", f"{size},0,1", lines[0]])
            lines.insert(self.random.randint(0, count), fault)
            return ["BOARD", *lines, "DONE"], "ERROR"
        self.board = Board.from_moves(points, self.board.rules)
        return ["BOARD", *lines, "DONE"], "move"

    def answered(self, text: str) -> None:
        """A move of the engine's: it has to be legal."""
        assert MOVE.fullmatch(text)
        x, y = map(int, text.split(","))
        self.board.push(from_gomocup(x, y, self.board.width, self.board.height))


@pytest.mark.parametrize("seed", [1, 2])
def test_every_command_gets_its_answer_and_no_other(brain, seed):
    """Hundreds of lines to one living program, each followed by ABOUT."""
    brain.send("INFO timeout_turn 0", "INFO max_node 300")
    model = Model(seed)
    for _ in range(250):
        commands, kind = model.command()
        brain.send(*commands, "ABOUT")
        if kind:
            answer = brain.answer()
            if kind == "move":
                model.answered(answer)
            else:
                assert answer.startswith(kind), (commands, answer)
        assert brain.answer().startswith(ABOUT), commands
    assert brain.silent()
