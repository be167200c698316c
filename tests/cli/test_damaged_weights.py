"""Files of numbers, networks or policies that are damaged or foreign: one line, before any move."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tengen.engine.evaluation.network import file_of as network_file
from tengen.engine.evaluation.policy import file_of as policy_file
from tengen.engine.evaluation.weights import file_of
from tests.console import environment, run

pytestmark = pytest.mark.usefixtures("compiled")

ELSEWHERE = """
import sys
from pathlib import Path

from tengen.engine import tables

tables.FOLDER = Path(sys.argv[1])

from tengen.cli import main

sys.exit(main(sys.argv[2:]))
"""
"""Tengen as if what comes with it lay in another folder."""


@pytest.fixture(params=["numbers", "network", "policy"])
def damaged(request, tmp_path):
    """A folder in which one of the files is cut off, or is one of another kind, and that file's name."""
    files = {"numbers": file_of("freestyle"), "network": network_file("freestyle")}
    for what, file in files.items():
        data = file.read_bytes()
        (tmp_path / file.name).write_bytes(data[:2000] if what == request.param else data)
    files["policy"] = policy_file("freestyle")
    if request.param == "policy":
        (tmp_path / files["policy"].name).write_bytes(files["network"].read_bytes())
    return tmp_path, files[request.param].name


@pytest.mark.parametrize("place", [0, 1])
def test_no_match_begins(damaged, place):
    folder, name = damaged
    players = ["engine", "engine"]
    players[place] = f"engine,weights={folder}"
    answer = run("match", *players, "--nodes", "50", "--games", "2", "--concurrency", "2")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert name in answer.err


@pytest.mark.long
def test_no_match_begins_by_rules_for_which_there_are_no_numbers(tmp_path):
    (tmp_path / "freestyle.npz").write_bytes(file_of("freestyle").read_bytes())
    answer = run("match", f"engine,weights={tmp_path}", "engine", "--rules", "renju", "--games", "2")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "renju.npz" in answer.err


def test_nobody_sits_down_at_a_terminal(damaged):
    folder, name = damaged
    answer = run("play", "--white", f"engine,weights={folder}", "--plain")
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert name in answer.err


def elsewhere(folder, *words, typed=""):
    """A command in a process that takes its files from another folder."""
    return subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(folder), *words],
        input=typed,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.long
def test_an_analysis_says_it_in_a_line(damaged):
    folder, name = damaged
    done = elsewhere(folder, "analyse", "h8", "--nodes", "100", "--json")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert name in done.stderr
    assert name in json.loads(done.stdout)["error"]


@pytest.mark.long
def test_the_gomocup_protocol_answers_with_an_error_and_goes_on(damaged):
    folder, name = damaged
    done = elsewhere(folder, "engine", typed="START 15\nBEGIN\nABOUT\nEND\n")
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert any(line.startswith("ERROR") and name in line for line in lines)
    assert any('name="' in line for line in lines)
