"""Games from files, text and bytes, and as files and text: `tengen.read`, `write` and `to_text`."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import tengen
from tengen import Board, FormatWarning, Record, Rules
from tengen.formats.common import FormatError
from tengen.formats.files import FORMATS, FileError
from tests.errors import key_of

BROKEN = "(;GM[4]SZ[15]PB[Ann];B[hh];W[hh];B[aa])(;GM[4]SZ[15];B[hh]C[good])"
"""Two games, the first with an impossible move."""


def game(moves: str = "h8i9g7", rules: str = "freestyle", **headers: str) -> Record:
    return Record.from_board(Board.from_moves(moves, rules), headers)


def rich() -> Record:
    """A game with a variation, a comment and a header of its own."""
    record = game(rules="renju", black="林", mood="good")
    record.add("j7", record.main_line()[0]).comment = "[or] this\\"
    return record


@pytest.mark.parametrize("extension", FORMATS)
def test_every_format_is_read_and_written(extension, tmp_path):
    path = tmp_path / f"game{extension}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)  # what a format does not keep
        assert tengen.write(game(), path) == [path]
        (back,) = tengen.read(path, size=15)
    assert back.board().position == game().board().position


@pytest.mark.parametrize("extension", [".sgf", ".json", ".jsonl"])
def test_nothing_is_lost(extension, tmp_path):
    path = tmp_path / f"games{extension}"
    records = [rich(), Record("tictactoe"), Record(setup=Board.from_stones(["h8"], ["i9"], 2, "renju"))]
    tengen.write(iter(records), str(path))
    assert tengen.read(str(path)) == tengen.read(path.read_bytes()) == records
    assert tengen.read(tengen.to_text(records, extension)) == records


@pytest.mark.parametrize("extension", FORMATS)
def test_content_tells_where_the_name_does_not(extension, tmp_path):
    if extension == ".rec":
        pytest.skip("a rec file is numbers, and cannot be recognised")
    path = tmp_path / "game"
    path.write_bytes(FORMATS[extension].write([game()]))
    (found,) = tengen.read(path)
    assert found.board().position == game().board().position
    assert tengen.read(path.read_bytes()) == [found]


def test_text_in_any_form():
    assert tengen.read("h8i9g7") == [game()]
    assert tengen.read("X O .\n. . .\n. X .")[0].rules.name == "tictactoe"


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\n", "\t", "\0\1", "\ufeff", "\u200b \u3000", "#\n\n# nothing"]
)
def test_where_there_is_nothing_there_is_no_game(text, tmp_path):
    path = tmp_path / "game.txt"
    path.write_bytes(text.encode())
    for source in (text, text.encode(), path):
        with pytest.raises(FormatError, match="it contains no game"):
            tengen.read(source)


def test_a_game_without_moves_is_a_game(tmp_path):
    for extension in FORMATS:
        if extension in (".rif", ".xml", ".rec", ".psq"):
            continue
        (found,) = tengen.read(tengen.write(Record("renju"), tmp_path / f"game{extension}")[0])
        assert found.main_line() == []


def test_text_that_names_a_file_is_that_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("h8i9").write_text("g7")
    assert tengen.read("h8i9") == [game("g7")]
    assert tengen.read("h8i9g7") == [game()]
    with pytest.raises(FileError, match=r"gmae\.sgf cannot be read"):
        tengen.read("gmae.sgf")
    with pytest.raises(FileError, match="cannot be read: it is a folder"):
        tengen.read(tmp_path)


def test_rules_and_sizes_that_the_source_does_not_state(tmp_path):
    assert tengen.read("p16", rules="renju", size=19)[0].rules == Rules.named("renju", 19)
    assert tengen.read("p16", size="20x19")[0].rules == Rules.named("freestyle", (20, 19))
    path = tmp_path / "moves.txt"
    path.write_text("p16")
    assert tengen.read(path, rules=Rules.named("caro", 20))[0].rules == Rules.named("caro", 20)
    path = tmp_path / "game.rec"
    tengen.write(game("a1b2"), path.with_suffix(".json"))
    with pytest.warns(FormatWarning, match="does not keep"):
        tengen.write(game("a1b2"), path)
    assert tengen.read(path, size=15)[0].board().moves == (0, 16)


def test_rules_asked_for_are_those_of_the_games():
    text = "(;GM[4]SZ[15]RU[renju];B[hh]C[good](;W[ii])(;W[jj]))"
    (record,) = tengen.read(text, rules="standard")
    assert record.rules == Rules.named("standard")
    assert [len(node.children) for node in record.nodes()] == [1, 2, 0, 0]
    assert record.main_line()[0].comment == "good"


def test_an_encoding_that_a_file_does_not_declare(tmp_path):
    path = tmp_path / "game.txt"
    path.write_bytes("(;GM[4]PB[林海峰];B[hh])".encode("gb18030"))
    assert tengen.read(path, encoding="gb18030")[0].headers["black"] == "林海峰"
    assert key_of(tengen.read, path, encoding="klingon") == "error.format.encoding"


# -- faults


def test_a_fault_loses_one_thing_and_is_a_warning(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text(BROKEN)
    with pytest.warns(FormatWarning) as caught:
        first, second = tengen.read(path)
    assert (len(first.main_line()), first.headers["black"]) == (1, "Ann")
    assert second.main_line()[0].comment == "good"
    (warning,) = caught
    assert str(warning.message).startswith(f"{path}: game 1: line 1, column 30: ")
    assert warning.filename == __file__
    assert isinstance(warning.message, FormatWarning)
    assert [(problem.game, problem.missing) for problem in warning.message.problems] == [(1, "moves")]


def test_several_faults_are_counted():
    with pytest.warns(FormatWarning, match=r"game 1: .*; 1 more fault \(the rest was read\)"):
        tengen.read(BROKEN + "(;GM[4]SZ[15];B[zz])")


def test_guesses_are_no_losses():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(tengen.read("8,8 9,9 7,9")[0].main_line()) == 3


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("h8i9q99", "q99"),
        ("h8h8", "h8 is occupied"),
        ("(;GM[4]SZ[99])", "99"),
        ('{"format": "tengen record"}', "version"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(source, sentence):
    with pytest.raises(tengen.TengenError, match=sentence) as raised:
        tengen.read(source)
    assert "\n" not in str(raised.value)


def test_a_file_without_a_game_is_named(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("nothing")
    with pytest.raises(FormatError, match=str(path)):
        tengen.read(path)


# -- writing


def test_what_a_format_does_not_keep_is_a_warning(tmp_path):
    with pytest.warns(FormatWarning, match="does not keep") as caught:
        tengen.write(rich(), tmp_path / "game.psq")
    assert caught[0].filename == __file__


def test_nothing_is_written_if_one_game_cannot_be(tmp_path):
    games = [game(), Record("tictactoe"), game("a1")]
    with pytest.raises(FileError, match=r"games\.lib cannot be written: game 2: "):
        tengen.write(games, tmp_path / "games.lib")
    assert list(tmp_path.iterdir()) == []


def test_a_format_of_one_game_gets_several_files(tmp_path):
    paths = tengen.write([game(), game("a1")], tmp_path / "game-%02d.psq")
    assert [path.name for path in paths] == ["game-01.psq", "game-02.psq"]


def test_errors_of_writing(tmp_path):
    assert key_of(tengen.write, game(), tmp_path / "game.pdf") == "error.file.extension"
    assert key_of(tengen.write, [], tmp_path / "game.sgf") == "error.argument"
    assert key_of(tengen.to_text, game(), "lib") == "error.format.binary"
    assert key_of(tengen.to_text, game(), "pdf") == "error.file.extension"
