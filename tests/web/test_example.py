"""The client in ``examples/`` plays on a real server."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tests.web.serving import serve

CLIENT = Path(__file__).parents[2] / "examples" / "web_client.py"


@pytest.mark.long
def test_a_program_plays_a_game(capsys):
    with serve() as server:
        runpy.run_path(str(CLIENT))["main"](server.url)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last in {"winner: black", "winner: None"}  # its opponent is random, and now and then draws
