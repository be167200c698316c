"""`tengen show` with pictures, as its users meet it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from tengen import Board, draw
from tengen.words import say
from tests.console import process, run
from tests.formats.pictures.compare import SVG, layer, parsed, structure, texts

MOVES = "h8h9i8i9"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def opened(path: Path) -> Image.Image:
    """The picture in a file, which is closed again."""
    return Image.open(io.BytesIO(path.read_bytes()))


def test_an_svg(tmp_path):
    answer = run("show", MOVES, "--svg", "board.svg")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out == run("show", MOVES).out + "written to board.svg\n"
    root = parsed((tmp_path / "board.svg").read_text("utf-8"))
    assert structure(root) == structure(parsed(draw(Board.from_moves(MOVES))))


def test_a_png(tmp_path):
    assert run("show", MOVES, "--png", "board.png").status == 0
    image = opened(tmp_path / "board.png")
    assert (image.format, image.width) == ("PNG", 800)


def test_a_gif(tmp_path):
    assert run("show", MOVES, "--gif", "game.gif").status == 0
    image = opened(tmp_path / "game.gif")
    assert (image.format, image.width, getattr(image, "n_frames", 0)) == ("GIF", 480, 5)


def test_all_at_once_with_numbers_in_chinese(tmp_path):
    words = ("--svg", "a.svg", "--png", "b.png", "--gif", "c.gif", "--numbers", "--theme", "print")
    answer = run("show", MOVES, *words, lang="zh")
    assert answer.out.endswith(say("cli.show.written", "zh", files=("a.svg", "b.png", "c.gif")) + "\n")
    root = parsed((tmp_path / "a.svg").read_text("utf-8"))
    assert sorted(texts(root, "numbers")) == ["1", "2", "3", "4"]
    assert (root[0].text or "").startswith("五子棋")
    assert layer(root, "board")[0].get("fill") == "#fff"
    assert len((tmp_path / "b.png").read_bytes()) > 1000
    assert len((tmp_path / "c.gif").read_bytes()) > 1000


def test_as_json():
    answer = json.loads(run("show", MOVES, "--json", "--svg", "a.svg", "--png", "b.png").out)
    assert answer["files"] == ["a.svg", "b.png"]
    assert answer["moves"] == ["h8", "h9", "i8", "i9"]
    assert "files" not in json.loads(run("show", MOVES, "--json").out)


def test_points_forbidden_to_black_are_crossed_when_it_is_to_move(tmp_path):
    def crosses(moves: str) -> int:
        run("show", moves, "--rules", "renju", "--svg", "a.svg")
        found = layer(parsed((tmp_path / "a.svg").read_text("utf-8")), "fouls")
        return sum(element.attrib["d"].count("M") for element in found)

    assert crosses("f8i10g8j7h7e9h6g5") == 1
    assert crosses("f8i10g8j7h7e9h6g5a1") == 0
    assert crosses("f8i10g8j7h7e9h6g5h8") == 0


def test_a_long_board_is_no_wider_than_it_should_be(tmp_path):
    run("show", "a1", "--rules", "mnk:1,50,5", "--png", "a.png", "--gif", "a.gif")
    assert opened(tmp_path / "a.png").height == pytest.approx(800, abs=30)
    assert opened(tmp_path / "a.gif").height == pytest.approx(480, abs=30)


def test_a_file_of_the_same_name_is_replaced(tmp_path):
    (tmp_path / "a.svg").write_text("before")
    run("show", MOVES, "--svg", "a.svg")
    assert (tmp_path / "a.svg").read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize("option", ["--svg", "--png", "--gif"])
def test_a_file_that_cannot_be_written(option):
    answer = run("show", MOVES, option, "nowhere/a")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == "tengen: nowhere/a cannot be written: there is no such file or folder\n"
    assert run("show", MOVES, option, "a\x00b").status == 2


def test_a_theme_there_is_none_of(tmp_path):
    answer = run("show", MOVES, "--svg", "a.svg", "--theme", "pink", "--json")
    sentence = say(
        "error.picture.theme", name="pink", names=("wood", "plain", "dark", "slate", "contrast", "print")
    )
    assert answer.status == 2
    assert json.loads(answer.out) == {"error": sentence}
    assert not (tmp_path / "a.svg").exists()


@pytest.mark.long
def test_coordinates_in_chinese_style(tmp_path):
    words = ("--svg", "a.svg", "--png", "b.png", "--gif", "c.gif", "--coordinates")
    assert run("show", MOVES, *words, "chinese").status == 0
    coordinates = texts(parsed((tmp_path / "a.svg").read_text("utf-8")), "coordinates")
    assert (coordinates[0], coordinates[-1]) == ("1", "一")
    chinese = [(tmp_path / name).read_bytes() for name in ("b.png", "c.gif")]
    assert run("show", MOVES, *words, "letters").status == 0
    assert [(tmp_path / name).read_bytes() for name in ("b.png", "c.gif")] != chinese
    answer = run("show", MOVES, *words, "runes")
    assert answer.status == 2
    assert "--coordinates is 'runes'" in answer.err


def test_an_illegal_move_writes_nothing(tmp_path):
    assert run("show", "h8h8", "--svg", "a.svg").status == 2
    assert not (tmp_path / "a.svg").exists()


def test_in_a_process_of_its_own(tmp_path):
    answer = process("show", MOVES, "--svg", "a.svg", "--png", "b.png", "--gif", "c.gif", cwd=tmp_path)
    assert (answer.status, answer.err) == (0, "")
    assert parsed((tmp_path / "a.svg").read_text("utf-8")).tag == SVG + "svg"
    assert opened(tmp_path / "b.png").format == "PNG"
