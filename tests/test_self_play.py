"""The example that learns by self-play, `examples/self_play.py`."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen
from tengen import Board, arrays

MOVES = "h8i9g7f6h10i8a1o15"


@pytest.fixture(scope="module")
def self_play() -> Any:
    """The example, imported when it is needed: jax takes a second."""
    return pytest.importorskip("examples.self_play", exc_type=ImportError)


def seen(self_play: Any, board: Board) -> np.ndarray:
    """The patterns of a board's points, each point's in ascending order."""
    found: np.ndarray = np.sort(self_play.patterns(arrays.planes(board)[None])[0], axis=-1)
    return found


@pytest.mark.parametrize("number", range(8))
def test_all_symmetries_of_a_board_are_seen_alike(number: int, self_play: Any) -> None:
    board = Board.from_moves(MOVES)
    image = arrays.symmetries(15)[number]
    mapped = Board.from_moves([int(image[point]) for point in board.moves])
    assert np.array_equal(seen(self_play, mapped)[image], seen(self_play, board))


def test_a_pattern_is_what_lies_on_a_line(self_play: Any) -> None:
    """From h8, four cells to both sides: i8 and k8 are own, g8 is the opponent's."""
    board = Board.from_stones(black=["i8", "k8"], white=["g8", "a1"], turn=tengen.BLACK)
    row = self_play.patterns(arrays.planes(board)[None])[0, board.point("h8"), 0]
    cells = [0, 0, 0, 2, 1, 0, 1, 0]
    codes = [sum(cell << 2 * place for place, cell in enumerate(order)) for order in (cells, cells[::-1])]
    assert row == min(codes)


def test_the_goal_of_a_move_is_the_result_for_who_moves_and_changes_sides(self_play: Any) -> None:
    rng = np.random.default_rng(1)
    environment = self_play.VectorEnvironment("tictactoe", 32)
    now, _ = environment.reset(seed=1)
    games, _ = self_play.play(self_play.new_parameters(1), environment, now, rng)
    goal, value, ended, reward = (
        games[name].reshape(self_play.STEPS, 32) for name in ("goal", "value", "ended", "reward")
    )
    assert ended.sum() > 100
    assert np.array_equal(goal[ended], reward[ended])
    before = ended[1:] & ~ended[:-1]
    expected = -(self_play.LAMBDA * goal[1:] + (1 - self_play.LAMBDA) * value[1:])
    assert np.allclose(goal[:-1][before], expected[before], atol=1e-6)
    assert (goal[:-1][before & (reward[1:] == 1)] < 0).all()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_it_learns_to_make_fives(tmp_path: Path, self_play: Any) -> None:
    """Random games last for more than a hundred stones; against one who moves at random it wins soon."""
    parameters = next(islice(self_play.training(seed=1), 24, None)).parameters
    np.savez(tmp_path / "learned.npz", **parameters)
    spec = f"py:examples.self_play:Learned,file={tmp_path / 'learned.npz'}"
    result = tengen.match(spec, "random", games=10)
    assert result.score >= 0.9
    assert max(len(list(record.walk())) for record in result.records) < 110


def test_it_explains_its_move_by_probabilities(self_play: Any) -> None:
    board = Board.from_moves(MOVES)
    player = self_play.Learned(parameters=self_play.new_parameters(2))
    weights = player.explain(board).weights
    assert set(weights) == set(board.legal_points())
    assert sum(weights.values()) == pytest.approx(100, abs=0.01)
    assert weights[player.choose(board).point] == max(weights.values())


@pytest.mark.long
def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch, self_play: Any) -> None:
    """Its cells in order, with few iterations and games."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    folder = Path(self_play.__file__).parent
    monkeypatch.syspath_prepend(str(folder))
    names: dict[str, Any] = {}
    for cell in json.loads((folder / "self_play.ipynb").read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            source = re.sub(r"^ITERATIONS = \d+$", "ITERATIONS = 2", source, flags=re.M)
            source = re.sub(r"^GAMES = \d+$", "GAMES = 2", source, flags=re.M)
            exec(source, names)
    assert len(names["history"]) == 2
    assert names["result"].wins + names["result"].draws + names["result"].losses == 2
