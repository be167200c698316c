from __future__ import annotations

import copy
import gc
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tengen
from tengen import (
    BLACK,
    PASS,
    WHITE,
    Board,
    Choice,
    Explanation,
    GameOver,
    Limit,
    Player,
    Rules,
    Score,
    TengenError,
)
from tengen.game.player import GameTime
from tengen.players.candidates import near
from tengen.players.external import gomocup_client
from tengen.players.external.external_player import External, ProgramError
from tengen.players.registry import player
from tengen.players.spec import SpecError
from tests.console import until
from tests.errors import complaint, key_of
from tests.players.games import play
from tests.programs import bad, good

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


PATIENCE = 60
"""Seconds in which a program has surely done what it does at once: the machine may be busy."""


class Talk:
    """What passed between a player and its program.

    Args:
        made: the player.
        asked: called when the program has been asked for a first move.
    """

    def __init__(self, made: External, asked: Callable[[], object] = list) -> None:
        self.lines: list[tuple[str, str]] = []
        self._asked = asked
        made.traffic = self._take

    def _take(self, way: str, text: str) -> None:
        self.lines.append((way, text))
        if text == "BEGIN":
            self._asked()

    def sent(self, *, infos: bool = False) -> list[str]:
        """What was sent since the last call, with INFO or without."""
        texts = [text for way, text in self.lines if way == ">"]
        self.lines.clear()
        return [text for text in texts if infos or not text.startswith("INFO")]

    def infos(self) -> dict[str, str]:
        """What INFO said since the last call."""
        words = [text.split(" ", 2) for text in self.sent(infos=True)]
        return {text[1]: text[2] for text in words if text[0] == "INFO"}


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """A program that has ended, or has been told to stop, may take its time to show it."""
    monkeypatch.setattr(gomocup_client, "STOPPED", PATIENCE)


@pytest.fixture
def start():
    """Makes players, and closes them after the test."""
    made = []

    def make(command: str, **settings: object) -> External:
        given = {"ready": PATIENCE} | settings
        one = player(",".join([f"cmd={command}", *(f"{key}={value}" for key, value in given.items())]))
        assert isinstance(one, External)
        made.append(one)
        return one

    yield make
    for one in made:
        one.close()


def fault(made: External, board: Board | None = None, limit: Limit | None = None) -> ProgramError:
    """The fault of the program that is asked for a move."""
    with pytest.raises(ProgramError) as caught:
        made.choose(board or Board(), limit)
    return caught.value


# -- specs


def test_a_spec_makes_a_player():
    made = player("cmd=./pbrain-x --quiet 'a b', settle=20, patience = 2.5,name=X")
    assert isinstance(made, Player)
    assert isinstance(made, External)
    assert made.name == "cmd=./pbrain-x --quiet 'a b',settle=20,patience=2.5,name=X"
    assert made.label == "X"
    assert not made.running
    assert player(made.name).name == made.name
    assert player("cmd=./pbrain-x,settle=10,folder=").name == "cmd=./pbrain-x"
    assert External("/opt/pbrain-x -v").label == "pbrain-x"


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        ("cmd=", "error.program.command.empty"),
        ("cmd=''", "error.program.command.empty"),
        ("cmd=a 'b", "error.program.command"),
        ("cmd=a\0b", "error.program.command.comma"),
        ("cmd=./a,b", "error.spec.setting"),
        ("cmd=./a,seed=1", "error.spec.key"),
        ("cmd=./a,cmd=./b", "error.spec.key"),
        ("cmd=./a,settle=soon", "error.parameter.value"),
        ("cmd=./a,settle=-1", "error.parameter.value"),
        ("cmd=./a,settle=nan", "error.parameter.value"),
        ("cmd=./a,patience=true", "error.parameter.value"),
        ("cmd=./a,memory=inf", "error.parameter.value"),
        ("cmd=./a,threads=1.5", "error.parameter.whole"),
    ],
)
def test_specs_that_make_none(spec, key):
    assert key_of(player, spec) == key


def test_a_comma_would_not_come_back_from_the_name():
    with pytest.raises(SpecError, match="comma"):
        External("./pbrain-x a,b")


def test_a_command_may_be_a_path_or_words():
    made = tengen.external(Path("/opt/my engines/pbrain-x"), settle=20)
    assert isinstance(made, Player)
    assert made.name == "cmd='/opt/my engines/pbrain-x',settle=20"
    assert tengen.external(["python", Path("a b.py"), "-v"]).name == "cmd=python 'a b.py' -v"
    assert tengen.external is tengen.External
    for wrong in (b"x", 5, ["x", 5], None):
        assert key_of(tengen.external, wrong) == "error.argument"


def test_a_program_plays_a_match_as_an_object():
    with tengen.external(good(), ready=PATIENCE) as program:
        result = tengen.match(program, "random", games=2, rules=Rules.named("freestyle", 9))
        assert result.wins == 2
        assert program.running
    assert not program.running


@given(st.text().map("cmd=".__add__))
def test_no_text_raises_anything_else(spec):
    sentence = complaint(player, spec)
    assert "\n" not in sentence
    if not sentence:
        made = player(spec)
        assert player(made.name).name == made.name


def test_a_player_is_copied_as_its_spec(start):
    made = start(good(), settle=0)
    made.choose(Board())
    for other in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert other.name == made.name
        assert not other.running


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("./no-such-program", "error.program.missing"),
        (str(Path(__file__).parent), "error.program.unstartable"),
    ],
)
def test_what_cannot_be_started(start, command, key):
    made = start(command)
    for _ in range(2):
        assert key_of(made.choose, Board()) == key
    assert not made.running


# -- what a program is told


def test_a_game_from_either_side(start):
    black, white = start(good(), settle=0), start(good(), settle=0)
    talks = Talk(black), Talk(white)
    board = Board()
    for mover in (black, white, black, white):
        board.push(mover.choose(board).point)
    x = [f"{p % 15},{14 - p // 15}" for p in board.moves]
    assert talks[0].sent() == ["START 15", "BEGIN", f"TURN {x[1]}"]
    assert talks[1].sent() == ["START 15", f"TURN {x[0]}", f"TURN {x[2]}"]


def test_games_sizes_and_positions(start):
    made = start(good())
    talk = Talk(made)
    made.choose(Board())
    assert talk.sent() == ["START 15", "BEGIN"]
    made.choose(Board())
    assert talk.sent() == ["RESTART", "BEGIN"]
    made.choose(Board.from_moves("c3"))
    assert talk.sent() == ["RESTART", "TURN 2,12"]
    made.choose(Board(Rules.mnk(19, 15, 5)))
    assert talk.sent() == ["RECTSTART 19,15", "BEGIN"]
    made.choose(Board.from_moves("h8h9i8", Rules.mnk(20, 20, 5)))
    assert talk.sent() == ["START 20", "BOARD", "7,12,2", "7,11,1", "8,12,2", "DONE"]


def test_a_new_game_that_looks_like_the_last_one_going_on(start):
    """The openings of two games may lie on one line, so that no board tells where the first has ended."""
    made = start(good())
    talk = Talk(made)
    board = Board.from_moves("h8")
    board.push(made.choose(board).point)
    board.push(board.legal_points()[0])
    talk.sent()
    made.clear()
    made.choose(board)
    assert talk.sent()[:2] == ["RESTART", "BOARD"]
    made.clear()
    made.close()
    made.clear()  # nothing to forget
    made.choose(board)
    assert talk.sent()[-6:-4] == ["START 15", "BOARD"]


def test_take_backs_and_the_other_side(start):
    made = start(good())
    talk = Talk(made)
    board = Board.from_moves("h8")
    board.push(made.choose(board).point)
    talk.sent()
    made.choose(board)  # a hint for the opponent
    assert talk.sent()[:2] == ["RESTART", "BOARD"]
    board.push(board.legal_points()[0])
    made.choose(board)
    assert talk.sent()[:2] == ["RESTART", "BOARD"]  # the hint was not played
    board.pop()
    board.pop()
    made.choose(board)
    assert talk.sent()[:2] == ["RESTART", "TURN 7,7"]


def test_rules_are_told(start):
    made = start(good())
    talk = Talk(made)
    for name, code in (("freestyle", "0"), ("standard", "1"), ("renju", "4"), ("caro", "9")):
        made.choose(Board(name))
        assert talk.infos()["rule"] == code


def test_infos_are_told_once_and_the_time_at_every_move(start):
    made = start(good(), memory=100, threads=2, folder="/tmp/x")
    talk = Talk(made)
    board = Board()
    limit = Limit(time=GameTime(game=60, left=60, increment=0.5, turn=5))
    board.push(made.choose(board, limit).point)
    board.push(0)
    assert talk.infos() == {
        "max_memory": str(100 * 1024 * 1024),
        "timeout_match": "60000",
        "timeout_turn": "5000",
        "time_increment": "500",
        "game_type": "1",
        "rule": "0",
        "folder": "/tmp/x",
        "thread_num": "2",
        "time_left": "60000",
    }
    made.choose(board, Limit(time=GameTime(game=60, left=51.5, increment=0.5, turn=5)))
    assert talk.infos() == {"time_left": "51500"}
    made.choose(board, Limit(seconds=1))
    assert talk.infos() == {
        "timeout_match": "0",
        "timeout_turn": "1000",
        "time_increment": "0",
        "time_left": "2147483647",
    }


def test_a_bound_that_cannot_be_taken_back_needs_a_new_program(start):
    made = start(good())
    talk = Talk(made)
    board = Board()
    board.push(made.choose(board, Limit(nodes=100, depth=2)).point)
    board.push(0)
    infos = talk.infos()
    assert (infos["max_node"], infos["max_depth"], infos["timeout_turn"]) == ("100", "2", "60000")
    made.choose(board, Limit(seconds=1))
    sent = talk.sent(infos=True)
    assert sent[0] == "END"
    assert "START 15" in sent
    assert not any("max" in text and "memory" not in text for text in sent)


def test_what_the_protocol_has_no_word_for(start):
    made = start(good())
    assert key_of(made.choose, Board("tictactoe")) == "error.program.rules"
    passed = Board.from_moves("h8h9i8--", Rules.named("renju", passing=True))
    assert key_of(made.choose, passed) == "error.program.passed"
    with pytest.raises(GameOver):
        made.choose(Board.from_stones([0, 1, 2, 3, 4]))
    assert not made.running


def test_where_only_fouls_are_left_there_is_the_pass(start):
    rules = Rules.named("renju", (6, 1), passing=True)
    board = Board.from_stones([0, 1, 2, 4, 5], turn=BLACK, rules=rules)
    assert start(good()).choose(board).point == PASS


# -- whole games


@pytest.mark.parametrize(
    "rules",
    [
        Rules.named("freestyle"),
        Rules.named("freestyle", 20),
        Rules.named("standard"),
        Rules.named("renju"),
        Rules.named("freestyle", (9, 12)),
    ],
    ids=lambda rules: f"{rules.name} {rules.size_text}",
)
@pytest.mark.long
def test_a_program_plays_as_the_player_in_it(start, rules):
    expected = play(player("shapes"), player("shapes"), rules)
    one, other = start(good(), settle=0), start(good(), settle=0)
    assert play(one, other, rules).moves == expected.moves
    assert play(one, one, rules).moves == expected.moves  # both sides, so BOARD at every move


@pytest.mark.parametrize("turn", [BLACK, WHITE])
@pytest.mark.parametrize("rules", ["freestyle", "renju", "caro"])
def test_set_up_positions(start, rules, turn):
    board = Board.from_stones(["h8", "h9", "c3"], ["i8", "d4"], turn, rules)
    made = start(good(), settle=0)
    for _ in range(4):
        expected = player("shapes").choose(board).point
        assert made.choose(board).point == expected
        board.push(expected)


def test_a_game_with_a_real_opponent(start):
    made = start(good("lines"), settle=0)
    board = play(made, player("random,seed=1"), "standard")
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == BLACK


def test_a_program_lives_on_from_game_to_game(start):
    made = start(good("lines"), settle=0)
    talk = Talk(made)
    for _ in range(2):
        play(made, player("random,seed=1"), "freestyle")
    sent = talk.sent()
    assert [text for text in sent if "START" in text] == ["START 15", "RESTART"]
    assert made.noise == 0


def test_the_time_is_the_programs(start):
    made = start(bad("slow", "0.2"), settle=0)
    choice = made.choose(Board())
    assert choice.seconds >= 0.2
    began = time.perf_counter()
    made.choose(Board.from_moves("h8h9"))
    assert time.perf_counter() - began >= 0.2


def test_starting_takes_no_time_of_a_move(start):
    made = start(bad("late", "0.3"), settle=0)
    began = time.perf_counter()
    choice = made.choose(Board())
    assert choice.seconds <= time.perf_counter() - began - 0.3


def test_a_game_may_be_prepared_before_a_clock_runs(start):
    made = start(good(), settle=0)
    talk = Talk(made)
    made.prepare(Board())
    assert talk.sent() == ["START 15"]
    made.choose(Board())
    assert talk.sent() == ["BEGIN"]
    made.prepare(Board.from_moves("h9h8"))
    assert talk.sent() == ["RESTART"]
    made.choose(Board.from_moves("h9h8"))
    assert talk.sent() == ["BOARD", "7,6,1", "7,7,2", "DONE"]
    assert key_of(start(bad("refuses")).prepare, Board()) == "error.program.refused"


# -- what programs may say and do


def test_scores_and_nodes_are_heard(start):
    made = start(good("lines", "depth 10-12 ev -34 n 12K pv h8"))
    choice = made.choose(Board())
    assert choice == Choice(112, Score(-34), (112,), 12_000, choice.seconds)
    assert start(good()).choose(Board()).score is None


def test_an_explanation_is_honest(start):
    made = start(good("lines", "the centre is always good"), name="Ada")
    board = Board()
    assert str(made.explain(board).summary) == "Ada is an external program and gives no reasons"
    made.choose(board)
    said = "Ada is an external program and gives no reasons; its last output: the centre is always good"
    assert made.explain(board) == Explanation(made.explain(board).summary)
    assert str(made.explain(board).summary) == said
    board.push("h8")
    assert "said" not in str(made.explain(board).summary)


ODD = "plain cr crlf banner chatter stderr suggest twice complains info-ok no-restart exits-between"


@pytest.mark.parametrize("mode", ODD.split())
def test_odd_ones_play_on(start, mode):
    made = start(bad(mode))
    for _ in range(2):
        board = Board()
        for expected in (0, 2, 4):  # the first free points, from the top left
            point = made.choose(board).point
            assert (point % 15, 14 - point // 15) == (expected, 0)
            board.push(point)
            board.push(point + 1)


def test_a_move_without_a_line_end_is_a_move(start):
    assert start(bad("partial")).choose(Board()).point == 210


def test_noise_is_counted(start):
    made = start(bad("twice"))
    board = Board()
    for _ in range(3):
        board.push(made.choose(board).point)
        board.push(board.legal_points()[0])
    assert made.noise == 2  # what came after the last move has not been read
    assert start(bad("plain")).noise == 0
    made.close()
    assert made.noise == 2


@pytest.mark.long
def test_a_program_without_restart_is_asked_once(start):
    for mode, settings in (("no-restart", {}), ("silent-restart", {"ready": 3})):
        made = start(bad(mode), **settings)
        made.choose(Board())
        talk = Talk(made)
        made.choose(Board())
        assert talk.sent() == ["RESTART", "START 15", "BEGIN"]
        made.choose(Board())
        assert talk.sent() == ["START 15", "BEGIN"]


@pytest.mark.long
@pytest.mark.parametrize("mode", ["lively-start", "lively"])
def test_any_line_is_a_sign_of_life(start, mode):
    """A program that compiles at first says so, for longer than it may be silent."""
    made = start(bad(mode, "12"), ready=2, patience=2)
    assert made.choose(Board()).point == 210
    assert made.choose(Board(), Limit(depth=1)).point == 210, "a depth is no limit of time either"


@pytest.mark.long
@pytest.mark.parametrize("mode", ["lively-start", "lively"])
def test_signs_of_life_without_an_answer_do_not_last_for_ever(start, monkeypatch, mode):
    monkeypatch.setattr(gomocup_client, "LONGEST_WAIT", 2)
    assert fault(start(bad(mode), ready=1, patience=1, tolerance=0)).kind == "hang"


def test_signs_of_life_do_not_lengthen_a_limit(start):
    made = start(bad("lively", "100"), tolerance=0.2)
    assert "within 0.3 s" in str(fault(made, limit=Limit(seconds=0.1)))


@pytest.mark.long
def test_a_program_that_needs_time_to_settle(start):
    board = Board()
    made = start(bad("deaf", "50"), settle=500)
    board.push(made.choose(board).point)
    board.push(0)
    assert made.choose(board).point == 211
    hasty = start(bad("deaf", "600000"), settle=0, tolerance=0.2)
    hasty.choose(Board())
    assert fault(hasty, board, Limit(seconds=0.2)).kind == "hang"


def test_time_after_the_start(start):
    made = start(good(), start=100)
    began = time.perf_counter()
    made.choose(Board())
    assert time.perf_counter() - began >= 0.1


def test_a_foul_is_for_the_game_to_judge(start):
    made = start(bad("say", "7;7"))
    board = Board.from_stones(["g8", "i8", "h7", "h9"], ["a1", "c1", "e1", "o15"], rules="renju")
    assert board.foul("h8") is not None
    assert made.choose(board).point == board.point("h8")


# -- what they may not


SHORT = {"tolerance": 0.2}

WRONGS = [
    ("crash-start", {}, "crash", "has ended (exit status 3); its last output: cannot load the book"),
    ("crash", {}, "crash", "has ended (exit status 3); its last output: out of ideas"),
    ("segv", {}, "crash", "has ended (killed by SIGSEGV); its last output: none"),
    ("closes", {}, "crash", "has closed its output and cannot answer any more"),
    ("hang-start", {"ready": 0.2}, "hang", "did not answer START 15 and was silent for 0.2 s: ready="),
    ("hang", SHORT, "hang", "has not answered BEGIN within 0.3 s"),
    ("freeze", SHORT, "hang", "has not answered BEGIN within 0.3 s"),
    ("slow 600", SHORT, "hang", "has not answered BEGIN within 0.3 s"),
    ("garbage", {}, "protocol", "answered BEGIN with 'I resign, alas "),
    ("say 7", {}, "protocol", "answered BEGIN with '7': expected a move such as 7,7"),
    ("say 7;7;1", {}, "protocol", "answered BEGIN with '7,7,1'"),
    ("say h8", {}, "protocol", "answered BEGIN with 'h8'"),
    ("error", {}, "protocol", "answered BEGIN with 'ERROR no such position'"),
    ("unknown", {}, "protocol", "answered BEGIN with 'UNKNOWN command'"),
    ("complains-errors", {}, "protocol", "answered BEGIN with 'ERROR no such position'"),
    ("endless", {}, "protocol", "does not stop writing"),
    ("many", {}, "protocol", "does not stop writing"),
    ("say 15;0", {}, "illegal", "played 15,0, which is not on the 15x15 board"),
    ("say -1;0", {}, "illegal", "played -1,0, which is not on the 15x15 board"),
]


@POSIX
@pytest.mark.parametrize(("mode", "settings", "kind", "said"), WRONGS, ids=[wrong[0] for wrong in WRONGS])
def test_faults(start, monkeypatch, mode, settings, kind, said):
    """What can be noticed at once is: nobody waits ten minutes for it."""
    if mode == "closes":
        monkeypatch.setattr(gomocup_client, "STOPPED", 0.2)  # it does not end
    made = start(bad(mode), **{"tolerance": 600, **settings}, name="Bad")
    error = fault(made, limit=Limit(seconds=0.1))
    assert error.kind == kind
    assert str(error).startswith(f"Bad {said}")
    assert len(str(error)) < 200
    assert "\n" not in str(error)
    assert not made.running
    again = pickle.loads(pickle.dumps(error))
    assert (again.kind, str(again)) == (error.kind, str(error))


def test_a_move_onto_a_stone(start):
    error = fault(start(bad("say", "7;7"), name="Bad"), Board.from_moves("h8"))
    assert (error.kind, str(error)) == ("illegal", "Bad played h8, where there is a stone")


@pytest.mark.parametrize("mode", ["refuses", "complains-refuses"])
def test_a_size_or_rules_that_it_does_not_play(start, mode):
    made = start(bad(mode), name="Bad")
    with pytest.raises(TengenError) as caught:
        made.choose(Board("renju"))
    assert str(caught.value) == "Bad does not play renju on 15x15: it answered 'ERROR unsupported size'"
    assert not isinstance(caught.value, ProgramError)


@pytest.mark.long
def test_something_that_is_no_gomocup_program(start):
    error = fault(start("cat", ready=3))
    assert error.kind == "protocol"
    assert "cat answered START 15 with 'START 15': expected OK" in str(error)
    assert "true has ended (exit status 0)" in str(fault(start("true")))


def test_after_a_fault_the_program_is_started_anew(start):
    made = start(bad("crash", "2"))
    board = Board()
    board.push(made.choose(board).point)
    board.push(0)
    fault(made, board)
    talk = Talk(made)
    assert made.choose(board).point == 211
    assert talk.sent() == ["START 15", "BOARD", "0,0,1", "0,14,2", "DONE"]
    assert made.stderr == ()


def test_a_program_that_leaves_after_its_move(start):
    made = start(bad("leaves"))
    board = Board()
    board.push(made.choose(board).point)
    board.push(0)
    error = fault(made, board)
    assert error.kind == "crash"
    assert "exit status 0" in str(error)
    made.choose(Board())
    made.choose(Board())  # between games nobody minds


def test_what_the_listener_raises(start):
    def full(_way, _text):
        raise OSError("disk full")

    made = start(good())
    made.traffic = full
    with pytest.raises(OSError, match="disk full"):
        made.choose(Board())
    made.traffic = None
    made.choose(Board())


# -- told to stop


@pytest.mark.parametrize("words", [(), ("timeout_turn",)])
def test_a_program_that_listens_while_it_thinks_answers_when_stopped(start, words):
    made = start(bad("threaded", *words))
    stop = threading.Event()
    talk = Talk(made, stop.set)
    assert made.choose(Board(), Limit(seconds=600), stop).point == 210
    assert talk.sent(infos=True)[-3:] == ["BEGIN", "INFO timeout_turn 0", "INFO time_left 0"]
    assert made.running


@pytest.mark.parametrize("mode", ["hang", "hang-start"])
def test_one_that_does_not_is_killed_and_a_point_near_the_stones_played(start, monkeypatch, mode):
    monkeypatch.setattr(gomocup_client, "STOPPED", 0.2)
    made = start(bad(mode))
    board = Board.from_moves("c3d4e5")
    stop = threading.Event()
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    choice = made.choose(board, Limit(seconds=600), stop)
    timer.join()
    assert choice.point in near(board)
    assert board.name(choice.point) == "g7"
    assert not made.running


def test_a_stop_while_the_game_is_prepared(start, monkeypatch):
    monkeypatch.setattr(gomocup_client, "STOPPED", 0.2)
    made = start(bad("hang-start"))
    stop = threading.Event()
    stop.set()
    made.prepare(Board(), stop=stop)
    assert not made.running


@pytest.mark.long
def test_a_stop_before_the_move(start):
    made = start(good("minimax"))
    stop = threading.Event()
    stop.set()
    board = Board.from_moves("c3d4e5")
    talk = Talk(made)
    assert made.choose(board, Limit(seconds=600), stop).point in near(board)
    assert talk.infos()["timeout_turn"] == "0"


# -- its end


def test_close_ends_the_program(start):
    with start(good()) as made:
        made.choose(Board())
        assert made.running
        talk = Talk(made)
    assert talk.sent() == ["END"]
    assert not made.running
    made.close()
    assert made.choose(Board()).point == 112


def test_a_forgotten_player_ends_its_program():
    threads = threading.active_count()
    lines: list[str] = []
    made = External(good())
    made.traffic = lambda way, text: lines.append(way + text)
    made.choose(Board())
    assert threading.active_count() == threads + 3
    del made
    gc.collect()
    until(lambda: threading.active_count() == threads)
    assert not lines[-1].startswith(">END")  # nobody was left to tell


@pytest.mark.long
def test_closed_while_it_thinks(start):
    made = start(bad("hang"))
    closing = threading.Thread(target=made.close)
    Talk(made, closing.start)
    assert fault(made).kind == "crash"
    closing.join()


def test_ctrl_c_while_it_thinks_ends_the_program(start, monkeypatch):
    made = start(good())
    made.choose(Board())
    client = made._client
    assert client is not None

    def interrupt(_seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(client.program, "receive", interrupt)
    with pytest.raises(KeyboardInterrupt):
        made.choose(Board())
    assert not made.running
    assert made.choose(Board()).point == 112


def test_several_threads_take_turns(start):
    made = start(good("lines"), settle=0)
    boards = [Board.from_moves(moves) for moves in ("h8", "c3", "l12", "h8i9")]
    expected = [player("lines").choose(board).point for board in boards]
    found = [-2] * len(boards)

    def ask(number):
        for _ in range(3):
            found[number] = made.choose(boards[number]).point

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(boards))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_a_command_with_quotes_and_blanks(start, tmp_path):
    script = tmp_path / "my program.py"
    script.write_text("import runpy, sys\nsys.argv = ['good', 'lines']\n")
    words = good("lines").split()
    script.write_text(f"import runpy, sys\nrunpy.run_path({words[3]!r}, run_name='__main__')\n")
    made = start(f"{sys.executable} -S -E '{script}' lines")
    assert made.choose(Board()).point == 112
