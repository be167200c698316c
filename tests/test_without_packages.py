"""What Tengen does where no other package is installed, as after ``pip install --no-deps tengen``."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.console import SOURCE, environment

FLOORS = ("words", "assets", "plaintext", "extras", "game", "formats", "gomocup", "players")

ALONE = f"import sys; sys.path.insert(0, {str(SOURCE)!r})\n"

IMPORTS = f"""
import importlib, pkgutil, tengen
names = [one.name for one in pkgutil.walk_packages(tengen.__path__, "tengen.")]
names = [name for name in names if name.split(".")[1] in {FLOORS} and not name.endswith("__main__")]
assert len(names) > 100, names
for name in names:
    importlib.import_module(name)
"""

GAME = """
from tengen import Board, Session, player
session = Session("renju", black=player("level:3"), white=player("level:1"), clock="300+5")
while session.result is None:
    session.play_computer()
assert session.result.winner == 1, session.board
again = Session.from_json(session.to_json(), player)
assert again.board == session.board and again.result == session.result
board = Board.from_moves("f8i10g8j7h7e9h6g5", rules="renju")
assert board.foul("h8").kind == "double-three"
"""

PLAYERS = """
from tengen import Board, player
from tengen.players.registry import ENTRIES
board = Board.from_moves("h8i9g7i7i8", rules="freestyle")
specs = [name for name in ENTRIES if name not in ("lookup", "level", "engine")]
assert "minimax" in specs and "mcts" in specs
for spec in (*specs, "level:1", "level:2", "level:3"):
    chosen = player(spec).choose(board).point
    assert board.is_legal(chosen), spec
    assert str(player(spec).explain(board).summary), spec
assert player("lookup").choose(Board(rules="tictactoe")).point == 4
"""

FORMATS = """
import tempfile
import tengen
from pathlib import Path
from tengen import Board, Record
from tengen.formats.files import FORMATS, read_file, write_files

def stones(board):
    return [set(board.stones(colour)) for colour in (1, 2)]

board = Board.from_moves("h8i9g7i7i8", rules="renju")
with tempfile.TemporaryDirectory() as folder:
    for extension in FORMATS:
        written = write_files([Record.from_board(board, {"black": "Ann"})], folder, extension)
        assert written.games == 1 and not written.problems, extension
        read = read_file(written.paths[0], (15, 15))
        assert stones(read.records[0].board()) == stones(board), extension
        assert tengen.read(written.paths[0], size=15) == read.records, extension
assert len(FORMATS) > 8
"""

PICTURES = """
from tengen import Board, draw
board = Board.from_moves("h8i9g7i7i8", rules="renju")
for theme in ("wood", "print"):
    drawing = draw(board, marks={"h8": "triangle"}, heat={112: 0.5}, numbers=True, theme=theme)
    assert drawing.svg.startswith("<svg")
"""


PARTS = {"modules": IMPORTS, "game": GAME, "players": PLAYERS, "formats": FORMATS, "pictures": PICTURES}


@pytest.mark.parametrize("script", PARTS.values(), ids=PARTS)
def test_it_does_without_packages(script):
    done = alone("-c", ALONE + script)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "call",
    [
        "tengen.Engine()",
        "tengen.player('engine')",
        "tengen.player('level:4')",
        "tengen.solve_vcf(board)",
        "tengen.match('engine', 'random')",
        "tengen.review(tengen.Record.from_board(board))",
        "tengen.review(tengen.Record.from_board(tengen.Board.from_moves('a1b2', rules='tictactoe')))",
        "tengen.draw(board).png()",
        "to_gif(animate(board))",
    ],
)
def test_the_rest_says_what_to_install(call):
    script = f"""
import tengen
from tengen.formats.pictures.animation import animate
from tengen.formats.pictures.gif import to_gif
board = tengen.Board.from_moves("h8i9")
try:
    {call}
except tengen.TengenError as error:
    assert isinstance(error, ImportError)
    print(error)
"""
    done = alone("-c", ALONE + script)
    said = done.stdout.strip()
    assert said.startswith("the package "), done.stderr
    assert said.endswith(" is missing: install it with pip install tengen")


def test_the_command_line_says_what_to_install():
    script = ALONE + "from tengen.__main__ import main; sys.exit(main(*sys.argv[1:]))"
    sentence = "the package cyclopts is missing: install it with pip install tengen"
    done = alone("-c", script, "fouls", "h8")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"tengen: {sentence}\n")
    done = alone("-c", script, "fouls", "h8", "--json")
    assert json.loads(done.stdout) == {"error": sentence}
    done = alone("-c", script, "fouls", "h8", "--lang", "zh")
    assert done.stderr == "tengen: 缺少 cyclopts 包：请用 pip install tengen 安装\n"


def alone(*words):
    """Run Python without the packages of its environment, and without the variables that add others."""
    command = [sys.executable, "-I", "-S", "-X", "utf8", *words]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", env=environment(), check=False, timeout=200
    )
