"""Analysis for programs: queries in, answers out, and nothing that is sent makes it fall over."""

from __future__ import annotations

import io
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tengen
from tengen import Board, Engine, Info, Limit, Score
from tengen.engine.info import Ranking
from tengen.protocol.json_analysis import Analyst, lines_of
from tengen.queries.reading import LONGEST, Defaults, QueryError, read_object
from tengen.schemas.analysis import AnalysisData
from tengen.schemas.queries import AnalysisQuery
from tests.console import environment, process

pytestmark = pytest.mark.usefixtures("compiled")

MIDGAME = "h8i9g7f6h10i8"
OPEN = "h8i9"
"""A position in which no win is found for a long time."""

WIN = "h8a1i8a3j8a5"
"""Black has an open three, and it is Black's turn."""

QUICK = Defaults(limit=Limit(nodes=200))


def ask(*queries, defaults=QUICK, lang="en"):
    """The answers to queries that are sent at once; a query is a line, or an object to make one of."""
    answers: list[dict[str, Any]] = []
    lines = [query if isinstance(query, str) else json.dumps(query) for query in queries]
    Analyst(answers.append, Engine, defaults, lang).serve(lines)
    return answers


class Talk:
    """A conversation in which the next query may depend on the last answer."""

    def __init__(self, workers=1):
        self.answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._lines: queue.Queue[str | None] = queue.Queue()
        analyst = Analyst(self.answers.put, Engine, workers=workers)
        self._thread = threading.Thread(target=analyst.serve, args=(iter(self._lines.get, None),))

    def send(self, **query):
        self._lines.put(json.dumps(query))

    def answer(self):
        return self.answers.get(timeout=60)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._lines.put(None)
        self._thread.join(120)
        assert not self._thread.is_alive()


# -- what is asked and answered


def test_a_query_and_its_answer():
    (answer,) = ask({"id": "a", "moves": MIDGAME, "rules": "renju", "nodes": 3000})
    assert list(answer) == ["id", "final", "moves", "rules", "size", "best", "infos"]
    assert (answer["id"], answer["final"], answer["rules"], answer["size"]) == ("a", True, "renju", "15x15")
    assert answer["moves"] == ["h8", "i9", "g7", "f6", "h10", "i8"]
    (info,) = answer["infos"]
    assert list(info) == ["point", "win_rate", "value", "mate", "depth", "nodes", "nps", "seconds", "line"]
    assert answer["best"] == info["point"] == info["line"][0]
    assert 0 < info["win_rate"] < 1
    assert 0 < info["nodes"] <= 3000
    board = Board.from_moves(MIDGAME, "renju")
    for name in info["line"]:
        board.push(name)


def test_a_win_is_announced():
    (answer,) = ask({"id": 1, "moves": WIN})
    (info,) = answer["infos"]
    assert (info["win_rate"], info["mate"], info["value"]) == (1.0, 3, Score.win_in(3).value)


def test_moves_are_a_text_or_a_list():
    names = ["h8", "i9", "g7", "f6", "h10", "i8"]
    one, other, spaced = ask(
        {"id": 1, "moves": MIDGAME}, {"id": 1, "moves": names}, {"id": 1, "moves": " ".join(names)}
    )
    for answer in (one, other, spaced):
        for info in answer["infos"]:
            del info["seconds"], info["nps"]
    assert one == other == spaced


def test_several_moves_are_different_ones():
    (answer,) = ask({"id": "a", "moves": MIDGAME, "nodes": 20_000, "lines": 4})
    points = [info["point"] for info in answer["infos"]]
    assert len(points) == len(set(points)) == 4
    assert answer["best"] == points[0]


def test_no_more_moves_than_there_are():
    moves = "a1b1c1d1f1e1a2b2c2d2f2e2b3a3d3c3e3f3b4a4d4c4e4f4a5b5c5d5f5e5a6b6c6d6"
    (answer,) = ask({"id": "a", "moves": moves, "size": 6, "rules": "standard", "lines": 9})
    assert {info["point"] for info in answer["infos"]} == {"e6", "f6"}


def test_each_depth_is_reported_if_wanted():
    *interim, final = ask({"id": "a", "moves": MIDGAME, "depth": 4, "lines": 2, "report": True})
    assert [answer["final"] for answer in interim] == [False] * 4
    assert [answer["infos"][0]["depth"] for answer in interim] == [1, 2, 3, 4]
    assert all(len(answer["infos"]) == 2 for answer in interim)
    assert final["final"]
    assert final["infos"] == interim[-1]["infos"]


def test_what_a_query_does_not_say():
    defaults = Defaults("caro", "9", Limit(depth=2), 2)
    (answer,) = ask({"id": "a", "moves": "e5"}, defaults=defaults)
    assert (answer["rules"], answer["size"]) == ("caro", "9x9")
    assert [info["depth"] for info in answer["infos"]] == [2, 2]
    (answer,) = ask(
        {"id": "a", "moves": "e5", "size": "7x7", "rules": "renju", "lines": 1}, defaults=defaults
    )
    assert (answer["rules"], answer["size"], len(answer["infos"])) == ("renju", "7x7", 1)


@pytest.mark.parametrize("name", ["a", "", "天元", "\ud800", 0, -7, 1 << 70])
def test_any_id_comes_back(name):
    answers = ask({"id": name}, {"id": name, "nodes": 0}, {"id": name, "action": "clear_cache"})
    assert {answer["id"] for answer in answers} == {name}
    assert len(answers) == 3


def test_answers_come_in_the_order_of_completion():
    """The error at once, then by priority, then as sent; the first is begun before the others are heard."""
    answers = ask(
        {"id": "first", "moves": MIDGAME, "nodes": 300_000},
        {"id": "second", "moves": MIDGAME},
        {"id": "urgent", "moves": MIDGAME, "priority": 1},
        {"id": "third", "moves": MIDGAME},
        {"id": "wrong", "moves": "h8h8"},
    )
    assert [answer["id"] for answer in answers] == ["wrong", "first", "urgent", "second", "third"]


# -- actions


def test_the_version():
    (answer,) = ask({"id": "v", "action": "query_version"})
    assert answer == {"id": "v", "action": "query_version", "version": tengen.__version__}


def test_actions_are_echoed_while_a_search_goes_on():
    with Talk() as talk:
        talk.send(id="long", moves=MIDGAME, seconds=600, report=True)
        assert talk.answer()["final"] is False
        talk.send(id="c", action="clear_cache", note="mine")
        talk.send(id="t", action="terminate", terminateId="long")
        while (answer := talk.answer())["id"] == "long":
            assert answer["final"] is False
        assert answer == {"id": "c", "action": "clear_cache", "note": "mine"}
        while (answer := talk.answer()).get("final") is False:
            pass
        assert answer == {"id": "t", "action": "terminate", "terminateId": "long"}
        while (answer := talk.answer())["final"] is False:
            pass
        assert answer["id"] == "long"
        assert answer["infos"][0]["seconds"] < 300


def test_what_has_not_begun_has_no_results():
    with Talk() as talk:
        talk.send(id="long", moves=MIDGAME, seconds=600, report=True)
        talk.answer()
        for name in ("a", "b", "a"):
            talk.send(id=name, moves=MIDGAME)
        talk.send(id="t", action="terminate", terminateId="a")
        talk.send(id="u", action="terminate_all")
        last: list[dict[str, Any]] = []
        while len(last) < 6:
            answer = talk.answer()
            if answer.get("final") is not False:
                last.append(answer)
    nothing = {"final": True, "noResults": True}
    assert last[:5] == [
        {"id": "t", "action": "terminate", "terminateId": "a"},
        {"id": "a", **nothing},
        {"id": "a", **nothing},
        {"id": "u", "action": "terminate_all"},
        {"id": "b", **nothing},
    ]
    assert last[5]["id"] == "long"


def test_terminating_what_is_not_there():
    answers = ask({"id": "t", "action": "terminate", "terminateId": "a"}, {"id": "a"})
    assert [answer["id"] for answer in answers] == ["t", "a"]
    assert answers[1]["final"]


def test_some_turns_of_several_are_terminated():
    with Talk() as talk:
        talk.send(id="game", moves=MIDGAME, turns=[2, 1, 3, 6, 5], seconds=600)
        talk.send(id="t", action="terminate", terminateId="game", turns=[1, 6])
        assert talk.answer() == {"id": "t", "action": "terminate", "terminateId": "game", "turns": [1, 6]}
        nothing = {"id": "game", "final": True, "noResults": True}
        assert [talk.answer() for _ in range(2)] == [{**nothing, "turn": turn} for turn in (1, 6)]
        talk.send(id="t", action="terminate", terminateId="game")
        assert talk.answer()["id"] == "t"
        assert [talk.answer() for _ in range(2)] == [{**nothing, "turn": turn} for turn in (3, 5)]
        last = talk.answer()
        assert (last["turn"], last["final"]) == (2, True)


def test_what_runs_and_what_waits():
    with Talk(workers=2) as talk:
        talk.send(id="a", moves=OPEN, seconds=600, report=True)
        talk.answer()
        talk.send(id="b", moves=MIDGAME, seconds=600, turns=[2, 5, 4], priorities=[9, 1, 2])
        talk.send(id="q", action="query_running", mine=1)
        while (answer := talk.answer())["id"] != "q":
            assert answer["id"] == "a"
        running, waiting = answer.pop("running"), answer.pop("waiting")
        assert answer == {"id": "q", "action": "query_running", "mine": 1, "workers": 2}
        assert [(each["id"], each.get("turn")) for each in running] == [("a", None), ("b", 2)]
        assert running[0].keys() == {"id", "seconds", "depth", "nodes"}
        assert running[0]["depth"] >= 1
        assert running[0]["nodes"] > 0
        assert waiting == [{"id": "b", "turn": 4, "priority": 2}, {"id": "b", "turn": 5, "priority": 1}]
        talk.send(id="u", action="terminate_all")


# -- many answers


def test_one_query_has_an_answer_for_each_turn():
    answers = ask({"id": "game", "moves": WIN, "turns": "all", "rules": "renju"})
    assert [answer["turn"] for answer in answers] == list(range(7))
    for answer in answers:
        assert (answer["id"], answer["final"]) == ("game", True)
        assert answer["moves"] == ["h8", "a1", "i8", "a3", "j8", "a5"][: answer["turn"]]
        assert len(answer["infos"]) == 1
    assert answers[6]["infos"][0]["mate"] == 3


def test_turns_have_priorities():
    answers = ask({"id": "a", "moves": MIDGAME, "turns": [1, 2, 3, 4], "priorities": [0, 1, 3, 2]})
    assert [answer["turn"] for answer in answers] == [3, 4, 2, 1]


def test_stones_are_set_up():
    setup = {"black": ["h8", "i8", "j8"], "white": ["a1", "a3", "a5"], "turn": "black"}
    (answer,) = ask({"id": "a", "setup": setup})
    assert list(answer) == ["id", "final", "moves", "rules", "size", "best", "infos", "setup"]
    assert (answer["setup"], answer["moves"]) == (setup, [])
    assert answer["infos"][0]["mate"] == 3


def test_moves_are_allowed_and_avoided():
    (answer,) = ask({"id": "a", "moves": WIN, "allow": "o1o15", "lines": 5})
    assert {info["point"] for info in answer["infos"]} == {"o1", "o15"}
    (answer,) = ask({"id": "a", "moves": WIN, "avoid": ["g8"]})
    assert (answer["best"], answer["infos"][0]["mate"]) == ("k8", 3)


def test_what_takes_no_search_is_in_every_answer():
    asked = {"policy": True, "heat": True, "threats": True, "win": "vcf", "report": True, "depth": 2}
    *interim, final = ask({"id": "a", "moves": WIN, "avoid": "g8k8", **asked})
    assert [answer["final"] for answer in interim] == [False] * len(interim)
    assert interim
    for answer in (*interim, final):
        assert answer["policy"] == final["policy"]
        assert answer["heat"] == final["heat"]
        assert answer["threats"]["black"][0]["kind"] == "open-three"
    assert final["win"]["winner"] == "black"
    assert all("win" not in answer for answer in interim)


def test_reports_come_every_so_many_seconds():
    with Talk() as talk:
        began = time.monotonic()
        talk.send(id="a", moves=OPEN, seconds=600, report_every=0.3, report_first=0.1)
        reports = [talk.answer() for _ in range(4)]
        assert time.monotonic() - began >= 0.9
        assert [answer["final"] for answer in reports] == [False] * 4
        depths = [answer["infos"][0]["depth"] for answer in reports]
        assert depths == sorted(depths)
        talk.send(id="u", action="terminate_all")
        while talk.answer()["id"] != "u":
            pass
        assert talk.answer()["final"]
        assert time.monotonic() - began < 60


def test_a_single_report_where_no_interval_is_given():
    with Talk() as talk:
        talk.send(id="a", moves=OPEN, seconds=600, report_first=0.2)
        assert not talk.answer()["final"]
        # No further one comes, however long that is.
        time.sleep(0.5)
        talk.send(id="t", action="terminate", terminateId="a")
        assert [talk.answer().get("final") for _ in range(2)] in ([None, True], [True, None])


# -- several searches at once


def test_a_short_query_does_not_wait_for_a_long_one():
    with Talk(workers=2) as talk:
        talk.send(id="long", moves=OPEN, seconds=600)
        for number in range(5):
            talk.send(id=number, moves=MIDGAME, nodes=300)
            assert talk.answer()["id"] == number
        talk.send(id="c", action="clear_cache")
        assert talk.answer()["id"] == "c"
        talk.send(id="t", action="terminate", terminateId="long")
        assert [talk.answer()["id"] for _ in range(2)] == ["t", "long"]


def test_workers_find_what_one_finds():
    queries = [{"id": number, "moves": MIDGAME, "turns": "all", "nodes": 500} for number in range(4)]
    lines = list(map(json.dumps, queries))
    found = []
    for workers in (1, 3):
        answers: list[dict[str, Any]] = []
        Analyst(answers.append, Engine, workers=workers).serve(lines)
        for answer in answers:
            for info in answer["infos"]:
                del info["seconds"], info["nps"]
        found.append(sorted(answers, key=lambda answer: (answer["id"], answer["turn"])))
    assert found[0] == found[1]
    assert len(found[0]) == 28


# -- mistakes


MISTAKES = [
    ({"id": "a", "moves": "h8h8"}, "h8 is occupied"),
    ({"id": "a", "moves": ["h8", "z99"]}, "z99"),
    ({"id": "a", "moves": ["h8", 9]}, '["h8", 9]'),
    ({"id": "a", "moves": "h8 ?"}, "character 4"),
    ({"id": "a", "moves": None}, "expected moves such as"),
    ({"id": "a", "moves": "f8i10g8j7h7e9h6g5h8", "rules": "renju"}, "h8"),
    ({"id": "a", "moves": "h8a1i8a2j8a3k8a4l8"}, "the game is over"),
    ({"id": "a", "rules": "go"}, "go"),
    ({"id": "a", "rules": 5}, "expected the name of rules"),
    ({"id": "a", "rules": "tictactoe"}, "5 to 22"),
    ({"id": "a", "size": 23}, "5 to 22"),
    ({"id": "a", "size": "9x7"}, "9x7"),
    ({"id": "a", "size": [9, 7]}, "9x7 is not square"),
    ({"id": "a", "size": [9, 9, 9]}, "board size"),
    ({"id": "a", "size": ["9", None]}, "whole number"),
    ({"id": "a", "size": 1.5}, "expected a size"),
    ({"id": "a", "size": True}, "expected a size"),
    ({"id": "a", "seconds": 0}, "expected a time"),
    ({"id": "a", "seconds": "1"}, "expected a time"),
    ({"id": "a", "seconds": True}, "expected a time"),
    ({"id": "a", "seconds": 1 << 2000}, "expected a time"),
    ({"id": "a", "nodes": 0}, "nodes is 0: expected a whole number of at least 1"),
    ({"id": "a", "nodes": 1 << 64}, "expected a whole number"),
    ({"id": "a", "depth": 2.5}, "depth is 2.5"),
    ({"id": "a", "lines": [3]}, "lines is [3]"),
    ({"id": "a", "report": 1}, "report is 1: expected true or false"),
    ({"id": "a", "priority": "high"}, "expected a whole number"),
    ({"id": "a", "visits": 5}, "no field visits"),
    ({"id": "a", "action": "dance"}, "not an action"),
    ({"id": "a", "action": ["terminate"]}, "not an action"),
    ({"id": "a", "action": "terminate"}, "terminateId"),
    ({"id": "a", "action": "terminate", "terminateId": "b", "turns": 3}, "turns is 3"),
    ({"id": "a", "moves": "h8i9", "turns": [3]}, "turns is 3: expected turns from 0 to 2"),
    ({"id": "a", "setup": {"black": ["h8"], "white": ["h8"]}}, "h8"),
    ({"id": "a", "moves": "h8", "allow": "h8"}, "no move is left to consider"),
    ({"id": "a", "report_every": -1}, "report_every is -1: expected a time in seconds above 0"),
]


@pytest.mark.parametrize(("query", "said"), MISTAKES, ids=str)
def test_a_wrong_query_is_answered_with_an_error(query, said):
    wrong, right = ask(query, {"id": "b"})
    assert wrong.keys() == {"id", "error"}
    assert wrong["id"] == "a"
    assert said in wrong["error"]
    assert right["final"]


@pytest.mark.parametrize("query", ["{}", '{"id": null}', '{"id": true}', '{"id": [1]}', '{"id": 1.5}'])
def test_a_query_without_an_id(query):
    (answer,) = ask(query)
    assert answer.keys() == {"error"}
    assert "id is" in answer["error"]


@pytest.mark.parametrize(
    "line", ["?", "[]", "3", "null", "NaN", '{"id": NaN}', "{", "[" * 100_000, "9" * 5000, '"', "\0"]
)
def test_what_is_no_query(line):
    (answer,) = ask(line)
    assert answer.keys() == {"error"}
    assert answer["error"].startswith("expected one JSON object")
    assert len(answer["error"]) < 100


def test_empty_lines_are_none():
    assert ask("", "  ", "\r\n") == []


def test_errors_are_in_the_readers_language():
    (answer,) = ask({"id": "a", "nodes": 0}, lang="zh")
    assert answer["error"] == "nodes 为 0：应为不小于 1 的整数"


VALUES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([None, True, False, 0, 1, 2, 15, -1, 0.01, 1e-9, "renju", "caro", "h8", "9x9", "", []]),
    st.sampled_from(["query_version", "clear_cache", "terminate", "terminate_all", MIDGAME, ["h8", "i9"]]),
    st.text(max_size=5),
    st.lists(st.text(max_size=3), max_size=3),
)
NAMES = tuple(name for name in AnalysisQuery.model_fields if name not in ("id", "turns"))
QUERIES = st.dictionaries(
    st.one_of(st.sampled_from((*NAMES, *NAMES, "action", "terminateId")), st.text(max_size=3)),
    VALUES,
    max_size=4,
)


@settings(max_examples=40)
@given(st.lists(QUERIES, max_size=4))
def test_every_query_has_one_last_answer(queries):
    sent = [{**query, "id": number} for number, query in enumerate(queries)]
    answers = ask(*sent)
    last = [answer["id"] for answer in answers if answer.get("final") is not False]
    assert sorted(last) == list(range(len(queries)))


@given(st.text())
def test_no_line_is_too_strange(line):
    for answer in ask(line):
        assert answer.keys() <= {"id", "error"}
        assert answer["error"].isprintable()


# -- what has been found so far


def info(point, depth, number):
    return Info(point, Score(0), depth, 10, 10, 0.1, (point,), number)


def test_no_move_stands_twice_while_a_depth_is_incomplete():
    ranking = Ranking(3)
    for number, point in enumerate((7, 8, 9)):
        ranking.add(info(point, 5, number))
    assert ranking.complete
    ranking.add(info(8, 6, 0))
    assert not ranking.complete
    assert [(found.point, found.depth) for found in ranking.infos] == [(8, 6), (7, 5), (9, 5)]
    ranking.add(info(9, 6, 1))
    assert [(found.point, found.depth) for found in ranking.infos] == [(8, 6), (9, 6), (7, 5)]


def test_the_data_of_an_analysis():
    board = Board.from_moves("h8")
    found = Info(board.point("i9"), Score.loss_in(4), 3, 99, 990, 0.123456, (board.point("i9"),))
    data = AnalysisData.of(board, [found]).to_dict()
    assert data["infos"] == [
        {
            "point": "i9",
            "win_rate": 0.0,
            "value": -29996,
            "mate": -4,
            "depth": 3,
            "nodes": 99,
            "nps": 990,
            "seconds": 0.1235,
            "line": ["i9"],
        }
    ]


# -- lines


@contextmanager
def piped(*chunks: bytes):
    """A stream whose other end writes these, one after the other."""
    read, write = os.pipe()

    def send():
        with os.fdopen(write, "wb", buffering=0) as out:
            for chunk in chunks:
                out.write(chunk)

    sender = threading.Thread(target=send)
    sender.start()
    with os.fdopen(read, encoding="utf-8") as stream:
        yield stream
    sender.join()


def test_lines_from_a_pipe():
    with piped(b"one\ntw", b"o\r\n", b"\xff\n\n", "天".encode()) as stream:
        assert list(lines_of(stream)) == ["one", "two", "ÿ", "", "天"]


def test_lines_without_a_file():
    assert list(lines_of(io.StringIO("one\ntwo"))) == ["one\n", "two"]


def test_a_line_that_does_not_end_is_refused_and_not_kept():
    with piped(*[b" " * LONGEST] * 5, b"{}\n", b"{}\n") as stream:
        long, short = lines_of(stream)
    assert len(long) > LONGEST
    with pytest.raises(QueryError, match="bytes"):
        read_object(long)
    assert short == "{}"


# -- in a process of its own


def start(*words):
    command = [sys.executable, "-m", "tengen", "analyse", "--stdin", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe)


@pytest.mark.long
def test_the_end_of_the_input_finishes_what_was_sent():
    queries = [{"id": number, "moves": MIDGAME} for number in range(3)]
    typed = "\n".join(map(json.dumps, queries))
    answer = process("analyse", "--stdin", "--nodes", "500", "--rules", "renju", typed=typed)
    assert (answer.status, answer.err) == (0, "")
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert [one["id"] for one in found] == [0, 1, 2]
    assert {one["rules"] for one in found} == {"renju"}


@pytest.mark.long
@pytest.mark.parametrize(("encoding", "escaped"), [("utf-8", False), ("ascii", True), ("gb18030", False)])
def test_answers_are_written_as_the_output_can_encode_them(encoding, escaped):
    """An error in Chinese, an id of any characters, half a surrogate pair among them."""
    ids = ["天元", "\ud800"]
    sent = "\n".join(json.dumps({"id": name, "moves": 5}) for name in ids).encode()
    done = subprocess.run(
        [sys.executable, "-m", "tengen", "--lang", "zh", "analyse", "--stdin"],
        env=environment(PYTHONIOENCODING=encoding),
        input=sent,
        capture_output=True,
        check=True,
    )
    lines = done.stdout.decode(encoding).splitlines()
    assert [json.loads(line)["id"] for line in lines] == ids
    assert ("应为" in lines[0]) is not escaped
    assert ("\\u5e94" in lines[0]) is escaped


@pytest.mark.long
def test_every_turn_of_several_games_by_several_workers():
    """One query in, many answers out; nothing is lost at the end of the input."""
    queries = [{"id": number, "moves": MIDGAME, "turns": "all"} for number in range(6)]
    typed = "\n".join(map(json.dumps, [*queries, {"id": "x", "turns": [9]}]))
    answer = process("analyse", "--stdin", "--nodes", "300", "--workers", "3", typed=typed)
    assert (answer.status, answer.err) == (0, "")
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert [one["id"] for one in found if "error" in one] == ["x"]
    turns = sorted((one["id"], one["turn"]) for one in found if "error" not in one)
    assert turns == [(number, turn) for number in range(6) for turn in range(7)]


@pytest.mark.long
def test_a_conversation_through_pipes_and_ctrl_c_at_its_end():
    with start() as running:
        watchdog = threading.Timer(180, running.kill)
        watchdog.start()
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None

        def send(**query):
            running.stdin.write(json.dumps(query).encode() + b"\n")
            running.stdin.flush()

        send(id="a", moves=MIDGAME, seconds=600, report=True)
        assert json.loads(running.stdout.readline())["final"] is False
        send(id="t", action="terminate", terminateId="a")
        while json.loads(running.stdout.readline())["id"] != "t":
            pass
        while not (last := json.loads(running.stdout.readline()))["final"]:
            pass
        assert last["infos"]
        send(id="b", moves=MIDGAME, seconds=600, report=True)
        assert json.loads(running.stdout.readline())["id"] == "b"
        running.send_signal(signal.SIGINT)
        assert (running.wait(), running.stderr.read()) == (130, b"")
        watchdog.cancel()


@pytest.mark.long
def test_nobody_reads_the_answers():
    with start() as running:
        watchdog = threading.Timer(180, running.kill)
        watchdog.start()
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        # The input stays open: only the output says that it is over.
        running.stdin.write(b'{"id": "v", "action": "query_version"}\n')
        running.stdin.flush()
        assert (running.wait(), running.stderr.read()) == (1, b"")
        watchdog.cancel()
