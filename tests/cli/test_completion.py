"""Shells are told how a command line may go on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.cli.completion import SHELLS, completer, offered
from tests.console import run

TENGEN = Path(sys.executable).with_name("tengen")


def asked(shell, words, **more):
    """What the program answers a shell that has these words, the last of them not yet complete."""
    text = " ".join(words)
    variables = {
        "_TYPER_COMPLETE_ARGS": text,
        "COMP_WORDS": text,
        "COMP_CWORD": str(len(words) - 1),
        **more,
    }
    environment = {**os.environ, "_TENGEN_COMPLETE": f"complete_{shell}", "LANG": "C", **variables}
    done = subprocess.run([TENGEN], env=environment, capture_output=True, text=True, check=False)
    assert not done.stderr
    return [line for line in done.stdout.splitlines() if line]


def test_commands_options_and_names_in_bash():
    assert asked("bash", ["tengen", "so"]) == ["solve"]
    assert asked("bash", ["tengen", "solve", "v"]) == ["vcf", "vct"]
    assert asked("bash", ["tengen", "show", "h8i9", "--num"]) == ["--numbers"]
    assert asked("bash", ["tengen", "show", "--rules", "re"]) == ["renju"]
    assert asked("bash", ["tengen", "play", "--black", "min"]) == ["minimax"]
    assert asked("bash", ["tengen", "nonsense", "--ru"]) == []


def test_fish_has_each_answer_on_one_line():
    more = {"_TYPER_COMPLETE_FISH_ACTION": "get-args", "LANG": "zh_CN.UTF-8", "PYTHONIOENCODING": "utf-8"}
    lines = asked("fish", ["tengen", "solve", "--t"], **more)
    assert [line.split("\t")[0] for line in lines] == ["--threats"]


def test_zsh_is_told_what_commands_do():
    (line,) = asked("zsh", ["tengen", "verif"])
    assert '"verify":"Check a proof' in line


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_script_works_in_bash(monkeypatch):
    monkeypatch.setenv("SHELL", "/bin/bash")
    script = run("--show-completion").out
    words = "COMP_WORDS=(tengen verif); COMP_CWORD=1; _tengen_completion tengen; echo ${COMPREPLY[@]}"
    lines = f"{script}\n{words}"
    path = f"{TENGEN.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    command = ["bash", "--norc", "-c", lines]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "verify\n"


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if "p" not in shell])
def test_it_is_installed_for_the_shell_in_use(shell, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    answer = run("--install-completion")
    assert answer.status == 0
    assert answer.out.startswith(f"{shell} completes tengen")
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert any("_TENGEN_COMPLETE" in file.read_text("utf-8") for file in written)


@pytest.mark.parametrize("option", ["--show-completion", "--install-completion"])
def test_a_shell_that_is_not_known(option, monkeypatch):
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    answer = run(option)
    assert (answer.status, answer.out) == (2, "")
    assert "'tcsh' is none of them" in answer.err


def test_what_is_offered():
    assert "renju" in offered("--rules", ("NAME",))
    assert "swap2" in offered("--opening", ("NAME",))
    assert "wood" in offered("--theme", ("NAME",))
    assert "sgf" in offered("--to", ("FORMAT",))
    assert {"human", "level:4", "engine"} <= set(offered("--black", ("human", "SPEC")))
    assert "shapes:o2" in offered("A", ("A",))
    assert offered("--fouls", ("forbidden", "loses", "claimed")) == ("forbidden", "loses", "claimed")
    complete = completer("--fouls", "forbidden|loses|claimed")
    assert complete is not None
    assert complete("lo") == ["loses"]
    assert completer("--out", "FILE") is None
    assert completer("--size", "W[xH]") is None
