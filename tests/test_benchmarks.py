"""The benchmarks say what they lack, and measure the rest."""

from __future__ import annotations

import re
import shutil
import sys

import pytest
from benchmarks import solved, web, wins


def test_without_playwright_the_page_is_left_out_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    web.page("http://127.0.0.1:1")
    assert capsys.readouterr().out.splitlines() == [
        "  Playwright is not installed (pip install playwright): the page is not measured"
    ]


def test_without_a_browser_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    web.page("http://127.0.0.1:1")
    assert capsys.readouterr().out == "  no Chromium here: the page is not measured\n"


@pytest.mark.usefixtures("compiled")
def test_a_solved_game_is_a_row_beside_the_literature() -> None:
    found = solved.row("4,3,3", solved.solved("4,3,3", 60.0, 64)).split(" | ")
    assert found[:5] == ["| (4,3,3)", "win", "win", "7", "a1 b1 b2"]
    cut = solved.row("8,8,5", solved.solved("8,8,5", 0.05, 8)).split(" | ")
    assert cut[1:5] == ["no loss", "draw", "", "..."]


@pytest.mark.usefixtures("compiled")
def test_wins_hold_against_every_defence(capsys: pytest.CaptureFixture[str]) -> None:
    wins.main(2)
    assert re.fullmatch(
        r"  2 of 2 wins hold, \d+ plies at most; [\d,]+ defences tried, 0 not beaten; \d+ s\n",
        capsys.readouterr().out,
    )


@pytest.mark.usefixtures("compiled")
def test_a_defence_that_is_not_beaten_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wins, "AGAIN", 1)
    wins.main(1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("  not beaten (")
    assert lines[-1].startswith("  0 of 1 wins hold")
