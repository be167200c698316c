"""A network learned from files of games: measured, kept while it is fitted, written and reported."""

from __future__ import annotations

import hashlib
import re
from dataclasses import fields, replace

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.evaluation.network import digest, load
from tengen.engine.tables import prepared_networks
from tengen.training.games.game_file import GameFile, Run, TrainingError
from tengen.training.games.playing import numbers_of
from tengen.training.games.self_play import SelfPlaySettings
from tengen.training.models.checkpoint import Checkpoint, Keeper, file_of, found, read, write
from tengen.training.models.network_training import NetworkPlan, learn_network
from tengen.training.models.trainer import Fit
from tengen.training.report.network_report import network_report, write_network
from tengen.training.report.plot import drawn_network
from tengen.training.report.sections import ModelComparison
from tengen.words import LANGUAGES
from tests.training.played_games import played_games

pytestmark = pytest.mark.usefixtures("compiled")

RULES = Rules.named("freestyle", 9)
PLAN = NetworkPlan(rules=RULES, epochs=2)
MATCH = ModelComparison("network", "better", "+40.0 ± 30.0", 6, 0, 4, 0.1)


def keep_games(path, size, count, nodes=40):
    rules = Rules.named("freestyle", size)
    run = Run.of(SelfPlaySettings(rules, nodes=nodes, seed=5), numbers_of(rules))
    with GameFile(path, rules) as file:
        for game in played_games(size=size, count=count):
            file.add(run, game)
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Games on boards of two sizes."""
    folder = tmp_path_factory.mktemp("games")
    return [keep_games(folder / "9.jsonl", 9, 40), keep_games(folder / "7.jsonl", 7, 21, nodes=30)]


@pytest.fixture(scope="module")
def learned(files):
    return learn_network(PLAN, files)


def test_each_size_is_measured(learned):
    small, large = learned.sizes
    assert (small.size, small.games, small.nodes) == (7, 21, (30,))
    assert (large.size, large.games, large.nodes) == (9, 40, (40,))
    # It begins with random numbers, and so without a network, as the games were played.
    assert (small.own, large.own, learned.own) == (21, 40, 61)
    assert learned.positions == small.positions + large.positions > 200
    for one in (small, large):
        assert 0 < one.outside < one.positions, "moves beside the games"
    assert learned.games == 61
    assert learned.after == learned.epochs[-1].validation
    apart = small.apart + large.apart
    for name in ("before", "begun", "after"):
        mean = sum(getattr(one, name) * one.apart for one in learned.sizes) / apart
        assert getattr(learned, name) == pytest.approx(mean)
    assert learned.begun == learned.before, "it began with random numbers"


def test_games_by_other_rules_are_refused(files):
    with pytest.raises(TrainingError, match="9x9"):
        learn_network(replace(PLAN, rules=Rules.named("standard", 9)), files)


def test_too_few_positions_are_refused(tmp_path):
    with pytest.raises(TrainingError, match="play more games"):
        learn_network(PLAN, [keep_games(tmp_path / "one.jsonl", 9, 1)])


# -- going on


def same(one, other):
    return all(np.array_equal(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))


class Killed(Exception):
    """Stands for a process that is killed."""


def test_what_was_kept_in_a_file_is_gone_on_with(learned, files, tmp_path):
    digest = PLAN.digest(files, None)
    keeper = Keeper(file_of("freestyle", "network", tmp_path), digest, True, pause=0, gap=0)
    keeper.begin()
    assert read(keeper.path) == Checkpoint(digest, True)
    batches = []

    def stop(now):
        batches.append(now)
        if now.epoch == 2:
            raise Killed

    with pytest.raises(Killed):
        learn_network(PLAN, files, report=stop, keeper=keeper)
    kept, problem = found(keeper.path, digest)
    assert problem is None
    assert kept is not None
    assert (kept.epochs, kept.whole) == (1, True)
    again: list[Fit] = []
    keeper.kept = kept
    gone_on = learn_network(PLAN, files, report=again.append, keeper=keeper)
    assert {now.epoch for now in again} == {2}
    assert same(gone_on.network, learned.network)
    assert gone_on.epochs == learned.epochs
    # One that is over is gone on with, too: nothing is left to do.
    keeper.kept, _ = found(keeper.path, digest)
    assert keeper.kept is not None
    assert keeper.kept.epochs == 2
    over = learn_network(PLAN, files, report=lambda _: pytest.fail("something was left"), keeper=keeper)
    assert same(over.network, learned.network)


def test_another_training_is_told_apart(files, tmp_path):
    digest = PLAN.digest(files, {"nodes": 40})
    network = load("freestyle")
    others = [
        PLAN.digest(files, {"nodes": 50}),
        PLAN.digest(files[:1], {"nodes": 40}),
        PLAN.digest(files[::-1], {"nodes": 40}),
        *(
            replace(PLAN, **change).digest(files, {"nodes": 40})
            for change in (
                {"epochs": 3},
                {"seed": 2},
                {"trace": 0.25},
                {"begin": network},
                {"rules": Rules.named("freestyle", 7)},
            )
        ),
    ]
    assert len({digest, *others}) == len(others) + 1
    path = file_of("freestyle", "network", tmp_path)
    assert found(path, digest) == (None, None)
    write(path, Checkpoint(others[0], True))
    kept, problem = found(path, digest)
    assert kept is None
    assert str(problem).endswith("the fit starts again")


@pytest.mark.parametrize("damage", ["cut", "other", "empty"])
def test_a_damaged_file_is_told_of_in_a_line(tmp_path, damage):
    path = file_of("freestyle", "network", tmp_path)
    write(path, Checkpoint("0", True, 1, {"mean": np.arange(1000.0)}))
    data = path.read_bytes()
    path.write_bytes({"cut": data[: len(data) // 2], "other": b"none\n", "empty": b""}[damage])
    kept, problem = found(path, "0")
    assert kept is None
    assert "is damaged" in str(problem)
    assert "\n" not in str(problem)


def test_it_is_kept_at_the_end_of_an_epoch_and_now_and_then(tmp_path):
    asked = []

    def state():
        asked.append(1)
        return {"mean": np.zeros(1)}

    keeper = Keeper(tmp_path / "a.npz", "0", True)
    keeper(0, state)
    keeper(1, state)
    assert not asked, "it has just begun"
    keeper.gap = 0
    keeper(0, state)
    keeper(1, state)
    keeper(1, state)
    assert len(asked) == 1
    keeper.pause = 0
    keeper(1, state)
    assert len(asked) == 2


# -- the report


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_in_one_language(learned, lang):
    page = network_report(learned, "0" * 64, "a.png", lang, MATCH)
    assert digest(learned.network) in page
    assert "](a.png)" in page
    assert "+40.0 ± 30.0" in page
    assert re.search("7x7[,、] ?9x9", page.splitlines()[0]), "all boards are named"
    text = re.sub(r"```.*?```|`.*?`|\]\(.*?\)", "", page, flags=re.DOTALL)
    assert bool(re.search(r"[\u4e00-\u9fff]", text)) == (lang == "zh")
    if lang == "zh":
        assert not re.search(r"[a-zA-Z]{4,}", text.replace("Tengen", ""))


def test_network_report_and_picture_are_written_the_same_each_time(learned, tmp_path):
    first, second = (write_network(learned, tmp_path / name, "en", MATCH) for name in ("a", "b"))
    # Where a policy comes with Tengen, the network plays with it.
    assert {kind: path.name for kind, path in first.items() if kind != "policy"} == {
        "network": "freestyle-network.npz",
        "weights": "freestyle.npz",
        "report": "freestyle-network.md",
        "picture": "freestyle-network.png",
    }
    for kind, path in first.items():
        assert path.read_bytes() == second[kind].read_bytes()
    report = first["report"].read_text("utf-8")
    assert hashlib.sha256(first["network"].read_bytes()).hexdigest() in report
    assert str(tmp_path) not in report
    assert prepared_networks(RULES, str(tmp_path / "a"))[0]["network"]


def test_what_it_began_with_and_who_played_the_games_is_told(learned, files):
    again = learn_network(replace(PLAN, begin=learned.network, epochs=1), files[:1])
    assert (again.games, again.own) == (40, 0), "they were played without it"
    page = network_report(again, "", "a.png", "en")
    assert "| 9x9 | 40 | 0 | 40 |" in page
    assert f"| initial | `{digest(learned.network)}` |" in page
    assert "has not been played" in page
    assert "random numbers" in network_report(learned, "", "a.png", "en")
    assert drawn_network(again).startswith(b"\x89PNG")
