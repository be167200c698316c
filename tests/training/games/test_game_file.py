"""Files of games that an evaluation is learned from."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Rules, TengenError
from tengen.engine.evaluation.weights import load
from tengen.engine.tables import network_of
from tengen.training.games.game_file import GameFile, Run, TrainingError, digest, read
from tengen.training.games.self_play import SelfPlaySettings, play
from tests.training.played_games import played_games

RULES = Rules.named("freestyle", 9)
RUN = Run(5, 60, 0.15, 0.4, "0123456789ab")
OTHER = Run(6, 60, 0.15, 0.4, "0123456789ab")


def written(path, games, run=RUN, rules=RULES):
    with GameFile(path, rules) as game_file:
        for game in games:
            game_file.add(run, game)
    return path


def error_of(call, *args):
    with pytest.raises(TengenError) as caught:
        call(*args)
    assert "\n" not in str(caught.value)
    return caught.value.message.key


def all_of(path):
    return list(read(path)[1])


@pytest.mark.parametrize("name", ["freestyle", "renju"])
def test_games_come_back_as_they_were(tmp_path, name):
    rules = Rules.named(name, 9)
    path = written(tmp_path / "a.jsonl", played_games(name), rules=rules)
    there, games = read(path)
    assert there == rules
    assert tuple(games) == played_games(name)


def test_it_is_small_and_can_be_read_by_anybody(tmp_path):
    path = written(tmp_path / "a.jsonl", played_games())
    samples = sum(len(game.samples) for game in played_games())
    assert path.stat().st_size < 30 * samples
    head, run, *games = map(json.loads, path.read_text("utf-8").splitlines())
    assert (head["format"], head["version"], head["rules"]["width"]) == ("tengen training", 1, 9)
    about = {"seed": 5, "nodes": 60, "stray": 0.15, "beside": 0.4, "within": 0, "begin_within": 0.0}
    assert run == {"run": 0, "weights": RUN.weights, **about}
    assert games[0].keys() == {"run", "game", "moves", "black", "seen", "beside"}


def test_positions_from_within_searches_come_back_too(tmp_path):
    plan = SelfPlaySettings(RULES, nodes=400, seed=5, within=3)
    games = [play(plan, number) for number in range(2)]
    path = written(tmp_path / "a.jsonl", games)
    assert all_of(path) == games
    besides = [line["beside"] for line in map(json.loads, path.read_text("utf-8").splitlines()[2:])]
    assert any(len(moves) > len("a10") for beside in besides for _, moves, _, _ in beside)


def test_files_written_before_there_were_such_positions_are_read_and_gone_on_with(tmp_path):
    path = written(tmp_path / "a.jsonl", played_games()[:2])
    old = path.read_text("utf-8").replace(',"within":0,"begin_within":0.0', "")
    assert "within" not in old
    path.write_text(old, "utf-8")
    with GameFile(path, RULES) as game_file:
        assert game_file.played(RUN) == {0, 1}


def test_it_is_gone_on_with(tmp_path):
    path = written(tmp_path / "a.jsonl", played_games()[:3])
    written(path, played_games()[3:5])
    written(path, played_games()[5:7], OTHER)
    written(path, played_games()[7:8])
    assert all_of(path) == list(played_games()[:8])
    with GameFile(path, RULES) as game_file:
        assert game_file.played(RUN) == {0, 1, 2, 3, 4, 7}
        assert game_file.played(OTHER) == {5, 6}
        assert game_file.played(Run(7, 60, 0.15, 0.4, "")) == set()
    assert path.read_bytes().count(b'"seed"') == 2


@given(cut=st.integers(1, 400))
def test_a_line_that_was_not_written_to_its_end_is_lost_alone(tmp_path_factory, cut):
    path = written(tmp_path_factory.mktemp("a") / "a.jsonl", played_games()[:4])
    data = path.read_bytes()
    whole = data[: len(data) - cut].count(b"\n") - 2
    path.write_bytes(data[: len(data) - cut])
    assert all_of(path) == list(played_games()[: max(whole, 0)])
    written(path, played_games()[4:6])
    assert all_of(path) == [*played_games()[: max(whole, 0)], *played_games()[4:6]]


def test_other_rules_go_elsewhere(tmp_path):
    path = written(tmp_path / "a.jsonl", played_games()[:1])
    before = path.read_bytes()
    assert error_of(GameFile, path, Rules.named("freestyle", 15)) == "error.train.rules"
    assert error_of(GameFile, path, Rules.named("renju", 9)) == "error.train.rules"
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    ["", "{}\n", "no JSON\n", '{"format": "tengen games", "version": 1}\n', "[" * 100_000 + "\n", "\x00\n"]
    + [
        f'{{"format": "tengen training", "version": 1, "rules": {rules}}}\n'
        for rules in ("3", '{"width": 3}', "[]")
    ],
)
def test_what_is_no_such_file(tmp_path, text):
    path = tmp_path / "a.jsonl"
    path.write_text(text, "utf-8")
    if text:
        assert error_of(GameFile, path, RULES) == "error.train.file"
        assert path.read_text("utf-8") == text
    assert error_of(read, path) == "error.train.file"


def test_files_that_cannot_be_read_or_written(tmp_path):
    assert error_of(read, tmp_path / "none.jsonl") == "error.file.read"
    assert error_of(read, tmp_path) == "error.file.read"
    (tmp_path / "file").write_text("")
    assert error_of(GameFile, tmp_path / "file" / "a.jsonl", RULES) == "error.file.write"


DAMAGE = [
    {"moves": "e5e5"},
    {"moves": "e5 d4"},
    {"moves": "z26"},
    {"moves": 3},
    {"black": 2},
    {"black": "1"},
    {"game": -1},
    {"game": None},
    {"run": 1},
    {"run": -1},
    {"seen": 5},
    {"seen": [[0, "e5"]]},
    {"seen": [[0, "e5", 10**9]]},
    {"seen": [[0, "e5", 1.5]]},
    {"seen": [[99, "e5", 0]]},
    {"seen": [[2, "d5", 0]]},
    {"seen": [[True, "d5", 0]]},
    {"beside": [[2, "d5", "a1", 0]]},
    {"beside": [[2, "a1", "a1", 0]]},
    {"beside": [[2, ["a1"], "a2", 0]]},
]


@pytest.mark.parametrize("damage", DAMAGE, ids=str)
def test_a_damaged_line_is_named(tmp_path, damage):
    path = written(tmp_path / "a.jsonl", played_games()[:1])
    good = {"run": 0, "game": 1, "moves": "d5e6f7", "black": 1, "seen": [[2, "a1", 5]], "beside": []}
    with path.open("a", encoding="utf-8") as file:
        print(json.dumps(good), file=file)
        print(json.dumps(good | damage), file=file)
    with pytest.raises(TengenError, match="line 5") as caught:
        all_of(path)
    assert caught.value.message.key == "error.train.line"
    assert error_of(GameFile, path, RULES) == "error.train.line"


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("a") / "a.jsonl"
    good = written(path, played_games()[:1]).read_bytes()
    for text in (data, good + data + b"\n"):
        path.write_bytes(text)
        with suppress(TrainingError):
            assert len(all_of(path)) <= 1


def test_runs_are_told_apart_by_the_numbers_that_played():
    one = load("freestyle")
    other = replace(one, orders=one.orders + 1)
    assert digest(one) != digest(other)
    plan = SelfPlaySettings(RULES, nodes=60, seed=5)
    assert Run.of(plan, one) == Run(5, 60, 0.15, 0.4, digest(one))
    assert Run.of(plan, one) != Run.of(plan, other)
    assert Run.of(plan, one, network_of(Rules.named("freestyle"))) != Run.of(plan, one)
