"""Files and pictures through a real server: every format read and written, everything else refused."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tengen import Board, Record, TengenError
from tengen.formats import jsonformat
from tengen.formats.pasted_text import read_text
from tengen.schemas.files import AnimationData
from tengen.solver.proofs.verify import verify
from tengen.web.files import conversions, proofs
from tengen.web.files.conversions import EXTENSIONS, exported, imported
from tests.solver.claims import DRAW, claimed, proven
from tests.strategies import engine_rules, played
from tests.web.serving import serve

SGF = "(;GM[4]FF[4]SZ[15]PB[Ann]PW[Bo];B[hh];W[ig]C[hello](;B[gi])(;B[gg]))"
TWO = "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[ii])"


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    """Of one server for all tests of this module."""
    with serve() as running, httpx.Client(base_url=running.url, timeout=60) as opened:
        yield opened


def records(answer: httpx.Response) -> list[Record]:
    """The games that an import told."""
    assert answer.status_code == 200, answer.text
    return [jsonformat.game_record(game) for game in answer.json()["records"]]


def moves(record: Record) -> str:
    board = record.board()
    return "".join(map(board.name, board.moves))


def upload(client: httpx.Client, name: str, data: bytes) -> httpx.Response:
    return client.post("/api/import", files={"file": (name, data)})


def paste(client: httpx.Client, text: str, **fields: object) -> httpx.Response:
    return client.post("/api/import", json={"text": text, **fields})


def game(moves: str, rules: str = "freestyle") -> dict[str, Any]:
    return jsonformat.game_data(Record.from_board(Board.from_moves(moves, rules)))


# -- proofs


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The proof of a win in a few moves."""
    path = tmp_path_factory.mktemp("proofs") / "win.proof"
    proven(Board.from_moves("f8h5g8h6f10h7g9a1"), path)
    return path


@pytest.mark.long
def test_a_proof_is_checked_and_told_as_a_game(client, proof):
    answer = upload(client, "win.proof", proof.read_bytes())
    (record,) = records(answer)
    told, verdict = answer.json(), verify(proof)
    assert (told["problems"], told["ply"]) == ([], 8)
    assert told["proven"]["key"] == "web.analyse.proven"
    assert told["proven"]["values"]["moves"] == (verdict.depth + 1) // 2
    assert moves(record).startswith("f8h5g8h6f10h7g9a1h8")
    chinese = client.post("/api/import", files={"file": ("a.bin", proof.read_bytes())}, data={"lang": "zh"})
    assert any("手告负" in node.comment for node in records(chinese)[0].nodes())


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "error.proof.damaged"),
        (lambda data: data[:-1], "error.proof.damaged"),
        (lambda data: data.replace(b"proof 1", b"proof 9"), "error.proof.version"),
        (lambda data: data[:16], "error.proof.damaged"),
    ],
)
def test_a_proof_that_does_not_hold_is_refused(client, proof, changed, said):
    answer = upload(client, "win.proof", changed(proof.read_bytes()))
    assert answer.status_code == 422
    assert answer.json()["error"]["key"] == said


def test_the_proof_of_a_draw_is_told_as_a_game_for_each_side(client, tmp_path):
    path = tmp_path / "draw.proof"
    claimed(Board("tictactoe"), path, *DRAW)
    answer = upload(client, "draw.proof", path.read_bytes())
    told = answer.json()
    assert [record.headers["event"] for record in records(answer)] == [
        "Black does not lose",
        "White does not lose",
    ]
    assert (told["proven"]["key"], told["ply"]) == ("web.analyse.proven.draw", 0)
    claimed(Board.from_moves("a1", "tictactoe"), path, DRAW[1])
    told = upload(client, "hold.proof", path.read_bytes()).json()
    assert (told["proven"]["key"], told["ply"]) == ("web.analyse.proven.holds", 1)
    assert told["proven"]["values"]["colour"]["key"] == "white"


def test_a_proof_too_large_to_be_checked_at_once_is_refused(proof, monkeypatch):
    monkeypatch.setattr(proofs, "MOST_POSITIONS", 10)
    with pytest.raises(TengenError, match="tengen verify"):
        proofs.opened(proof.read_bytes(), "en")


# -- import and export


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_every_format_is_written_and_read(client, extension):
    sent = game("h8i9g7j10")
    answer = client.post("/api/export", json={"record": sent, "format": extension})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == f'attachment; filename="tengen.{extension}"'
    (found,) = records(upload(client, f"GAME.{extension.upper()}", answer.content))
    board = found.board()
    expected = Board.from_moves("h8i9g7j10").position
    if extension == "rec":  # which counts on a 20x20 board
        assert board.ply == 4
    else:
        assert board.position == expected


def test_a_tree_with_comments_comes_and_goes(client):
    (found,) = records(paste(client, SGF))
    assert found.headers["black"] == "Ann"
    assert [node.comment for node in found.nodes()] == ["", "", "hello", "", ""]
    sent = jsonformat.game_data(found)
    answer = client.post("/api/export", json={"record": sent, "format": "json"})
    assert records(upload(client, "again.json", answer.content)) == [found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("h8i9g7", ["h8i9g7"]),
        ("1. h8 i9\n2. g7", ["h8i9g7"]),
        ("https://gomocalc.com/#/h8i9g7", ["h8i9g7"]),
        ("0,0 1,-1", ["h8i9"]),
        (SGF, ["h8i9g7"]),
        (TWO, ["h8", "i7"]),
        ('{"stones": ["H8", "I9"]}', ["h8i9"]),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\nA\nB\n", ["h8i9"]),
        ("# rules: renju 15x15\nh8i9\ng7\n", ["h8i9", "g7"]),
        ("h8i9\nh8j9\n", ["h8i9", "h8j9"]),
    ],
)
def test_what_is_pasted(client, text, expected):
    assert list(map(moves, records(paste(client, text)))) == expected


def test_a_board_that_is_pasted(client):
    board = Board.from_moves("h8i9g7")
    (found,) = records(paste(client, str(board), rules="renju"))
    assert found.board().position == board.position
    assert found.rules.name == "renju"


def test_pasted_moves_are_played_by_the_rules_that_are_given(client):
    (found,) = records(paste(client, "a1b2", rules="renju", size=9))
    assert (found.rules.name, found.rules.width) == ("renju", 9)


def test_a_wrong_extension_does_no_harm(client):
    assert moves(records(upload(client, "game.txt", SGF.encode()))[0]) == "h8i9g7"
    assert moves(records(upload(client, "game", SGF.encode()))[0]) == "h8i9g7"


def test_one_bad_game_of_several_is_a_problem(client):
    lines = [json.dumps(game("h8")), '{"nodes": 7}']
    answer = upload(client, "games.jsonl", "\n".join(lines).encode())
    assert len(answer.json()["records"]) == 1
    (problem,) = answer.json()["problems"]
    assert problem["key"] == "error.web.import.game"


def test_more_games_than_a_page_can_show(monkeypatch):
    monkeypatch.setattr(conversions, "MOST_NODES", 3)
    told = json.loads(imported(TWO.encode() + b"(;GM[4]SZ[15];B[aa])"))
    assert len(told["records"]) == 1
    (problem,) = told["problems"]
    assert problem == {"key": "error.web.import.more", "values": {"shown": 1, "count": 3}, "lost": True}
    monkeypatch.setattr(conversions, "MOST_NODES", 1)
    with pytest.raises(TengenError, match="more than 1 moves"):
        imported(SGF.encode())


@pytest.mark.parametrize(
    ("text", "status", "expected"),
    [
        ("hello, world", 422, "hello"),
        ("", 200, ""),
        ("(;SZ[99])", 422, "99"),
        ("{", 422, "JSON"),
        ("<html></html>", 422, ""),
        ("h8h8", 422, "h8 is occupied"),
    ],
)
def test_what_holds_no_game(client, text, status, expected):
    answer = paste(client, text)
    assert answer.status_code == status
    if status == 422:
        assert expected in answer.json()["text"]


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{", 400),
        ("application/json", b"[]", 422),
        ("application/json", b'{"text": 7}', 422),
        ("application/json", b'{"text": "h8", "rules": "go"}', 422),
        ("multipart/form-data; boundary=x", b"--x--\r\n", 422),
        ("multipart/form-data", b"rubbish", 400),
        ("text/plain", b"h8i9", 400),
    ],
)
def test_what_is_no_import(client, kind, body, status):
    answer = client.post("/api/import", content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert answer.json()["text"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"record": {}, "format": "doc"}, "doc"),
        ({"record": {}, "format": "../sgf"}, "/sgf'"),
        ({"record": {"nodes": 7}, "format": "sgf"}, "nodes"),
        ({"record": {"rules": {"width": 99}}, "format": "sgf"}, "99"),
        ({"record": [], "format": "sgf"}, "record"),
        ({"format": "sgf"}, "record"),
    ],
)
def test_what_cannot_be_exported(client, fields, expected):
    answer = client.post("/api/export", json=fields)
    assert answer.status_code == 422
    assert expected in answer.json()["text"]


def test_a_format_that_cannot_hold_a_game_says_so(client):
    setup = {"rules": {}, "setup": {"black": ["h8", "i8"], "white": []}, "nodes": [{}]}
    answer = client.post("/api/export", json={"record": setup, "format": "rif"})
    assert answer.status_code == 422
    assert "set-up" in answer.json()["text"]


@settings(max_examples=30)
@given(played(engine_rules(st.just(15)), most=20), st.sampled_from(("sgf", "json", "jsonl")))
def test_a_game_survives_the_journey(board, extension):
    record = Record.from_board(board)
    data, headers = exported(jsonformat.game_data(record), extension)
    assert headers == {}
    (told,) = json.loads(imported(data, f"x.{extension}"))["records"]
    again = jsonformat.game_record(told)
    assert again.board().moves == board.moves
    assert again.rules.name == board.rules.name


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_text_is_games_or_one_sentence(text):
    try:
        games = read_text(text)
    except TengenError as error:
        sentence = str(error)
    else:
        sentence = ""
        assert games.records
    assert "\n" not in sentence


# -- pictures


def picture(client: httpx.Client, **fields: object) -> httpx.Response:
    return client.post("/api/picture", json={"moves": "h8i9g7", **fields})


def test_a_drawing(client):
    answer = picture(client, numbers=True, marks={"j10": "triangle", "k10": "A"}, lang="zh")
    assert answer.headers["content-type"] == "image/svg+xml"
    root = ET.fromstring(answer.text)
    assert root.tag.endswith("svg")
    texts = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("text")]
    assert {"1", "2", "3", "A"} <= set(texts)
    assert "script" not in answer.text


@pytest.mark.long
def test_coordinates_in_chinese_style(client):
    for kind in ("svg", "png", "gif"):
        usual, chinese = (picture(client, format=kind, coordinate_style=s) for s in ("letters", "chinese"))
        assert usual.status_code == chinese.status_code == 200
        assert usual.content != chinese.content
        assert usual.content == picture(client, format=kind).content
    root = ET.fromstring(picture(client, coordinate_style="chinese").text)
    texts = {"".join(element.itertext()) for element in root.iter() if element.tag.endswith("text")}
    assert {"15", "一", "十五"} <= texts
    assert "A" not in texts


def test_a_photograph_and_a_film(client):
    image = Image.open(io.BytesIO(picture(client, format="png").content))
    assert (image.format, max(image.size)) == ("PNG", conversions.PIXELS["png"])
    film = Image.open(io.BytesIO(picture(client, format="gif", theme="dark").content))
    assert film.format == "GIF"
    assert getattr(film, "n_frames", 1) == 4


def test_a_film_that_the_client_draws(client):
    answer = client.post("/api/animation", json={"moves": "h8i9g7", "theme": "dark"})
    film = AnimationData.model_validate(answer.json())
    assert max(film.width, film.height) == conversions.PIXELS["gif"]
    assert [len(frame.patches) for frame in film.frames] == [1, 1, 2, 1]
    assert all(ET.fromstring(patch.svg) is not None for frame in film.frames for patch in frame.patches)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [({"theme": "neon"}, "neon"), ({"moves": "h8h8"}, "h8 is occupied"), ({"format": "gif"}, "format")],
)
def test_what_cannot_be_filmed(client, fields, expected):
    answer = client.post("/api/animation", json={"moves": "h8", **fields})
    assert answer.status_code == 422
    assert expected in answer.json()["text"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"format": "pdf"}, "format"),
        ({"theme": "neon"}, "neon"),
        ({"coordinate_style": "runes"}, "coordinate_style"),
        ({"marks": {"z99": "A"}}, "z99"),
        ({"marks": {"j9": "A" * 30}}, "marks"),
        ({"heat": {"h8": "hot"}}, "heat"),
        ({"numbers": -1}, "numbers"),
        ({"moves": "h8h8"}, "h8 is occupied"),
    ],
)
def test_what_cannot_be_drawn(client, fields, expected):
    answer = picture(client, **fields)
    assert answer.status_code == 422
    assert expected in answer.json()["text"]


def test_what_a_format_does_not_keep_is_told_beside_the_file(client):
    record = Record("renju")
    record.add("h8i9")
    record.root.comment = "hello"
    body = {"record": jsonformat.game_data(record), "format": "rec"}
    told = json.loads(client.post("/api/export", json=body).headers["Tengen-Not-Kept"])
    assert told["key"] == "kept.not"
    assert [what["key"] for what in told["values"]["what"]] == ["kept.rules", "kept.size", "kept.comments"]
    for extension in ("sgf", "json"):
        answer = client.post("/api/export", json={**body, "format": extension})
        assert "Tengen-Not-Kept" not in answer.headers
