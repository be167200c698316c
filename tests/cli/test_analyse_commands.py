"""``tengen analyse``, ``tengen bench`` and ``tengen warmup``."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import Rules
from tengen.cli.output import analysis_table
from tengen.engine.benchmark import POSITIONS, boards, kernels_in_use
from tengen.words import LANGUAGES, catalogue, say
from tests.console import environment, process, run

pytestmark = pytest.mark.usefixtures("compiled")

MIDGAME = "h8i9g7f6h10i8"
WIN = "h8a1i8a3j8a5"
"""Black has an open three, and it is Black's turn."""


# -- analyse


def test_each_depth_and_then_the_lines():
    answer = run("analyse", MIDGAME, "--depth", "3", "--lines", "2")
    assert (answer.status, answer.err) == (0, "")
    depths, table = answer.out.split("\n\n")
    heads, *rows = depths.splitlines()
    assert heads.split() == ["depth", "win%", "score", "nodes", "nodes/s", "time", "line"]
    assert [int(row.split()[0]) for row in rows] == [1, 2, 3]
    again, one, other, verdict = table.splitlines()
    assert again == heads
    best = verdict.removeprefix("Black to move: ").partition(",")[0]
    assert one.split()[7] == best
    assert other.split()[7] != best
    assert re.fullmatch(r"which wins \d+% of the time", verdict.partition(", ")[2])


def test_a_win():
    assert run("analyse", WIN).out.endswith("which wins in 3 plies\n")
    assert "+M3" in run("analyse", WIN, lang="zh").out
    assert run("analyse", WIN, lang="zh").out.endswith("3 手内取胜\n")


def test_a_loss():
    """Black threatens a five in two ways."""
    answer = run("analyse", WIN + "k8", "--depth", "4")
    assert "-M2" in answer.out
    assert answer.out.endswith("which loses in 2 plies\n")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_columns_stand_under_each_other(lang):
    answer = run("analyse", MIDGAME, "--depth", "2", lang=lang)
    heads, row = answer.out.splitlines()[:2]
    wide = sum(ord(letter) > 0x2E80 for letter in heads)
    assert len(heads.rpartition(say("analyse.line", lang))[0]) + wide - sum(
        ord(letter) > 0x2E80 for letter in say("analyse.line", lang)
    ) == row.index(row.split()[7])


def test_for_a_program():
    answer = run("analyse", *("h8", "i9"), "--rules", "renju", "--nodes", "2000", "--lines", "3", "--json")
    assert (answer.status, answer.err) == (0, "")
    data = json.loads(answer.out)
    assert list(data) == ["moves", "rules", "size", "best", "infos"]
    assert (data["moves"], data["rules"], data["size"]) == (["h8", "i9"], "renju", "15x15")
    assert len(data["infos"]) == 3
    for info in data["infos"]:
        assert list(info) == [
            "point",
            "win_rate",
            "value",
            "mate",
            "depth",
            "nodes",
            "nps",
            "seconds",
            "line",
        ]
        assert info["line"][0] == info["point"]
        assert info["nodes"] <= 2000
    assert data["best"] == data["infos"][0]["point"]


def test_the_same_nodes_give_the_same_answer():
    def found():
        data = json.loads(run("analyse", MIDGAME, "--nodes", "5000", "--json").out)
        for info in data["infos"]:
            del info["seconds"], info["nps"]
        return data

    assert found() == found()


def test_the_empty_board():
    assert json.loads(run("analyse", "--json").out)["best"] == "h8"
    assert json.loads(run("analyse", "--json", "--size", "22", "--lines", "3").out)["best"] in (
        "k11",
        "l12",
    )


def test_threads_and_memory():
    answer = run("analyse", MIDGAME, "--seconds", "0.05", "--threads", "2", "--memory", "4", "--json")
    assert json.loads(answer.out)["infos"][0]["nodes"] > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("h8h8",), "h8 is occupied"),
        (("h8a1i8a2j8a3k8a4l8",), "the game is over"),
        (("b2", "--rules", "tictactoe"), "boards from 5x5 to 22x22, not 3x3\n"),
        (("--size", "15x14"), "15x14 is not square"),
        (("--rules", "mnk:15,15,6"), "five in a row only, not 6"),
        (("--lines", "0"), "--lines"),
        (("--seconds", "0"), "--seconds"),
        (("--nodes", "many"), "--nodes"),
        (("--depth", "0"), "--depth"),
        (("--threads", "0"), "--threads"),
        (("--threads", "65"), "threads is 65: expected at most 64"),
        (("--memory", "999999999"), "--memory is 999999999: expected at most 131072"),
        (("h8", "--stdin"), "leave out the moves"),
        (("--stdin", "--lines", "x"), "--lines"),
    ],
)
def test_mistakes(words, said):
    answer = run("analyse", *words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("tengen: ")
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1


def test_queries_from_standard_input():
    """All that there is to them is in protocol/test_analysis.py."""
    typed = '{"id": "a", "moves": "h8i9"}\nno\n{"id": "b", "rules": "caro", "lines": 1}\n'
    answer = run("analyse", "--stdin", "--rules", "renju", "--size", "9", "--nodes", "200", typed=typed)
    assert (answer.status, answer.err) == (0, "")
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert sorted(one.get("rules", "") for one in found) == ["", "caro", "renju"]
    assert all(one["size"] == "9x9" for one in found if "size" in one)


@pytest.mark.long
def test_ctrl_c_shows_the_best_so_far():
    command = [sys.executable, "-m", "tengen", "analyse", MIDGAME, "--seconds", "600"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment()) as running:
        watchdog = threading.Timer(180, running.kill)
        watchdog.start()
        assert running.stdout is not None
        assert running.stderr is not None
        while running.stdout.readline().split()[:1] != [b"3"]:
            pass
        running.send_signal(signal.SIGINT)
        rest = running.stdout.read().decode()
        assert (running.wait(), running.stderr.read()) == (0, b"")
        watchdog.cancel()
    assert "Black to move: " in rest


WORDS = st.one_of(
    st.sampled_from(["--rules", "--size", "--seconds", "--lines", "--threads", "--memory", "--stdin"]),
    st.sampled_from(["--json", "--lang", "--depth", "--help", "--lang=zh"]),
    st.sampled_from(
        ["renju", "caro", "9", "5x5", "tictactoe", "mnk:9,9,5", "1", "0.01", "h8", "c3d4", "?"]
    ),
    st.text(st.characters(exclude_characters="\0"), max_size=4),
)


@pytest.mark.long
@settings(max_examples=40)
@given(st.lists(WORDS, max_size=6), st.sampled_from(LANGUAGES))
def test_no_command_line_ends_in_a_traceback(words, lang):
    answer = run("analyse", *words, "--nodes", "30", lang=lang)
    assert catalogue(lang)["error.cli.bug"].partition("{")[0] not in answer.err
    assert answer.status in (0, 2)
    if answer.status == 2:
        assert answer.err.count("\n") == 1
        assert bool(answer.out) is ("--json" in words)


# -- bench


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_last_line_of_bench(lang):
    answer = run("bench", "--rules", "renju", "--depth", "2", lang=lang)
    assert (answer.status, answer.err) == (0, "")
    heads, *rows, kernels, signature, last = answer.out.splitlines()
    assert kernels == say(analysis_table.kernels(kernels_in_use()), lang)
    assert re.fullmatch("signature [0-9a-f]{12}", signature)
    assert heads.split()[0] == say("analyse.depth", lang)
    assert len(rows) == sum(rules == "renju" for rules, _, _ in POSITIONS)
    assert re.fullmatch(r"\d+ nodes, \d+ nodes/s", last)
    assert int(last.split()[0]) == sum(int(row.split()[2]) for row in rows)


def test_the_number_of_nodes_is_always_the_same():
    assert nodes("--nodes", "3000") == nodes("--nodes", "3000")
    assert nodes("--depth", "3") == nodes("--depth", "3")


def nodes(*words):
    return json.loads(run("bench", "--rules", "caro", *words, "--json").out)["nodes"]


def test_bench_for_a_program():
    data = json.loads(run("bench", "--rules", "standard", "--depth", "2", "--json").out)
    assert data.keys() == {"nodes", "seconds", "nodes_per_second", "signature", "positions", "kernels"}
    assert data["kernels"] == kernels_in_use()
    assert data["nodes"] == sum(one["nodes"] for one in data["positions"])
    assert {one["rules"] for one in data["positions"]} == {"standard"}


def test_bench_with_threads():
    data = json.loads(run("bench", "--rules", "standard", "--depth", "2", "--threads", "2", "--json").out)
    assert data["nodes"] > 0
    assert data["signature"] is None


@pytest.mark.parametrize("words", [("--rules", "tictactoe"), ("--depth", "x"), ("--threads", "0"), ("h8",)])
def test_mistakes_of_bench(words):
    answer = run("bench", *words)
    assert (answer.status, answer.out) == (2, "")
    assert len(answer.err.splitlines()) == 1


def test_the_positions_of_bench_are_not_over():
    for board, (rules, size, _) in zip(boards(), POSITIONS, strict=True):
        assert board.outcome() is None
        assert board.rules == Rules.named(rules, size)
    assert len({board.moves for board in boards()}) == len(POSITIONS) >= 12


# -- warmup


@pytest.mark.parametrize("lang", LANGUAGES)
def test_warming_up_when_all_is_warm(lang):
    answer = run("warmup", lang=lang)
    assert (answer.status, answer.err) == (0, "")
    data = json.loads(run("warmup", "--json", lang=lang).out)
    assert data["functions"] == 0
    target = kernels_in_use()
    key, named = ("compiling.ready", data["folder"]) if target == "jit" else ("compiling.ahead", target)
    assert answer.out.startswith(catalogue(lang)[key].partition("{")[0])
    assert named in answer.out


@pytest.mark.long
def test_warm_in_a_process_of_its_own():
    answer = process("warmup")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("ready")


@pytest.mark.slow
def test_the_first_analysis_says_that_it_compiles(tmp_path):
    command = [sys.executable, "-m", "tengen", "analyse", WIN, "--json"]
    cold, warm = (
        subprocess.run(
            command,
            env=environment(TENGEN_KERNELS="jit", TENGEN_CACHE=str(tmp_path)),
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        for _ in range(2)
    )
    assert (cold.returncode, cold.stderr) == (0, f"tengen: {say('compiling.once')}\n")
    assert json.loads(cold.stdout)["best"] == json.loads(warm.stdout)["best"]
    assert (warm.returncode, warm.stderr) == (0, "")
