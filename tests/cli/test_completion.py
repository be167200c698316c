"""Shells are told how a command line may go on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tengen.cli.completion import SHELLS, completer, offered
from tests.console import run

TENGEN = Path(sys.executable).with_name("tengen")


def asked(*words):
    """What the program answers a script that asks for values, the last of these words not yet complete."""
    done = subprocess.run([TENGEN, "__complete", *words], capture_output=True, text=True, check=True)
    _, _, answer = done.stdout.partition("\x1fbegin\n")
    return [line.split("\t")[0] for line in answer.splitlines()]


def script(shell, monkeypatch, lang="en"):
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    return run("--show-completion", lang=lang).out


def test_values_are_asked_of_the_program():
    assert asked("solve", "v") == ["vcf", "vct"]
    assert asked("show", "h8i9", "--rules", "re") == ["renju"]
    assert asked("play", "--black", "min") == ["minimax"]
    assert asked("show", "h8i9", "--size", "1") == []


@pytest.mark.long
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "pwsh"])
def test_scripts_know_commands_and_options(shell, monkeypatch):
    text = script(shell, monkeypatch)
    assert all(word in text for word in ("verify", "numbers", "no-repeat", "lang", "__complete"))


@pytest.mark.long
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_some_shells_are_told_what_commands_and_options_do(shell, monkeypatch):
    text = script(shell, monkeypatch)
    assert "Check a proof" in text
    assert "Answer in JSON" in text
    assert "以 JSON 回答" in script(shell, monkeypatch, lang="zh")


def test_the_script_of_an_earlier_version_gets_no_answer():
    """And above all starts no web app."""
    asked_as_before = {**os.environ, "_TENGEN_COMPLETE": "complete_bash"}
    done = subprocess.run([TENGEN], env=asked_as_before, capture_output=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.long
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_script_works_in_bash(monkeypatch):
    for typed, offered_words in (("verif", "verify"), ("show --num", "--numbers"), ("solve vc", "vcf vct")):
        words = typed.split()
        lines = (
            script("bash", monkeypatch),
            f"COMP_WORDS=(tengen {typed}); COMP_CWORD={len(words)}",
            "$(complete -p tengen | sed 's/.*-F \\([^ ]*\\).*/\\1/') tengen; echo ${COMPREPLY[@]}",
        )
        path = f"{TENGEN.parent}{os.pathsep}{os.environ['PATH']}"
        command = ["bash", "--norc", "-c", "\n".join(lines)]
        done = subprocess.run(
            command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == offered_words.split()


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if "p" not in shell])
def test_it_is_installed_for_the_shell_in_use(shell, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    answer = run("--install-completion")
    assert answer.status == 0
    assert answer.out.startswith(f"{shell} completes tengen")
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert any("__complete" in file.read_text("utf-8") for file in written)


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
    complete = completer("forbidden|loses|claimed")
    assert complete is not None
    assert complete(SimpleNamespace(incomplete="lo", argument=SimpleNamespace(name="--fouls"))) == ["loses"]
    assert completer("FILE") is None
    assert completer("W[xH]") is None
