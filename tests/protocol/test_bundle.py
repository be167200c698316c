"""The native program: what is written, and that it plays as the engine in Python does."""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tengen.engine.engine import Engine
from tengen.engine.kernels import ahead
from tengen.formats.files import FileError
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.rules import Rules
from tengen.gomocup.search_reports import last_report
from tengen.gomocup.stones import board_lines, board_of, stones_of
from tengen.protocol.bundle import NAME, SOURCES, WINDOWS, write_bundle
from tengen.words import TengenError
from tests.console import run
from tests.protocol.sessions import Brain, use_native

LARGEST = 8_000_000
"""Bytes of a program."""

RULES = {
    0: Rules.named("freestyle"),
    1: Rules.named("standard"),
    4: Rules.named("renju"),
    8: Rules.named("caro", overline="wins"),
    9: Rules.named("caro"),
}


@pytest.fixture
def brain(native_program: str) -> Iterator[Brain]:
    """The native program."""
    use_native(native_program)
    brain = Brain()
    yield brain
    brain.program.end()
    use_native(None)


@pytest.mark.long
def test_it_is_small_and_needs_nothing_beside_it(bundle):
    assert (bundle / NAME).stat().st_size < LARGEST


@pytest.mark.long
def test_it_is_ready_at_once(native_program):
    """With a second for all that a busy machine does besides."""
    use_native(native_program)
    began = time.perf_counter()
    brain = Brain()
    try:
        assert brain.ask("START 15") == "OK"
        assert time.perf_counter() - began < 2
    finally:
        brain.program.end()
        use_native(None)


@pytest.mark.long
@pytest.mark.parametrize("rule", RULES)
def test_it_finds_what_the_engine_in_python_finds(brain, rule):
    """The same move, score and nodes, within the same bound of nodes; by moves, and set up."""
    brain.send(f"INFO rule {rule}", "INFO max_node 20000")
    assert brain.ask("START 15") == "OK"
    engine = Engine()
    games = [Board.from_moves(moves, RULES[rule]) for moves in ("h8i9", "h8h9j9i10g7", "h8i7h7h9")]
    set_up = Board.from_stones("h8 h9 k8", "a1 b3 c3 g7", rules=RULES[rule])
    for board in (*games, board_of(stones_of(set_up), RULES[rule])):
        expected = engine.analyse(board, Limit(nodes=20_000))[0]
        brain.program.messages.clear()
        move = brain.ask(*board_lines(stones_of(board), 15, 15))
        x, y = expected.point % 15, 14 - expected.point // 15
        assert move == f"{x},{y}"
        assert last_report(brain.program.messages) == (expected.score, expected.nodes)


@pytest.mark.long
@pytest.mark.parametrize("rule", [0, 4])
def test_several_lines_are_those_of_the_engine_in_python(brain, rule):
    brain.send(f"INFO rule {rule}", "INFO max_depth 6")
    assert brain.ask("START 15") == "OK"
    board = Board.from_moves("h8i9g7", RULES[rule])
    infos = Engine().analyse(board, Limit(depth=6), lines=4)
    brain.send("YXBOARD", *board_lines(stones_of(board), 15, 15)[1:])
    brain.ask("YXNBEST 4")
    firsts = {text.split(" pv ")[1].split()[0] for text in list(brain.program.messages)[-4:]}
    assert firsts == {board.name(info.point) for info in infos}


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell a process's memory")
@pytest.mark.parametrize("megabytes", [100, 350])
def test_it_keeps_to_the_memory(native_program, megabytes):
    script = f"INFO max_memory {megabytes << 20}\nINFO timeout_turn 3000\nSTART 20\nTURN 9,9\n"
    pipe = subprocess.PIPE
    with subprocess.Popen([native_program], stdin=pipe, stdout=pipe, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(script)
        answers: list[str] = []
        while len(answers) < 2:
            line = process.stdout.readline()
            answers += [] if line.startswith("MESSAGE") else [line]
        status = Path(f"/proc/{process.pid}/status").read_text("utf-8")
    peak = re.search(r"VmHWM:\s+([0-9]+) kB", status)
    assert peak is not None
    assert int(peak[1]) << 10 <= megabytes << 20


@pytest.mark.long
def test_several_threads_search(brain):
    brain.send("INFO thread_num 3", "INFO max_node 30000")
    assert brain.ask("START 15") == "OK"
    for move in ("7,7", "0,0", "14,14"):
        assert re.fullmatch("[0-9]+,[0-9]+", brain.ask(f"TURN {move}"))
    _, nodes = last_report(brain.program.messages)
    assert 0 < nodes <= 30_000


@pytest.mark.long
def test_it_plays_a_match(native_program):
    """In an arena, against the engine in Python, and neither makes a mistake in the protocol."""
    words = ("--games", "2", "--nodes", "1000", "--rules", "renju", "--json")
    answer = run("match", f"cmd={native_program}", "engine", *words)
    assert answer.status == 0, answer.err
    result = json.loads(answer.out.splitlines()[-1])
    assert result["games"] == 2
    assert not any(result["faults"].values())


@pytest.mark.skipif(find_spec("ziglang") is None, reason="the package ziglang is missing")
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_program_for_windows(tmp_path):
    """Nobody has run it here: only its headers are read."""
    (program,) = write_bundle(tmp_path, [WINDOWS])
    data = program.read_bytes()
    assert len(data) < LARGEST
    assert data[:2] == b"MZ"
    (header,) = struct.unpack_from("<I", data, 0x3C)
    assert data[header : header + 4] == b"PE\0\0"
    machine, characteristics = (struct.unpack_from("<H", data, header + at)[0] for at in (4, 22))
    magic, subsystem = (struct.unpack_from("<H", data, header + 24 + at)[0] for at in (0, 68))
    assert (machine, magic) == (0x8664, 0x20B), "x86-64, 64 bits"
    assert characteristics & 0x2, "it can be run"
    assert subsystem == 3, "a console program"


def test_sources_are_plain():
    for file in SOURCES.glob("*.[ch]"):
        assert max(map(len, file.read_text("ascii").splitlines())) <= 120, file.name


def test_no_compiler_is_said_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr(ahead, "find_spec", lambda _: None)
    with pytest.raises(TengenError, match="no C compiler for this computer: install cc, gcc or clang"):
        write_bundle(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_target_that_is_no_folder_is_said_before_the_long_work(tmp_path, monkeypatch):
    monkeypatch.setattr("tengen.protocol.bundle._run", lambda _: pytest.fail("it began"))
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="file"):
        write_bundle(tmp_path / "file")
