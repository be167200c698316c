"""The command `tengen convert`, and what it is made of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen import Rules, Session
from tengen.formats.files import read_file
from tests.console import process, run

SGF = """(;GM[4]SZ[15]PB[林]PW[b];B[hh];W[ig](;B[gg]C[花月])(;B[ff]))
(;]SZ[15];B[aa];W[aa])
(;GM[4]SZ[15];B[oo])
"""


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text(SGF, "utf-8")
    return path


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.sgf"
    path.write_text("(;GM[4]SZ[15]PB[a];B[hh];W[ig])", "utf-8")
    return path


def moves(path):
    return [[node.point for node in record.main_line()] for record in read_file(path).records]


def test_one_game(good, tmp_path):
    answer = run("convert", str(good), str(tmp_path / "out.psq"))
    assert (answer.status, answer.err) == (0, "")
    assert answer.out == f"1 game written to {tmp_path / 'out.psq'}\n"
    assert (tmp_path / "out.psq").read_bytes() == (
        b"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,0\r\na\r\nhomo-2\r\n0\r\n"
    )


def test_games_that_cannot_be_read_are_listed(source, tmp_path):
    answer = run("convert", str(source), str(tmp_path / "out.json"))
    assert answer.status == 1
    assert answer.out == f"2 games written to {tmp_path / 'out.json'}\n"
    assert answer.err.startswith("tengen: game 2: line 2, column 3: expected a property with its value")
    assert answer.err.count("\n") == 1
    assert moves(tmp_path / "out.json") == [[112, 128, 126], [14]]


def test_many_files(source, tmp_path):
    answer = run("convert", str(source), str(tmp_path / "out.psq"))
    assert answer.status == 1
    assert (
        answer.out == f"2 games written to 2 files, {tmp_path / 'out-1.psq'} to {tmp_path / 'out-2.psq'}\n"
    )
    assert moves(tmp_path / "out-2.psq") == [[14]]


def test_a_folder(good, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    assert run("convert", str(good), str(folder), "--to", "txt").status == 0
    assert (folder / "good.txt").read_text() == "h8i9\n"


def test_games_that_do_not_fit_are_listed_by_their_number_in_the_file(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("(;];B[hh];W[hh])(;GM[4];B[hh])(;GM[4]AB[aa];W[hh])(;GM[4];B[ii])")
    answer = run("convert", str(path), str(tmp_path / "out.txt"))
    assert answer.status == 1
    assert [line.split(":")[1] for line in answer.err.splitlines()] == [" game 1", " game 3"]
    assert (tmp_path / "out.txt").read_text() == "# rules: freestyle 15x15\nh8\ni7\n"


def test_json(source, tmp_path):
    answer = run("convert", str(source), str(tmp_path / "out-%d.psq"), "--json", lang="zh")
    assert answer.status == 1
    assert json.loads(answer.out) == {
        "read": 2,
        "written": 2,
        "files": [str(tmp_path / "out-1.psq"), str(tmp_path / "out-2.psq")],
        "problems": [
            {
                "game": 2,
                "problem": "第 2 行第 3 列：应为属性及其值、; ( 或 )，却是“]SZ[15];B[aa];W[aa])...”",
                "missing": "game",
                "lost": True,
            }
        ],
        "not_kept": "psq 不保留变化、注释；要保留全部内容请用 sgf、json",
    }


def test_what_is_told_of_a_file_of_which_nothing_is_lost(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[4]RU[3];B[hh];W[hh])(;GM[4]RU[3];B[hh])(;GM[4]AB[aa];W[hh])")
    answer = run("convert", str(path), str(tmp_path / "out.txt"), "--json")
    lost = [(problem["game"], problem["lost"]) for problem in json.loads(answer.out)["problems"]]
    assert lost == [(1, False), (1, True), (3, True)]
    assert answer.status == 1
    path.write_text("(;GM[4]RU[3];B[hh])")
    answer = run("convert", str(path), str(tmp_path / "out.txt"))
    assert answer.status == 0
    assert "game 1: line 1, column 11: '3' is not the name of any known rules" in answer.err


def test_other_rules(good, tmp_path):
    assert run("convert", str(good), str(tmp_path / "out.sgf"), "--rules", "renju").status == 0
    assert read_file(tmp_path / "out.sgf").records[0].rules == Rules.named("renju")


def test_a_saved_session(tmp_path):
    session = Session()
    session.play("h8")
    (tmp_path / "saved.json").write_text(session.to_json(), "utf-8")
    assert run("convert", str(tmp_path / "saved.json"), str(tmp_path / "out.sgf")).status == 0
    assert moves(tmp_path / "out.sgf") == [[112]]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("none.sgf", "out.psq"), "none.sgf cannot be read: there is no such file or folder"),
        (("good.sgf", "out.doc"), "the format of out.doc is unclear"),
        (("good.doc", "out.sgf"), "good.doc cannot be read: there is no such file or folder"),
        ((".", "out.sgf"), ". cannot be read: it is a folder"),
        (("good.sgf", ".", "--to", "sgf"), "good.sgf is the file being read"),
        (("good-1.sgf", "good-%d.sgf"), "good-1.sgf is the file being read"),
        (("good.sgf", "-"), "standard output needs the format, such as --to sgf"),
        (("two.sgf", "-", "--to", "psq"), "psq holds one game a file, and 2 were read"),
        (("good.sgf", "."), ". is a folder: name the format to write with --to"),
        (("good.sgf", ".", "--to", "doc"), "'doc' is not a format: expected one of sgf, psq"),
        (("good.sgf", "none/out.psq"), "none/out.psq cannot be written"),
        (("good.sgf", "./good.sgf"), "good.sgf is the file being read"),
        (("good.sgf", "out.sgf", "--rules", "go"), "'go' is not the name of rules"),
        (("bad.sgf", "out.psq"), "bad.sgf: no SGF game begins in it"),
        (
            ("worse.json", "out.psq"),
            "worse.json: none of its 2 games can be read; the first: rules field k is 0",
        ),
        (
            ("setup.sgf", "out.psq"),
            "out.psq cannot be written: this format cannot hold a game that starts from",
        ),
        (("good.sgf",), "OUT is missing"),
    ],
)
def test_what_cannot_be_done(good, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.sgf").write_text("hello")
    games = [{"rules": {"k": 0}, "nodes": [{}]}] * 2
    content = {"format": "tengen record", "version": 1, "games": games}
    (tmp_path / "worse.json").write_text(json.dumps(content))
    (tmp_path / "setup.sgf").write_text("(;GM[4]AB[hh])")
    (tmp_path / "two.sgf").write_text("(;GM[4];B[hh])(;GM[4];B[gg])")
    (tmp_path / "good-1.sgf").write_bytes(good.read_bytes())
    before = sorted(tmp_path.iterdir())
    answer = run("convert", *words)
    assert answer.status == 2
    assert answer.out == ""
    assert answer.err.startswith(f"tengen: {sentence}")
    assert answer.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before
    assert json.loads(run("convert", *words, "--json").out)["error"].startswith(sentence)
    assert good.exists()


def test_a_file_is_recognised_by_its_content(good, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("noext", "games.pdf"):
        Path(name).write_bytes(good.read_bytes())
        assert run("convert", name, "out.sgf").out == "1 game written to out.sgf\n"
        assert moves(tmp_path / "out.sgf") == moves(good)


def test_standard_output(good, tmp_path):
    answer = process("convert", "good.sgf", "-", "--to", "json", cwd=tmp_path)
    assert (answer.status, answer.err) == (0, "")
    (tmp_path / "out.json").write_text(answer.out, "utf-8")
    assert moves(tmp_path / "out.json") == moves(good)
    one = process("convert", "good.sgf", "-", "--to", "lib", cwd=tmp_path)
    assert (one.status, one.out[:1]) == (0, "\ufffd")  # the bytes of a RenLib library, and nothing else
    assert one.err.count("\n") == 1
    assert "lib does not keep" in one.err
    both = run("convert", str(good), "-", "--to", "sgf", "--json")
    assert (both.status, json.loads(both.out)) == (2, {"error": "--json and - cannot be used together"})


def test_in_a_process_of_its_own(source, tmp_path):
    answer = process("convert", "games.sgf", "out.txt", cwd=tmp_path)
    assert (answer.status, answer.out) == (1, "2 games written to out.txt\n")
    assert (tmp_path / "out.txt").read_text() == "# rules: freestyle 15x15\nh8i9g9\no1\n"
    assert source.read_text("utf-8") == SGF


def test_only_what_is_asked_for_counts(tmp_path):
    """A format without variations misses none."""
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[4]SZ[15];B[hh];W[ii](;B[gh]TR[pp])(;B[gg];W[hh];B[jj]))")
    for name, status in (("out.sgf", 1), ("out.json", 1), ("out.psq", 0), ("out.txt", 0)):
        answer = run("convert", str(path), str(tmp_path / name))
        assert answer.status == status
        assert answer.err.splitlines()[:2] == [
            "tengen: game 1: line 1, column 36: pp is off the 15x15 board, whose points run from a1 to o15",
            "tengen: game 1: line 1, column 50: h8 is occupied; this variation ends before it",
        ]
        assert moves(tmp_path / name) == [[112, 98, 111]]
    path.write_text("(;GM[4]SZ[15];B[hh]TR[pp];W[ii])")
    assert run("convert", str(path), str(tmp_path / "out.sgf")).status == 0


def test_a_guess_is_told_and_can_be_corrected(tmp_path):
    path, out = tmp_path / "games.sgf", tmp_path / "out.sgf"
    path.write_bytes("(;GM[4]SZ[15]PB[Иванов]PW[Сидоров];B[hh];W[ii])".encode("cp1251"))
    answer = run("convert", str(path), str(out))
    assert (answer.status, answer.err.splitlines()) == (
        0,
        [
            "tengen: its text is read as windows-1251, a guess: the file does not name its encoding "
            "(--encoding names another)"
        ],
    )
    assert read_file(out).records[0].headers == {"black": "Иванов", "white": "Сидоров"}
    answer = run("convert", str(path), str(out), "--encoding", "koi8-r")
    assert (answer.status, answer.err) == (0, "")
    assert read_file(out).records[0].headers["black"] == "хБЮМНБ"
    answer = run("convert", str(path), str(out), "--encoding", "klingon")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("tengen: 'klingon' is no text encoding: expected one such as gb18030")
    answer = run("convert", str(path), str(out), "--json")
    assert json.loads(answer.out)["problems"] == [
        {
            "game": 0,
            "problem": "its text is read as windows-1251, a guess: the file does not name its encoding",
            "missing": "nothing",
            "lost": False,
        }
    ]
