from __future__ import annotations

import json
import random

import pytest

from tengen import Rules
from tengen.arena.contestants import Contestant
from tengen.arena.results import PlayedGame, PlayedMove
from tengen.arena.tuning import TuningState, optimise
from tengen.arena.tuning_settings import CANDIDATE, prepare
from tengen.cli.output.tuning_lines import TuningProgress, generation_line, summary
from tengen.schemas.arena import GenerationData, TuningData
from tengen.words import LANGUAGES

RULES = Rules.mnk(6, 6, 4)


@pytest.fixture
def state():
    """A tuning after one of two generations."""
    tuning = prepare(
        Contestant("lines"),
        RULES,
        [(14,), (21,)],
        [Contestant("random")],
        ["own", "dead"],
        generations=2,
        population=6,
    )
    state = TuningState(tuning, total=72)
    state.played = {0: 1.0, 1: 0.5}
    dice = random.Random(1)

    class Enough(Exception):
        pass

    def evaluate(batch):
        if batch.number:
            raise Enough
        state.faults = {CANDIDATE: {"crash": 2}, "random": {"time": 1}}
        return [(dice.random(), dice.random()) for _ in batch.values]

    with pytest.raises(Enough):
        optimise(state, evaluate)
    return state


def confirmed(state):
    """The confirmation: one game, which the answer won."""
    state.confirmation = [
        PlayedGame(0, RULES, state.spec, "lines", (14,), (PlayedMove(0, 0.1),), 1, "five")
    ]
    return state.standing()


def test_the_line_tells_how_far_it_is(state):
    line = TuningProgress(state, "en")
    state.played = dict.fromkeys(range(10), 1.0)
    score = f"{100 * state.generations[0].score:.1f}"
    assert line() == f"generation 2/2  games 10/72  score {score}%  0:00"
    state.generations *= 2
    assert line() == "confirmation  games 0/400  0:00"
    assert TuningProgress(TuningState(state.tuning), "en")() == "generation 1/2  games 0/–  score –%  0:00"


def test_the_line_estimates_what_is_left(state):
    line = TuningProgress(TuningState(state.tuning), "en")
    line._state.generations += state.generations
    assert line().endswith("about 0:00 left")


def test_a_generation_on_a_line(state):
    text = generation_line(state, "en")
    (generation,) = state.generations
    assert text.startswith(f"generation 1: score {100 * generation.score:.1f} ± ")
    assert f"best {100 * max(generation.totals):.1f}%, 12 games each" in text


def test_the_summary_shows_before_and_after_and_the_spec(state):
    lines = summary(state, None, "en").splitlines()
    assert lines[0].split() == ["parameter", "before", "after"]
    assert lines[1].split() == ["own", "1", f"{state.values['own']:g}"]
    assert lines[2].split() == ["dead", "0", f"{state.values['dead']:g}"]
    assert lines[3:5] == ["after 1 generation:", state.spec]
    assert lines[5].startswith("candidates: 2 lost by ")
    assert lines[6].startswith("random: 1 lost by ")
    assert len(lines) == 7


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_summary_ends_with_the_confirmation(state, lang):
    without = summary(state, None, lang)
    assert summary(state, state.standing(), lang) == without  # not begun
    text = summary(state, confirmed(state), lang)
    assert text.startswith(without)
    assert f"{state.spec}  –  lines" in text
    assert state.spec in without.splitlines()
    assert generation_line(state, lang)
    assert TuningProgress(state, lang)()


def test_the_same_for_a_program(state):
    content = TuningData.of(state, confirmed(state)).to_dict()
    assert content["spec"] == state.spec
    assert content["values"] == state.values
    assert content["before"] == {"own": 1, "dead": 0}
    assert content["generations"] == 1
    assert content["confirmation"]["wins"] == 1
    assert TuningData.of(state, None).confirmation is None
    generation = GenerationData.of(state.generations[0], 1).to_dict()
    assert generation["generation"] == 1
    assert generation["scores"] == state.generations[0].totals
    assert generation["faults"] == {CANDIDATE: {"crash": 2}, "random": {"time": 1}}
    json.dumps([content, generation], allow_nan=False)
