from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tengen
from tengen import Session, TengenError
from tengen.terminal.saved_games import load, save
from tests.errors import complaint, key_of


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def played() -> Session:
    session = Session("renju", white=tengen.player("random,seed=3"), now=lambda: 0.0)
    session.play("h8")
    session.play_computer()
    return session


def kept(session: Session) -> dict[str, Any]:
    """All there is to a game but the time that passes by itself."""
    return {name: value for name, value in json.loads(session.to_json()).items() if name != "spent"}


def reason(call, *args) -> str:
    with pytest.raises(TengenError) as caught:
        call(*args)
    return str(caught.value).rpartition(": ")[2]


def test_a_game_comes_back_as_it_was(tmp_path):
    session = played()
    save("game.json", session)
    again = load("game.json", tengen.player)
    assert kept(again) == kept(session)
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_saving_again_overwrites_the_game():
    session = played()
    save("game.json", session)
    session.play("i9")
    save("game.json", session)
    assert load("game.json", tengen.player).board == session.board


def test_names_may_have_any_letters():
    for name in ("（１） 对局.json", "no extension", ".hidden", "a.b.c"):
        save(name, played())
        assert kept(load(name, tengen.player)) == kept(played())


def test_the_home_folder_has_a_sign(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    save("~/game.json", played())
    assert (tmp_path / "game.json").exists()
    assert kept(load("~/game.json", tengen.player)) == kept(played())


def test_a_link_stays_a_link(tmp_path):
    save("game.json", Session())
    (tmp_path / "link.json").symlink_to("game.json")
    save("link.json", played())
    assert (tmp_path / "link.json").is_symlink()
    assert kept(load("game.json", tengen.player)) == kept(played())


def test_a_paused_game_goes_on():
    session = played()
    session.pause()
    save("game.json", session)
    again = load("game.json", tengen.player)
    assert not again.paused
    again.play("i9")


def test_nothing_but_a_saved_game_is_overwritten(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    (tmp_path / "empty").touch()
    for name in ("thesis.txt", "empty", os.devnull):
        assert key_of(save, name, played()) == "error.file.other"
    assert (tmp_path / "thesis.txt").read_text() == "years of work"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "thesis.txt"]


def test_places_where_nothing_can_be_saved(tmp_path):
    (tmp_path / "folder").mkdir()
    for name in (".", "..", "/", "folder"):
        assert reason(save, name, played()) == "it is a folder"
    assert reason(save, "nowhere/game.json", played()) == "there is no such file or folder"
    for name in ("a\0b", "~nobody-has-this-name/game.json", "x" * 5000):
        assert key_of(save, name, played()) == "error.file.write"
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="everything is open to root")
def test_a_folder_that_is_closed(tmp_path):
    save("game.json", played())
    tmp_path.chmod(0o500)
    try:
        assert reason(save, "game.json", played()) == "no permission"
    finally:
        tmp_path.chmod(0o700)


def test_a_save_that_fails_leaves_the_old_game_and_no_litter(tmp_path, monkeypatch):
    save("game.json", Session())
    real = type(tmp_path).replace

    def full(self, _):
        real(self, self)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(tmp_path), "replace", full)
    assert reason(save, "game.json", played()) == "no space is left on the disk"
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
    assert load("game.json", tengen.player).board.ply == 0


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "picture").write_bytes(bytes(range(256)))
    assert reason(load, "missing", tengen.player) == "there is no such file or folder"
    assert reason(load, ".", tengen.player) == "it is a folder"
    assert reason(load, "picture", tengen.player) == "it is not a text file"
    for name in ("a\0b", "~nobody-has-this-name/game.json", "x" * 5000):
        assert key_of(load, name, tengen.player) == "error.file.read"


def test_reasons_are_said_in_chinese():
    with pytest.raises(TengenError) as caught:
        load("missing", tengen.player)
    assert tengen.words.say(caught.value.message, "zh") == "无法读取 missing：没有这个文件或文件夹"


@given(st.data())
def test_a_damaged_game_is_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("damaged") / "game.json"
    text = played().to_json()
    start = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(1, len(text) - start))
    instead = data.draw(st.sampled_from(("", "0", '"', "null", "{")))
    path.write_text(text[:start] + instead + text[start + length :])
    sentence = complaint(load, str(path), tengen.player)
    assert "\n" not in sentence
    assert sentence or load(str(path), tengen.player).to_json(), "what was cut did not matter"
