"""Files by extension."""

from __future__ import annotations

import importlib
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given

from tengen import Board, Record
from tengen.formats import files
from tengen.formats.common import FormatError
from tengen.formats.files import (
    FORMATS,
    FileError,
    check_writable,
    format_of,
    read_file,
    shown,
    write_files,
    write_whole,
)
from tests.errors import key_of
from tests.formats import strategies

PLAIN = strategies.main_lines(strategies.FIFTEEN, strategies.headers("black", "white"))


def game(moves="h8i9g7"):
    record = Record("freestyle", headers={"black": "林", "white": "b"})
    record.add(moves)
    return record


def moves(record):
    return [node.point for node in record.main_line()]


def names(folder):
    return sorted(path.name for path in Path(folder).iterdir())


# -- the registry


@pytest.mark.parametrize("extension", FORMATS)
def test_formats_are_those_of_their_modules(extension):
    kind = FORMATS[extension]
    for name in (kind.reader, kind.writer):
        module, function = name.split(":")
        assert callable(getattr(importlib.import_module(module), function))


@pytest.mark.parametrize("extension", FORMATS)
def test_a_game_in_every_format(tmp_path, extension):
    path = tmp_path / f"game{extension.upper()}"
    written = write_files([game()], path)
    assert (written.paths, written.games, written.problems) == ([path], 1, [])
    (record,) = read_file(str(path)).records
    if extension == ".board":
        assert record.setup.position == game().board().position
    elif extension == ".rec":
        assert len(moves(record)) == 3
    else:
        assert moves(record) == moves(game())


@given(PLAIN)
def test_what_formats_say_of_a_game_is_the_same(record):
    """Through every format that holds a line of moves the same points come back."""
    for extension in (".sgf", ".psq", ".json", ".txt"):
        kind = FORMATS[extension]
        (back,) = kind.read(kind.write([record])).records
        assert moves(back) == moves(record)
        assert back.rules.size_text == record.rules.size_text


@pytest.mark.parametrize("name", ["game", "game.pdf", ".sgf", "game.sgf.bak", ""])
def test_extensions_that_say_nothing(name):
    assert key_of(format_of, name) == "error.file.extension"
    assert key_of(read_file, name) == "error.file.extension"
    assert key_of(write_files, [game()], name) == "error.file.extension"


# -- reading


def test_files_that_cannot_be_read(tmp_path):
    folder = tmp_path / "folder.sgf"
    folder.mkdir()
    for name, reason in (
        (tmp_path / "none.sgf", "file.missing"),
        (folder, "file.directory"),
        ("\0.sgf", None),
        ("~nobody-of-this-name/x.sgf", None),
    ):
        with pytest.raises(FileError) as caught:
            read_file(name)
        message = caught.value.message
        assert message.key == "error.file.read"
        assert reason is None or message.values["reason"].key == reason


def test_the_file_is_named(tmp_path):
    path = tmp_path / "a.sgf"
    path.write_bytes(b"nothing")
    with pytest.raises(FormatError, match=r"a\.sgf: no SGF game"):
        read_file(path)


def test_a_file_that_is_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 10)
    monkeypatch.setattr("tengen.formats.text.MAX_BYTES", 10)
    path = tmp_path / "a.txt"
    path.write_bytes(b"h8i9j10k11" * 10)
    with pytest.raises(FormatError) as caught:
        read_file(path)
    assert caught.value.message.values["reason"].values == {"size": 11, "most": 10}


def test_names_fit_on_a_line():
    assert shown("a\nb\u202e.sgf") == "a?b?.sgf"
    assert len(shown("x" * 1000)) == 203


# -- writing


def test_many_games_in_one_file(tmp_path):
    written = write_files([game(), game("a1")], tmp_path / "a.sgf")
    assert written.paths == [tmp_path / "a.sgf"]
    assert list(map(moves, read_file(tmp_path / "a.sgf").records)) == [[112, 128, 96], [0]]


def test_many_games_in_numbered_files(tmp_path):
    written = write_files([game()] * 10, tmp_path / "a.psq")
    assert names(tmp_path) == [f"a-{number:02}.psq" for number in range(1, 11)]
    assert [path.name for path in written.paths] == names(tmp_path)
    assert written.games == 10


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("%d.psq", ["1.psq", "2.psq"]),
        ("a%03d.sgf", ["a001.sgf", "a002.sgf"]),
        ("%da.json", ["1a.json", "2a.json"]),
    ],
)
def test_names_with_a_number(tmp_path, name, expected):
    write_files([game(), game()], tmp_path / name)
    assert names(tmp_path) == expected


def test_one_game_with_a_number(tmp_path):
    write_files([game()], tmp_path / "a-%d.sgf")
    assert names(tmp_path) == ["a-1.sgf"]


def test_files_in_a_folder(tmp_path):
    write_files([game()], tmp_path, "psq", "liga")
    write_files([game(), game()], tmp_path, ".SGF", "liga")
    write_files([game(), game()], tmp_path, "rec", "liga")
    assert names(tmp_path) == ["liga-1.rec", "liga-2.rec", "liga.psq", "liga.sgf"]


@pytest.mark.parametrize("name", ["a.txt", "a.psq", "a-%d.txt"])
def test_games_that_do_not_fit_are_listed(tmp_path, name):
    setup = Record(setup=Board.from_stones(["h8"]))
    written = write_files([game(), setup, game("a1")], tmp_path / name)
    assert written.games == 2
    assert [(problem.game, problem.message.key) for problem in written.problems] == [
        (2, "error.write.setup")
    ]
    kept = [moves(record) for path in sorted(tmp_path.iterdir()) for record in read_file(path).records]
    assert kept == [[112, 128, 96], [0]]


@pytest.mark.parametrize("name", ["a.txt", "a.psq"])
def test_nothing_is_written_where_nothing_fits(tmp_path, name):
    setup = Record(setup=Board.from_stones(["h8"]))
    written = write_files([setup, setup], tmp_path / name)
    assert (written.paths, written.games, len(written.problems)) == ([], 0, 2)
    assert names(tmp_path) == []


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "a.sgf"
    path.write_text("old")
    link = tmp_path / "link.sgf"
    link.symlink_to(path)
    write_files([game()], link)
    assert link.is_symlink()
    assert moves(read_file(path).records[0]) == moves(game())
    assert names(tmp_path) == ["a.sgf", "link.sgf"]


def test_what_was_there_stays_where_writing_fails(tmp_path, monkeypatch):
    path = tmp_path / "a.sgf"
    path.write_text("old")

    def full(_path, _target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(FileError, match="no space is left"):
        write_files([game()], path)
    assert names(tmp_path) == ["a.sgf"]
    assert path.read_text() == "old"


def test_files_that_cannot_be_written(tmp_path):
    folder = tmp_path / "folder.sgf"
    folder.mkdir()
    (tmp_path / "file").touch()
    for name in (folder, tmp_path / "none" / "a.sgf", tmp_path / "file" / "a.sgf", "\0.sgf"):
        assert key_of(write_files, [game()], name) == "error.file.write"
        assert key_of(check_writable, name) == "error.file.write"
    assert names(tmp_path) == ["file", "folder.sgf"]


def test_what_can_be_written_is_left_as_it_was(tmp_path):
    old = tmp_path / "old"
    old.write_text("old")
    check_writable(old)
    check_writable(tmp_path / "new")
    assert names(tmp_path) == ["old"]
    assert old.read_text() == "old"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes")
def test_a_pipe_takes_what_it_gets(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    check_writable(pipe)
    write_whole(pipe, b"all of it")
    reader.join(10)
    assert heard == [b"all of it"]
    assert names(tmp_path) == ["pipe"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything may be written")
def test_a_folder_without_permission(tmp_path):
    tmp_path.chmod(0o500)
    assert key_of(write_files, [game()], tmp_path / "a.sgf") == "error.file.write"
