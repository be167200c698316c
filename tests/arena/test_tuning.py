from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Rules, TengenError, executors, player
from tengen.arena.arena_error import ArenaError
from tengen.arena.contestants import Contestant
from tengen.arena.report.tuning_plot import plot
from tengen.arena.sprt import Sprt
from tengen.arena.stored import from_data, to_data
from tengen.arena.tuning import Generation, TuningState, optimise, tune
from tengen.arena.tuning_optimiser import Optimiser
from tengen.arena.tuning_parameters import (
    Parameter,
    at,
    parameters_of,
    parse_bounds,
    rounded,
    search_space,
    with_values,
)
from tengen.arena.tuning_settings import CANDIDATE, Batch, Tuning, other_presets, prepare
from tengen.formats.files import FileError
from tengen.players.evaluation import DEFAULTS
from tengen.players.lines import Lines
from tengen.players.spec import SpecError

SMALL = Rules.mnk(6, 6, 4)
OPENINGS = [(14, *pair) for pair in combinations((7, 8, 9, 13, 15, 19, 20, 21), 2)]


# -- players that anybody might write


class Strict(Lines):
    """Takes only `own` between 0.5 and 3."""

    def __init__(self, own=1.0, enemy=1.0):
        if not 0.5 <= own <= 3:
            raise ValueError("own between 0.5 and 3")
        super().__init__(own=own, enemy=enemy)
        self.parameters = {"own": own, "enemy": enemy}


class Deaf(Lines):
    """Shows parameters, and listens to none."""

    def __init__(self, own=1.0):
        super().__init__()


class Clumsy(Lines):
    """Cannot play with more than a little of `own`."""

    def choose(self, board, limit=None, stop=None):
        if self.parameters["own"] > 1.2:
            raise RuntimeError("too heavy")
        return super().choose(board, limit, stop)


HERE = f"py:{__name__}"


def tuning(spec="lines", **settings):
    """A small tuning of `lines`."""
    small = {"generations": 2, "population": 5, "games": 4, "most_games": 8, "confirm": 4, "seed": 3}
    chosen = {"opponents": [Contestant("lines")], "only": ("own", "growth"), **small, **settings}
    return prepare(Contestant(spec), SMALL, OPENINGS, **chosen)


def error_of(call, *args, **kwargs):
    with pytest.raises(TengenError) as caught:
        call(*args, **kwargs)
    assert "\n" not in str(caught.value)
    return caught.value.message.key


# -- what is searched


def test_positive_numbers_are_searched_by_factors_and_the_others_by_amounts():
    space = {parameter.name: parameter for parameter in search_space("lines")}
    assert list(space) == ["own", "enemy", "growth", "win", "block", "dead"]
    growth, dead = space["growth"], space["dead"]
    assert growth.factors
    assert growth.value(0) == 4
    assert growth.value(1) == pytest.approx(4 * math.e, rel=1e-5)
    assert growth.value(-1) == pytest.approx(4 / math.e, rel=1e-5)
    assert not dead.factors
    assert dead.step == 4  # the median of 1, 1, 4, 1000 and 1,000,000
    assert dead.value(0) == 0
    assert dead.value(-0.5) == -2


def test_depth_and_seed_are_no_evaluation_numbers():
    assert parameters_of("minimax,depth=2,width=8") == DEFAULTS
    assert [parameter.start for parameter in search_space("lines,own=2,seed=7", ["own"])] == [2]
    assert other_presets("lines,seed=7") == ["lines:tuned", "lines:o4"]


def test_numbers_go_no_farther_than_the_player_takes_them():
    space = {parameter.name: parameter for parameter in search_space("lines")}
    assert (space["growth"].low, space["growth"].high) == (0.004, 4000)
    assert space["win"].high == 1_000_000  # as large as a parameter of ours may be
    own = search_space(f"{HERE}:Strict")[0]
    assert (own.low, own.high) == (1 / 1.5, 3)


def test_bounds_that_are_given():
    (dead,) = search_space("lines", ["dead"], {"dead": (-0.5, 1.5)})
    assert (dead.low, dead.high, dead.step, dead.factors) == (-0.5, 1.5, 0.5, False)
    (own,) = search_space("lines", ["own"], {"own": (0.5, 2)})
    assert own.factors
    assert own.value(2) == 2  # two quarters of the way
    assert own.value(99) == 2
    assert own.value(-99) == 0.5


@given(st.floats(-5, 5))
def test_a_coordinate_is_found_again(coordinate):
    for parameter in search_space("lines", ["growth", "dead"]):
        assert parameter.coordinate(parameter.value(coordinate)) == pytest.approx(coordinate, abs=1e-4)


def test_players_without_parameters():
    for spec in ("random", "level:2"):
        assert error_of(parameters_of, spec) == "error.tune.none"
    assert error_of(search_space, f"{HERE}:Deaf") == "error.tune.stuck"
    assert error_of(search_space, f"{HERE}:Deaf", [], {"own": (0.5, 2)}) == "error.tune.refused"
    with pytest.raises(ArenaError, match="player 'random' has nothing to tune"):
        search_space("random")
    with pytest.raises(SpecError):
        search_space("nobody")


def test_settings_that_make_no_sense():
    assert error_of(search_space, "lines", ["owl"]) == "error.tune.name"
    assert error_of(search_space, "lines", [], {"owl": (1, 2)}) == "error.tune.name"
    assert error_of(search_space, "lines", ["own"], {"enemy": (1, 2)}) == "error.tune.only"
    assert error_of(search_space, "lines", [], {"own": (2, 3)}) == "error.tune.start"
    assert error_of(search_space, "lines", [], {"own": (0, 1e7)}) == "error.tune.refused"
    assert error_of(tuning, population=4) == "error.tune.least"
    assert error_of(tuning, confirm=-1) == "error.tune.least"
    assert error_of(tuning, sigma=0) == "error.tune.sigma"
    assert error_of(prepare, Contestant("lines"), SMALL, []) == "error.arena.openings"


def test_bounds_as_the_command_line_writes_them():
    assert parse_bounds("own=0.5:2") == ("own", (0.5, 2.0))
    assert parse_bounds(" dead = -1:1e-1") == ("dead", (-1.0, 0.1))
    for text in ("own", "own=", "own=1", "=1:2", "own=2:1", "own=1:1", "own=1:nan", "own=1:inf", "own=a:b"):
        assert error_of(parse_bounds, text) == "error.tune.bounds"


def test_settings_of_a_spec_are_replaced():
    assert with_values("lines", {"own": 2.0}) == "lines,own=2"
    assert with_values("lines:o4,own=3, seed=1", {"own": 0.25}) == "lines:o4,seed=1,own=0.25"
    values = {"own": 1e-5, "enemy": -123456.0, "growth": 0.1}
    assert player(with_values("lines", values)).parameters == player("lines").parameters | values  # type: ignore[attr-defined]


def test_the_answer_is_rounded_to_what_the_search_could_tell():
    space = search_space("lines", ["growth", "dead"])
    mean = (0.123456, 0.0123456)
    assert at(space, mean) == {"growth": 4.5256, "dead": 0.0493824}
    assert rounded(space, mean, (0.5, 0.5)) == {"growth": 4.53, "dead": 0}
    # Where the search is surer, more is kept.
    assert rounded(space, mean, (0.001, 0.05)) == {"growth": 4.526, "dead": 0.05}
    assert rounded(space, mean, (0.0, 0.0)) == at(space, mean)
    (typed,) = search_space("lines", ["dead"], {"dead": (-0.55, 10)})
    assert rounded([typed], [-0.2], [5.0]) == {"dead": 0}
    assert rounded([typed], [-9.0], [0.5]) == {"dead": -0.55}  # not beyond its bound


def test_opponents_are_the_player_itself_and_its_other_presets():
    made = prepare(Contestant("shapes:o2", nodes=7), SMALL, OPENINGS)
    assert [seat.spec for seat in made.opponents][:2] == ["shapes:o2", "shapes:o5"]
    assert {seat.nodes for seat in made.opponents} == {7}
    assert "shapes:o2" not in other_presets("shapes:o2,w_1=3")
    assert "lines:open" not in other_presets("lines")
    assert other_presets("minimax") == other_presets("py:module:Class") == []


def test_the_confirmation_has_openings_of_its_own():
    made = tuning()
    assert len(made.held_out) == len(OPENINGS) // 4
    assert {*made.openings, *made.held_out} == set(OPENINGS)
    assert not set(made.openings) & set(made.held_out)
    few = prepare(Contestant("lines"), SMALL, OPENINGS[:7])
    assert set(few.openings) == set(few.held_out) == set(OPENINGS[:7])


def test_candidates_differ_in_nothing_but_their_numbers():
    made = tuning(opponents=[Contestant("lines"), Contestant("random")])
    batch = Batch(0, ({"own": 1.0, "growth": 2.0}, {"own": 3.0, "growth": 4.0}), 4)
    games = list(batch.tasks(made))
    assert [game.number for game in games] == list(range(batch.games)) == list(range(16))
    for one, other in zip(games[:8], games[8:], strict=True):
        assert one.opening == other.opening
        mine, theirs = (game.black if game.number % 2 == 0 else game.white for game in (one, other))
        assert mine.label == theirs.label == CANDIDATE
        assert theirs.spec == mine.spec.replace("own=1,growth=2", "own=3,growth=4")
        assert (one.white if mine is one.black else one.black) == (
            other.white if theirs is other.black else other.black
        )
    # Each pair has an opening of its own, both colours, and the opponents take turns.
    assert len({game.opening for game in games[:8]}) == 4
    assert [game.white.label for game in games[:8:2]] == ["lines", "random"] * 2
    later = Batch(1, batch.values, 4)
    assert [game.opening for game in later.tasks(made)] != [game.opening for game in games]


def test_scores_come_in_halves():
    batch = Batch(0, ({}, {}), 2)
    points = dict(enumerate([1, 1, 0, 0.5, 0, 0, 1, 0]))
    assert batch.scores(points) == ((1.0, 0.25), (0.0, 0.5))


# -- the search, with scores from elsewhere


def bowl(parameters, best, noise=0.0, seed=0):
    """Scores that fall off with the distance from the best numbers, in coordinates."""
    dice = random.Random(seed)

    def evaluate(batch):
        for values in batch.values:
            far = sum(
                (p.coordinate(values[p.name]) - c) ** 2 for p, c in zip(parameters, best, strict=True)
            )
            score = 1 / (1 + far)
            yield tuple(score + dice.gauss(0, noise) for _ in range(2))

    return evaluate


@pytest.mark.long
def test_the_search_finds_the_best_numbers():
    state = TuningState(tuning(only=("own", "growth", "dead"), generations=40, population=8))
    best = (0.7, -0.4, 0.3)
    seen: list[Generation] = []
    optimise(state, bowl(state.tuning.parameters, best), seen.append)
    assert state.generations == seen
    assert state.mean == pytest.approx(best, abs=0.02)
    assert state.exact == pytest.approx(at(state.tuning.parameters, best), rel=0.05)
    assert seen[-1].score > 0.99 > seen[0].score
    assert max(seen[-1].deviations) < 0.05
    assert player(state.spec).parameters["growth"] == state.values["growth"]  # type: ignore[attr-defined]


def test_one_number_alone_can_be_searched():
    state = TuningState(tuning(only=("own",), generations=25, population=8))
    optimise(state, bowl(state.tuning.parameters, (1.0,)))
    assert state.mean == pytest.approx((1.0,), abs=0.05)


def test_candidates_stay_within_their_bounds():
    bounds = {"own": (0.9, 1.3), "dead": (-0.1, 0.0)}
    state = TuningState(
        tuning(only=("own", "dead"), bounds=bounds, generations=10, population=8, sigma=2.0)
    )
    tried = []

    def evaluate(batch):
        tried.extend(batch.values)
        yield from bowl(state.tuning.parameters, (9.0, 9.0))(batch)  # far outside

    optimise(state, evaluate)
    assert len(tried) == 80
    for values in (*tried, state.exact, state.values):
        for name, (low, high) in bounds.items():
            assert low <= values[name] <= high
    assert state.values == pytest.approx({"own": 1.3, "dead": 0.0}, rel=0.02, abs=0.002)


def test_noise_calls_for_more_games_and_its_absence_for_fewer():
    def games(noise):
        state = TuningState(tuning(generations=12, population=8, games=8, most_games=80))
        optimise(state, bowl(state.tuning.parameters, (0.5, 0.5), noise))
        return state.generations

    quiet, loud = games(0.0), games(5.0)
    assert [generation.games for generation in quiet] == [8] * 12
    assert loud[-1].games > 16
    assert loud[-1].noise > 0 > quiet[-1].noise
    # The search also looks farther, where it cannot see.
    assert sum(loud[-1].deviations) > sum(quiet[-1].deviations)


def test_games_come_in_pairs_against_every_opponent_in_both_halves():
    three = tuning(opponents=[Contestant("lines"), Contestant("random"), Contestant("lines:o4")], games=5)
    state = TuningState(replace(three, generations=1))
    optimise(state, bowl(three.parameters, (0, 0)))
    assert state.generations[0].games == 12


@given(st.integers(0, 30))
def test_a_search_that_is_gone_through_again_goes_on_as_it_would_have(seed):
    space = (Parameter("x", 1, 0.1, 10, 1, True), Parameter("y", 0, -1, 2, 0.5, False))

    def begun():
        return Optimiser(space, 6, 0.5, (2, 9), seed)

    dice = random.Random(seed)
    search, told = begun(), []
    for _ in range(3):
        asked = search.ask()
        scores = [(dice.random(), dice.random()) for _ in asked.points]
        search.tell(scores)
        told.append((asked.points, scores))
    again = begun()
    again.replay(told)
    assert again.mean == search.mean
    assert again.deviations == search.deviations
    assert again.ask() == search.ask()
    # What was played counts, also where it is not what would be asked now.
    shifted = [(tuple((x * 0.9, y) for x, y in points), scores) for points, scores in told]
    other = begun()
    other.replay(shifted)
    assert other.mean != search.mean
    assert all(
        parameter.coordinate(parameter.low) <= coordinate <= parameter.coordinate(parameter.high)
        for parameter, coordinate in zip(space, other.mean, strict=True)
    )


# -- tuning by play


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A tuning from its beginning to its end, and its file."""
    path = tmp_path_factory.mktemp("tuning") / "state.json"
    state = TuningState(tuning())
    seen = []
    with executors.open_workers("processes", 1) as workers:
        standing = tune(state, workers, path, lambda generation: seen.append(generation.games))
    assert seen == [4, 4]
    return state, standing, path


def test_a_tuning_by_play(whole):
    state, standing, _ = whole
    assert len(state.generations) == 2
    for generation in state.generations:
        assert len(generation.scores) == 5
        assert all(share in (0, 0.25, 0.5, 0.75, 1) for pair in generation.scores for share in pair)
        assert not generation.faults
        assert generation.error >= 0
    assert standing.tally.games == len(state.confirmation) == 4
    assert {game.opening for game in state.confirmation} <= set(state.tuning.held_out)
    first = min(state.confirmation, key=lambda game: game.number)
    assert (first.black, first.white) == (state.spec, "lines")
    assert state.spec.startswith("lines,own=")


def test_a_state_is_read_as_it_was_written(whole):
    state, _, path = whole
    read = TuningState.load(path)
    assert read.tuning == state.tuning
    assert read.generations == state.generations
    assert read.confirmation == state.confirmation
    assert read.spec == state.spec == json.loads(path.read_text())["answer"]


def moves(state):
    """What was played in the confirmation, by the number of the game."""
    return {game.number: [move.point for move in game.moves] for game in state.confirmation}


@pytest.mark.parametrize("stop_after", [0, 3, 20, 27, 41])
def test_a_tuning_that_was_interrupted_goes_on_to_the_same_end(whole, tmp_path, stop_after):
    path = tmp_path / "state.json"
    state = TuningState(whole[0].tuning)

    def tick():
        if (
            sum(len(g.points) * g.games for g in state.generations)
            + len(state.played)
            + len(state.confirmation)
            >= stop_after
        ):
            raise KeyboardInterrupt

    with executors.open_workers("threads", 1) as workers:
        with pytest.raises(KeyboardInterrupt):
            tune(state, workers, path, tick=tick)
        resumed = TuningState.load(path)
        assert resumed.played == state.played
        tune(resumed, workers, path)
    assert resumed.generations == whole[0].generations
    assert resumed.spec == whole[0].spec
    assert moves(resumed) == moves(whole[0])
    assert TuningState.load(path).confirmation == resumed.confirmation


def test_more_generations_than_were_asked_for(whole):
    state = TuningState.load(whole[2])
    state.extend(2)
    assert state.confirmation
    state.extend(3)
    assert state.tuning.generations == 3
    assert not state.confirmation  # it was for another answer
    assert error_of(state.extend, 1) == "error.tune.least"
    with executors.open_workers("threads", 1) as workers:
        tune(state, workers)
    assert state.generations[:2] == whole[0].generations
    assert len(state.generations) == 3


def test_a_test_may_end_the_confirmation_and_none_may_be_asked_for():
    sprt = Sprt.parse("elo0=0,elo1=400")
    state = TuningState(tuning(opponents=[Contestant("random")], generations=0, confirm=400, sprt=sprt))
    with executors.open_workers("threads", 1) as workers:
        standing = tune(state, workers)
        assert standing is not None
        # The player against itself: no gain.
        assert standing.decision() == "H0"
        assert len(state.confirmation) < 400
        assert tune(TuningState(tuning(generations=0, confirm=0)), workers) is None


def test_candidates_that_crash_lose_and_it_is_told():
    made = tuning(
        f"{HERE}:Clumsy", opponents=[Contestant("random,seed=1")], only=("own",), generations=1, confirm=0
    )
    state = TuningState(made)
    with executors.open_workers("threads", 1) as workers:
        tune(state, workers)
    (generation,) = state.generations
    crashed = {point[0] for point in generation.points if math.exp(point[0]) > 1.2}
    assert 0 < len(crashed) < 5
    assert generation.faults == {CANDIDATE: {"crash": 4 * len(crashed)}}
    for point, score in zip(generation.points, generation.totals, strict=True):
        assert (score == 0) == (point[0] in crashed)


# -- files


def test_files_that_are_no_tuning(whole, tmp_path):
    path = tmp_path / "state.json"
    assert error_of(TuningState.load, path) == "error.file.read"
    text = whole[2].read_text()
    for damaged in (
        "",
        "[]",
        "{}",
        text[:-10],
        text.replace("tengen tuning", "tengen games"),
        "[" * 100_000,
    ):
        path.write_text(damaged)
        assert error_of(TuningState.load, path) == "error.tune.file"


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("tuning",), None),
        (("tuning", "rules"), {"width": 0}),
        (("tuning", "parameters"), [{"name": "own"}]),
        (("tuning", "opponents"), []),
        (("tuning", "population"), "many"),
        (("tuning", "openings"), ["z99"]),
        (("generations", 0, "scores"), [[1]]),
        (("generations", 0, "points"), [[1]]),
        (("generations", 0, "mean"), [1, 2, 3]),
        (("generations", 0, "mean"), [1e9, 0]),
        (("generations", 0, "faults"), 7),
        (("played",), [[1]]),
        (("confirmation",), [{}]),
    ],
)
def test_damaged_states_are_refused(whole, tmp_path, keys, value):
    data = json.loads(whole[2].read_text())
    place = data
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    path = tmp_path / "state.json"
    path.write_text(json.dumps(data))
    error_of(TuningState.load, path)


def test_a_file_that_cannot_be_written_stops_it_before_a_game_is_played(tmp_path):
    state = TuningState(tuning())
    with executors.open_workers("threads", 1) as workers, pytest.raises(FileError):
        tune(state, workers, tmp_path / "nowhere" / "state.json")
    assert not state.played


def test_settings_are_read_as_they_were_written():
    made = tuning(
        sprt=Sprt.parse("elo0=0,elo1=5"),
        opponents=[Contestant("random", nodes=5), Contestant("lines", name="x")],
    )
    assert from_data(Tuning, json.loads(json.dumps(to_data(made)))) == made


@pytest.mark.long
def test_pictures(whole, tmp_path):
    state = whole[0]
    png, svg = tmp_path / "a.png", tmp_path / "a.svg"
    for path in (png, svg):
        plot(state, path)
    assert png.read_bytes().startswith(b"\x89PNG")
    drawn = svg.read_bytes()
    assert b"<svg" in drawn
    plot(state, svg)
    assert svg.read_bytes() == drawn
    amounts = TuningState(tuning(only=("dead",), generations=2))
    optimise(amounts, bowl(amounts.tuning.parameters, (0.5,)))
    plot(amounts, svg)
    assert svg.read_bytes() != drawn
    assert error_of(plot, state, tmp_path / "a.pdf") == "error.tune.picture"
    assert error_of(plot, TuningState(tuning()), png) == "error.tune.unplayed"
    assert error_of(plot, state, tmp_path / "nowhere" / "a.png") == "error.file.write"
