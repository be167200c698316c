"""Five programs as builders write them, by nothing but what the documentation says."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import tengen
from tengen import Board, Choice, Engine, Explanation, Limit, Record, Rules
from tengen.arrays import batch, symmetries, transform_planes, transform_policy
from tengen.environments import VectorEnvironment
from tests.console import environment

GAME = "h8a1i9o15g7a15j10o1f6"


def test_a_game_is_read_analysed_and_written_with_its_mistakes(tmp_path):
    path = tmp_path / "game.sgf"
    tengen.write([Record.from_board(Board.from_moves(GAME), {"black": "Ann", "white": "Bob"})], path)
    (record,) = tengen.read(path)
    *_, (last, board) = record.walk()
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == tengen.BLACK
    before = record.board(last.parent)
    best = Engine().analyse(before, Limit(nodes=2000))[0]
    assert before.name(best.point) in {"f6", "k11"}
    assert best.score.mate == 1
    review = tengen.review(record, Limit(nodes=3000))
    assert "a15" in {before.name(mistake.point) for mistake in review.mistakes}
    tengen.write([tengen.annotate(record, review)], tmp_path / "reviewed.sgf")
    (reviewed,) = tengen.read(tmp_path / "reviewed.sgf")
    assert any("threat" in (node.comment or "") for node, _ in reviewed.walk())


class Nearest:
    """Plays next to the last stone."""

    name = "nearest"

    def choose(self, board, limit=None, stop=None):
        def far(point):
            last = board.moves[-1] if board.moves else board.width * board.height // 2
            return abs(point // board.width - last // board.width) + abs(
                point % board.width - last % board.width
            )

        return Choice(min(board.legal_points(), key=far))

    def explain(self, board, limit=None, stop=None):
        return Explanation("It plays next to the last stone.")


def test_an_own_player_in_a_match():
    result = tengen.match(
        Nearest(), "lines", games=4, rules=Rules.named("freestyle", 9), limit=Limit(nodes=100)
    )
    assert result.players == ("nearest", "lines")
    assert (result.wins, result.losses) == (0, 4)
    assert all(record.board().outcome() is not None for record in result.records)


def test_a_data_set_as_arrays(tmp_path):
    """Planes, moves and results of all positions of some games, in all symmetries."""
    result = tengen.match("shapes", "lines", games=2, rules=Rules.named("freestyle", 9))
    planes, policies, results = [], [], []
    for record in result.records:
        walked = list(record.walk(variations=False))
        outcome = record.board().outcome()
        assert outcome is not None
        winner = outcome.winner or 0  # of a draw
        boards = [board.copy() for _, board in walked[:-1]]
        moves = np.array([node.point for node, _ in walked[1:]], np.intp)
        seen, legal = batch(boards)
        assert legal[np.arange(len(moves)), moves].all()
        policy = np.zeros(legal.shape, np.float32)
        policy[np.arange(len(moves)), moves] = 1
        for symmetry in symmetries(9):
            planes.append(transform_planes(seen, symmetry))
            policies.append(transform_policy(policy, symmetry))
            results.append([(winner == board.turn) - (winner == 3 - board.turn) for board in boards])
    np.savez(
        tmp_path / "games.npz", np.concatenate(planes), np.concatenate(policies), np.concatenate(results)
    )
    with np.load(tmp_path / "games.npz") as loaded:
        inputs, chosen, values = loaded.values()
    assert inputs.shape[1:] == (4, 9, 9)
    assert len(inputs) == len(chosen) == len(values)
    occupied = inputs[:, :2].sum(1).reshape(len(inputs), -1)
    assert (occupied[chosen == 1] == 0).all()


def test_an_environment_with_a_learner():
    """A table of positions learns tic-tac-toe by games against itself, then meets random play."""
    environment = VectorEnvironment("tictactoe", 64)
    now, _ = environment.reset(seed=1)
    rng, table = np.random.default_rng(1), dict[bytes, np.ndarray]()

    def values(planes, legal):
        return table.setdefault(planes.tobytes(), np.zeros(9)) + np.where(legal, 0, -9)

    for _ in range(1500):
        planes, legal = now["observation"][:, :2], now["action_mask"]
        known = np.stack([values(*each) for each in zip(planes, legal, strict=True)])
        actions = (known + rng.random(known.shape) * 0.01).argmax(1)
        curious = rng.random(len(actions)) < 0.2
        actions[curious] = environment.sample()[curious]
        now, rewards, ended, _, _ = environment.step(actions)
        replies = zip(now["observation"][:, :2], now["action_mask"], strict=True)
        following = np.array([values(*each).max() for each in replies])
        goals = np.where(ended, rewards, -following)
        for board, action, goal in zip(planes, actions, goals, strict=True):
            table[board.tobytes()][action] += 0.3 * (goal - table[board.tobytes()][action])
    now, _ = environment.reset(seed=2)
    won = lost = 0
    for _ in range(400):
        planes, legal = now["observation"][:, :2], now["action_mask"]
        actions = environment.sample()
        mine = environment.turns == tengen.BLACK
        best = [values(*each).argmax() for each in zip(planes, legal, strict=True)]
        actions[mine] = np.array(best)[mine]
        now, _, ended, _, information = environment.step(actions)
        won += int((information["winner"][ended] == tengen.BLACK).sum())
        lost += int((information["winner"][ended] == tengen.WHITE).sum())
    assert won > 10 * lost


@pytest.mark.long
def test_a_thousand_positions_by_several_workers() -> None:
    """Twenty games of fifty positions each, by `tengen analyse --stdin`."""
    rng = np.random.default_rng(1)
    queries = []
    for number in range(20):
        board = Board.from_moves("")
        while board.ply < 50:
            board.push(int(rng.choice(board.legal_points())))
            if board.outcome() is not None:
                board.pop()
        moves = "".join(map(board.name, board.moves))
        queries.append({"id": f"game {number}", "moves": moves, "turns": list(range(1, 51)), "nodes": 20})
    done = subprocess.run(
        [sys.executable, "-m", "tengen", "analyse", "--stdin", "--workers", "2"],
        input="".join(f"{json.dumps(query)}\n" for query in queries),
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    found = {(answer["id"], answer["turn"]) for answer in answers}
    assert len(answers) == len(found) == 1000
    assert all(answer["best"] not in answer["moves"] for answer in answers)
