"""Training: games played on several cores, numbers fitted and measured, and a report of it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tengen import Engine, Limit, Rules, TengenError
from tengen.engine.board.pattern_names import class_name
from tengen.engine.board.point_classes import CLASSES
from tengen.engine.board.records import CONTEXTS, SITUATIONS
from tengen.engine.evaluation.weights import Weights, load, save
from tengen.executors import open_workers
from tengen.game.board import Board
from tengen.training.games.game_file import GameFile, Run, read
from tengen.training.games.playing import numbers_of, play_games
from tengen.training.games.point_classes import ORDERS, WORTHS, gathered, gathered_from
from tengen.training.games.self_play import SelfPlaySettings
from tengen.training.models.point_class_training import Trained, learn, most_valued
from tengen.training.report.numbers_report import report, write
from tengen.training.report.plot import drawn
from tengen.words import LANGUAGES
from tests.training.played_games import games, played_games

FREESTYLE = Rules.named("freestyle", 9)
SHAPES = (2, 2, CLASSES), (2, 2, CLASSES), (2, SITUATIONS), (2, CONTEXTS)
NOTHING = Weights(*(np.zeros(shape, np.int64) for shape in SHAPES))


@cache
def trained(rules: str = "freestyle") -> Trained:
    return learn(games(rules), numbers_of(Rules.named(rules)), epochs=2)


def error_of(call, *args):
    with pytest.raises(TengenError) as caught:
        call(*args)
    assert "\n" not in str(caught.value)
    return caught.value.message.key


# -- playing


def play_in_threads(path, plan, **bounds):
    with GameFile(path, plan.rules) as game_file, open_workers("threads", 2) as workers:
        play_games(game_file, plan, workers, **bounds)


def test_games_are_played_and_kept_whoever_plays_them(tmp_path):
    plan, path = SelfPlaySettings(FREESTYLE, nodes=40, seed=5), tmp_path / "a.jsonl"
    play_in_threads(path, plan, games=3)
    play_in_threads(path, plan, games=5)
    found = sorted(read(path)[1], key=lambda game: game.number)
    assert tuple(found) == played_games()[:5]
    before = path.read_bytes()
    play_in_threads(path, plan, games=4)  # they are there already
    assert path.read_bytes() == before


def test_no_game_is_begun_when_the_time_is_up(tmp_path):
    path = tmp_path / "a.jsonl"
    play_in_threads(path, SelfPlaySettings(FREESTYLE, nodes=40), seconds=0.001)
    assert len(list(read(path)[1])) <= 3


def test_what_ends_it_early_leaves_what_was_played(tmp_path):
    plan, path = SelfPlaySettings(FREESTYLE, nodes=40, seed=5), tmp_path / "a.jsonl"

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_in_threads(path, plan, on_game=stop)
    assert len(list(read(path)[1])) == 1


def test_other_numbers_play_another_run(tmp_path):
    save("freestyle", NOTHING, tmp_path / "w")
    plan, path = SelfPlaySettings(FREESTYLE, nodes=40, seed=5), tmp_path / "a.jsonl"
    other = replace(plan, weights=str(tmp_path / "w"))
    play_in_threads(path, plan, games=2)
    play_in_threads(path, other, games=2)
    assert len(list(read(path)[1])) == 4
    with GameFile(path, FREESTYLE) as game_file:
        assert game_file.played(Run.of(other, NOTHING)) == {0, 1}


# -- what there is to learn from


def test_games_are_counted():
    found = games()
    assert found.games == len(played_games())
    assert found.black == sum(game.points == 1 for game in played_games())
    assert found.black + found.draws + found.white == found.games
    assert found.plies == sum(len(game.cells) for game in played_games())
    results = [sample.result for game in played_games() for sample in game.samples]
    assert [None if np.isnan(result) else result for result in found.results] == results


def test_files_of_several_sizes_are_learned_from_together(tmp_path):
    for size in (9, 11):
        plan = SelfPlaySettings(Rules.named("freestyle", size), nodes=2 * size)
        play_in_threads(tmp_path / f"{size}.jsonl", plan, games=2)
    paths = [tmp_path / "9.jsonl", tmp_path / "11.jsonl"]
    both = gathered_from(FREESTYLE, paths)
    each = [gathered(*read(path)) for path in paths]
    assert both.games == 4
    assert len(both.positions) == sum(len(one.positions) for one in each) == len(both.results)
    assert both.plies == sum(one.plies for one in each)
    assert both.nodes == (18, 22)
    assert "with 18, 22 nodes per move" in report(trained(), both.nodes, "a.png", "en")
    assert error_of(gathered_from, Rules.named("renju", 9), paths) == "error.train.rules"


def test_numbers_that_are_none(tmp_path):
    assert error_of(numbers_of, FREESTYLE, tmp_path) == "error.file.read"
    (tmp_path / "freestyle.npz").write_bytes(b"no numbers")
    assert error_of(numbers_of, FREESTYLE, tmp_path) == "error.engine.weights"


# -- learning


def test_too_few_positions():
    assert error_of(learn, gathered(FREESTYLE, played_games()[:1])) == "error.train.few"
    assert error_of(learn, gathered(FREESTYLE, ())) == "error.train.few"


def test_what_is_learned_is_measured_against_less():
    found = trained()
    assert {what: len(epochs) for what, epochs in found.epochs.items()} == {WORTHS: 2, ORDERS: 2}
    # Measured on the numbers as they were before they were rounded, or as the engine has them: the same.
    assert found.epochs[WORTHS][-1].validation == pytest.approx(found.after.worths, abs=0.01)
    assert found.epochs[ORDERS][-1].validation == pytest.approx(found.after.orders, abs=0.01)
    assert found.least < min(found.after.worths, found.constant.worths)
    assert found.after.orders < found.constant.orders
    for numbers in (found.after, found.before, found.constant):
        assert 0 <= numbers.first <= numbers.among <= 1


def test_the_numbers_it_began_with_are_measured_too():
    nothing = learn(games(), NOTHING, epochs=1, before=NOTHING)
    assert nothing.before.worths == pytest.approx(np.log(2))
    assert nothing.before.orders == pytest.approx(nothing.constant.orders)
    assert nothing.before.first == pytest.approx(nothing.constant.first, abs=0.1)


def test_calibration_counts_every_position_with_a_result_once():
    for each in trained().calibration:
        assert 0 <= each.result <= 1
        assert 0 < each.predicted < 1
    predictions = [each.predicted for each in trained().calibration]
    assert predictions == sorted(predictions)


def test_classes_are_counted_by_the_colour_that_would_play_there():
    both, renju = trained(), trained("renju")
    points = len(both.games.positions.own)
    assert both.seen[0].sum() == both.seen[1].sum() == 2 * points
    assert renju.seen.sum() == 2 * len(renju.games.positions.own)
    # Only Black is hurt by what Black alone may not make: White's overline is a five.
    overlines = [n for n in range(CLASSES) if "overline" in class_name(n, "en")]
    assert renju.seen[1][overlines].sum() == 0


def test_the_most_valued_come_first():
    rows = list(most_valued(trained(), 0, 10))
    values = [max(moving, waiting) for _, moving, waiting, _ in rows]
    assert values == sorted(values, reverse=True)
    assert all(seen >= 20 for *_, seen in rows)


# -- the report


@pytest.mark.parametrize("rules", ["freestyle", "renju"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_in_one_language(rules, lang):
    page = report(trained(rules), (40,), "a.png", lang)
    assert "![" in page
    assert "](a.png)" in page
    assert page.count("### ") == (2 if rules == "renju" else 0)
    widths = [re.findall(r"(?<!^)\|", line) for line in page.splitlines() if line.startswith("|")]
    assert all(widths)
    text = re.sub(r"\]\(.*?\)", "", page)
    assert bool(re.search(r"[\u4e00-\u9fff]", text)) == (lang == "zh")
    if lang == "zh":
        assert not re.search(r"[a-zA-Z]{4,}", text)


def test_numbers_report_and_picture_are_written_and_the_engine_plays_by_them(tmp_path):
    written = write(trained(), (40,), tmp_path / "new" / "folder", "en")
    assert {kind: path.name for kind, path in written.items()} == {
        "weights": "freestyle.npz",
        "report": "freestyle.md",
        "picture": "freestyle.png",
    }
    folder = tmp_path / "new" / "folder"
    there = load("freestyle", folder)
    for name in ("worths", "orders", "situations", "contexts"):
        assert (getattr(there, name) == getattr(trained().weights, name)).all()
    board = Board.from_moves("e5d6", FREESTYLE)
    choice = Engine(weights=str(folder)).choose(board, Limit(nodes=200))
    assert board.is_legal(choice.point)
    assert written["picture"].read_bytes().startswith(b"\x89PNG")


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    assert error_of(write, trained(), 40, tmp_path / "file", "en") == "error.file.write"


def test_a_picture_of_games_that_say_nothing_about_results():
    unknown = replace(games(), results=np.full(len(games().positions), np.nan))
    assert drawn(learn(unknown, epochs=1)).startswith(b"\x89PNG")
