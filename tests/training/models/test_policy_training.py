"""A policy learned from files of games: measured, kept while it is fitted, written and reported."""

from __future__ import annotations

import hashlib
import re
from dataclasses import fields, replace

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.evaluation.network import digest as network_digest
from tengen.engine.evaluation.network import load as load_network
from tengen.engine.evaluation.policy import digest, load
from tengen.training.games.game_file import GameFile, Run, TrainingError
from tengen.training.games.playing import numbers_of
from tengen.training.games.self_play import SelfPlaySettings
from tengen.training.models.checkpoint import Keeper, file_of, found
from tengen.training.models.network_training import NetworkPlan
from tengen.training.models.policy_training import PolicyPlan, learn_policy
from tengen.training.report.plot import drawn_policy
from tengen.training.report.policy_report import policy_report, write_policy
from tengen.training.report.sections import ModelComparison
from tengen.words import LANGUAGES
from tests.training.played_games import played_games

pytestmark = pytest.mark.usefixtures("compiled")

RULES = Rules.named("freestyle", 9)
PLAN = PolicyPlan(rules=RULES, epochs=2)
MATCH = ModelComparison("policy", "better", "+40.0 ± 30.0", 6, 0, 4, 0.1)


def keep_games(path, size, count, nodes=40, by=None):
    """A file of games, told to have been played by the numbers that come with Tengen and their network."""
    rules = Rules.named("freestyle", size)
    network = load_network("freestyle") if size >= 9 else None
    run = Run.of(SelfPlaySettings(rules, nodes=nodes, seed=5), numbers_of(rules), network, by)
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
    return learn_policy(PLAN, files)


def test_each_size_is_measured(learned):
    small, large = learned.sizes
    assert (small.size, small.games, small.nodes) == (7, 21, (30,))
    assert (large.size, large.games, large.nodes) == (9, 40, (40,))
    # It begins with random numbers, and so without a policy, as the games were played.
    assert (small.own, large.own, learned.own) == (21, 40, 61)
    assert learned.positions == small.positions + large.positions > 1000
    for one in (small, large):
        assert 0 < one.outside < one.positions, "moves beside the games"
    assert learned.after.loss == learned.epochs[-1].validation
    apart = small.apart + large.apart
    for name in ("before", "begun", "after"):
        for part in ("loss", "first", "four", "eight"):
            mean = sum(getattr(getattr(one, name), part) * one.apart for one in learned.sizes) / apart
            assert getattr(getattr(learned, name), part) == pytest.approx(mean)
    assert learned.begun == learned.before, "it began with random numbers"


def test_games_by_other_rules_are_refused(files):
    with pytest.raises(TrainingError, match="9x9"):
        learn_policy(replace(PLAN, rules=Rules.named("standard", 9)), files)


def test_too_few_positions_are_refused(tmp_path):
    with pytest.raises(TrainingError, match="play more games"):
        learn_policy(PLAN, [keep_games(tmp_path / "one.jsonl", 9, 1)])


# -- going on


class Killed(Exception):
    """Stands for a process that is killed."""


def test_what_was_kept_in_a_file_is_gone_on_with(learned, files, tmp_path):
    name = PLAN.digest(files, None)
    keeper = Keeper(file_of("freestyle", "policy", tmp_path), name, True, pause=0, gap=0)
    keeper.begin()

    def stop(now):
        if now.epoch == 2:
            raise Killed

    with pytest.raises(Killed):
        learn_policy(PLAN, files, report=stop, keeper=keeper)
    keeper.kept, problem = found(keeper.path, name)
    assert problem is None
    assert keeper.kept is not None
    assert (keeper.kept.epochs, keeper.kept.whole) == (1, True)
    gone_on = learn_policy(PLAN, files, keeper=keeper)
    for field in fields(gone_on.policy):
        assert np.array_equal(getattr(gone_on.policy, field.name), getattr(learned.policy, field.name))
    assert gone_on.epochs == learned.epochs


def test_another_training_is_told_apart(files, learned):
    played = {"nodes": 40}
    plans = [
        PLAN,
        *(
            replace(PLAN, **change)
            for change in (
                {"epochs": 3},
                {"seed": 2},
                {"begin": learned.policy},
                {"rules": Rules.named("freestyle", 7)},
            )
        ),
    ]
    digests = [plan.digest(files, played) for plan in plans]
    digests += [PLAN.digest(files[:1], played), PLAN.digest(files, None)]
    digests.append(NetworkPlan(rules=RULES, epochs=2).digest(files, played))
    assert len(set(digests)) == len(digests)


# -- the report


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_in_one_language(learned, lang):
    page = policy_report(learned, "0" * 64, "a.png", lang, MATCH)
    assert digest(learned.policy) in page
    assert "](a.png)" in page
    assert "+40.0 ± 30.0" in page
    assert re.search("7x7[,、] ?9x9", page.splitlines()[0]), "all boards are named"
    text = re.sub(r"```.*?```|`.*?`|\]\(.*?\)", "", page, flags=re.DOTALL)
    assert bool(re.search(r"[\u4e00-\u9fff]", text)) == (lang == "zh")
    if lang == "zh":
        assert not re.search(r"[a-zA-Z]{4,}", text.replace("Tengen", ""))


def test_policy_report_and_picture_are_written_the_same_each_time(learned, tmp_path):
    first, second = (write_policy(learned, tmp_path / name, "en", MATCH) for name in ("a", "b"))
    assert {kind: path.name for kind, path in first.items()} == {
        "policy": "freestyle-policy.npz",
        "weights": "freestyle.npz",
        "network": "freestyle-network.npz",
        "report": "freestyle-policy.md",
        "picture": "freestyle-policy.png",
    }
    for kind, path in first.items():
        assert path.read_bytes() == second[kind].read_bytes()
    report = first["report"].read_text("utf-8")
    assert hashlib.sha256(first["policy"].read_bytes()).hexdigest() in report
    assert str(tmp_path) not in report
    kept, network = load("freestyle", tmp_path / "a"), load_network("freestyle", tmp_path / "a")
    assert kept is not None
    assert digest(kept) == digest(learned.policy)
    shipped = load_network("freestyle")
    assert network is not None
    assert shipped is not None
    assert network_digest(network) == network_digest(shipped), "what it was played with lies beside it"


def test_what_it_began_with_and_who_played_the_games_is_told(learned, files, tmp_path):
    own = keep_games(tmp_path / "own.jsonl", 9, 21, by=learned.policy)
    again = learn_policy(replace(PLAN, begin=learned.policy, epochs=1), [files[0], own])
    assert (again.games, again.own) == (61, 21)
    assert again.begun.loss == pytest.approx(again.sizes[0].begun.loss)
    assert again.begun != again.before
    page = policy_report(again, "", "a.png", "en")
    assert "| 9x9 | 61 | 21 | 40 |" in page
    assert f"| initial | `{digest(learned.policy)}` |" in page
    assert "has not been played" in page
    assert "--fresh" not in page
    fresh = policy_report(learned, "", "a.png", "en")
    assert "random numbers" in fresh
    assert "--fresh" in fresh
    assert drawn_policy(again).startswith(b"\x89PNG")
