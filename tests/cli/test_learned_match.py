"""The match at the end of ``tengen train network``: what it decides, and going on with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.arena.statistics import Tally
from tengen.cli.learned_match import _verdict
from tests.console import environment, until


@pytest.mark.parametrize(
    ("pairs", "verdict"),
    [
        ([(1, 1)] * 20 + [(1, 0)] * 20, "better"),
        ([(0, 0)] * 20 + [(1, 0)] * 20, "worse"),
        ([(1, 0)] * 20, "open"),
        ([(1, 1)] * 5 + [(0, 0)] * 4 + [(1, 0)] * 20, "open"),
        ([(1, 1)], "open"),
        ([(1, 1)] * 20, "better"),
        ([(0, 0)] * 20, "worse"),
        ([(0.5, 0.5)] * 20, "open"),
        ([], "open"),
    ],
)
def test_what_is_outside_the_error_is_decided(pairs, verdict):
    assert _verdict(Tally.from_pairs(pairs)) == verdict


QUICK = """
import sys

from tengen.cli import learned_match, main

learned_match.SECONDS = 0.002
sys.exit(main(sys.argv[1:]))
"""
"""Tengen with less time for each move."""


def start(*words: str) -> subprocess.Popen[bytes]:
    """Start a command in a process of its own."""
    command = [sys.executable, "-c", QUICK, *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment(), stdout=pipe, stderr=pipe, start_new_session=True)


def kept(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines() if path.exists() else []


@pytest.mark.long
@pytest.mark.usefixtures("compiled")
def test_the_same_command_goes_on_with_a_match_that_was_stopped(tmp_path):
    path, out = tmp_path / "freestyle-match.jsonl", str(tmp_path)
    quick = ("--size", "9", "--nodes", "40", "--games", "12", "--epochs", "1", "--concurrency", "1")
    lines: list[bytes] = []
    for _ in range(2):
        running = start("train", "network", *quick, "--match", "300", "--out", out)
        until(lambda: len(kept(path)) > len(lines) + 1)  # noqa: B023 - called at once
        os.kill(running.pid, signal.SIGINT)
        said, err = running.communicate(timeout=240)
        assert running.returncode == 130
        assert b"run the same command to continue" in err
        assert b"Elo: " in said
        assert (tmp_path / "freestyle-network.npz").exists()
        assert kept(path)[: len(lines)] == lines, "what was played is there"
        lines = kept(path)
    assert b"continuing the fit after 1 of 1 epoch" in err
    assert b"has not been played" in (tmp_path / "freestyle-network.md").read_bytes()
