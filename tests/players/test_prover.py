"""Who plays from a proof wins, however the proof is reached; elsewhere another player chooses."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from tengen import BLACK, WHITE, Board, GameOver, Rules, TengenError
from tengen.game.player import Score
from tengen.game.symmetry import symmetries, transform
from tengen.players.prover import Prover
from tengen.players.registry import player
from tengen.players.spec import SpecError
from tengen.solver.proofs.file import HOLDS, Claim, ProofError, ProofNode, ProofWriter
from tengen.words import say
from tests.solver.claims import DRAW, claimed, proven
from tests.solver.threats.test_vct import COUNTER_THREE, TANGLES, THREE_THREE, tangle

pytestmark = pytest.mark.usefixtures("compiled")

OTHERWISE = "shapes:o2"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("proofs") / "win.proof"
    proven(Board.from_moves(COUNTER_THREE), path)
    return path


@pytest.fixture
def prover(path):
    return player(f"prover:file={path},otherwise={OTHERWISE}")


def outcome_against(prover, board, replies, side=None):
    """How a game ends that goes on from a board; `replies` chooses the moves of the other side.

    `side` is the prover's, the one to move if left out.
    """
    board, side = board.copy(), side or board.turn
    while board.outcome() is None:
        board.push(prover.choose(board).point if board.turn == side else replies(board))
    return board.outcome()


@pytest.mark.parametrize("seed", range(5))
def test_it_wins_against_any_replies(prover, seed):
    rng = Random(seed)
    board = Board.from_moves(COUNTER_THREE)
    ended = outcome_against(prover, board, lambda board: rng.choice(board.legal_points()))
    assert (ended.winner, ended.reason) == (BLACK, "five")


@pytest.mark.parametrize("spec", ["shapes", "threats", "engine,nodes=2000"])
def test_it_wins_against_other_players(prover, spec):
    other = player(spec)
    ended = outcome_against(prover, Board.from_moves(COUNTER_THREE), lambda b: other.choose(b).point)
    assert (ended.winner, ended.reason) == (BLACK, "five")


@pytest.mark.long
def test_every_reply_to_its_first_moves_loses(prover):
    """Never is the other player asked."""
    board = Board.from_moves(COUNTER_THREE)
    board.push(prover.choose(board).point)
    for reply in board.legal_points():
        board.push(reply)
        why = prover.explain(board)
        assert why.summary.key == "explain.prover"
        choice = prover.choose(board)
        assert why.weights == {choice.point: 1.0}
        assert choice.score.mate > 0
        board.pop()


@pytest.mark.parametrize(("rules", "stones", "attacker"), [row[:3] for row in TANGLES if row[-1]][:4])
def test_under_other_rules(rules, stones, attacker, tmp_path):
    board = tangle(rules, stones, attacker)
    proven(board, tmp_path / "win.proof")
    prover = Prover(str(tmp_path / "win.proof"), OTHERWISE)
    rng = Random(1)
    for _ in range(4):
        ended = outcome_against(prover, board, lambda board: rng.choice(board.legal_points()))
        assert ended.winner == attacker


def test_the_position_may_be_turned_or_reached_otherwise(prover):
    board = Board.from_moves(COUNTER_THREE)
    first = prover.choose(board).point
    for turn in symmetries(15, 15):
        assert prover.choose(transform(board, turn)).point == turn[first]
    board.push(first)
    board.push("a2")
    second = prover.choose(board)
    black, white = board.stones(BLACK), board.stones(WHITE)
    assert prover.choose(Board.from_stones(black, white, BLACK)).point == second.point


def test_it_knows_how_long_a_win_takes(prover):
    board = Board.from_moves(COUNTER_THREE)
    choice = prover.choose(board)
    assert choice.line == (choice.point,)
    assert choice.score.mate == 7
    assert str(prover.explain(board).summary) == "the proof plays h8 and wins in at most 4 moves"
    board.push(choice.point)
    board.push("a2")
    assert prover.choose(board).score.mate < 7


def test_a_long_win_is_one_without_a_number(path, monkeypatch):
    monkeypatch.setattr("tengen.players.prover._MOST_POSITIONS", 10)
    prover = Prover(str(path), OTHERWISE)
    board = Board.from_moves(COUNTER_THREE)
    assert str(prover.explain(board).summary) == "the proof plays h8 and wins"
    assert prover.choose(board).score == Score.win_in(225 - 8)


@pytest.mark.parametrize(
    "board",
    [
        Board.from_moves(COUNTER_THREE.removesuffix("a1")),
        Board.from_moves(COUNTER_THREE + "o15"),
        Board.from_moves(THREE_THREE),
        Board.from_moves(COUNTER_THREE, "standard"),
        Board.from_moves(COUNTER_THREE, Rules.named("freestyle", 16)),
        Board.from_moves(COUNTER_THREE + "o15o14"),
        Board("tictactoe"),
    ],
    ids=str,
)
def test_elsewhere_another_player_chooses_and_that_is_told(prover, board):
    assert prover.choose(board).point == player(OTHERWISE).choose(board).point
    why = prover.explain(board)
    assert why.summary.key == "explain.prover.outside"
    assert str(why.summary).startswith(f"the proof does not cover this position; {OTHERWISE} plays")
    assert why.weights == player(OTHERWISE).explain(board).weights


def test_a_proof_that_does_not_hold_is_not_played(tmp_path):
    board = Board.from_moves(COUNTER_THREE)
    path = tmp_path / "wrong.proof"
    with path.open("w+b") as file:
        writer = ProofWriter(file, board)
        writer.finish(writer.add(ProofNode(0 + 14, None, {})))
    prover = Prover(str(path), OTHERWISE)
    assert prover.explain(board).summary.key == "explain.prover.outside"
    assert prover.choose(board).point == player(OTHERWISE).choose(board).point


def test_its_name_makes_it_again(path, prover):
    assert prover.name == f"prover:file={path},otherwise={OTHERWISE}"
    assert player(prover.name).name == prover.name
    assert player(f"prover,file={path},otherwise={OTHERWISE}").name == prover.name
    assert pickle.loads(pickle.dumps(prover)).name == prover.name
    assert player(f"prover:file={path}").name == f"prover:file={path}"


def test_what_is_no_proof(tmp_path):
    with pytest.raises(TengenError) as told:
        player(f"prover:file={tmp_path}/nowhere")
    file = f"{tmp_path}/nowhere"
    assert str(told.value) == f"the proof {file} cannot be read: there is no such file or folder"
    assert say(told.value.message, "zh") == f"无法读取证明文件 {file}：没有这个文件或文件夹"
    (tmp_path / "other").write_bytes(b"other")
    with pytest.raises(ProofError):
        player(f"prover:file={tmp_path}/other")
    for spec in ("prover", "prover:", "prover:win.proof", "prover:file=a,file=b", "prover:file=a,more=1"):
        with pytest.raises(SpecError):
            player(spec)


def test_a_game_that_is_over(prover):
    with pytest.raises(GameOver):
        prover.choose(Board.from_moves("h8a1i8a2j8a3k8a4l8"))
    assert prover.explain(Board.from_moves("h8a1i8a2j8a3k8a4l8")).weights == {}


# -- a side that does not lose


@pytest.fixture(scope="module")
def draw(tmp_path_factory):
    path = tmp_path_factory.mktemp("proofs") / "draw.proof"
    claimed(Board("tictactoe"), path, *DRAW)
    return Prover(str(path), OTHERWISE)


def ends_against(prover, board, side):
    """All ways in which a game can end where a side plays from its proof."""
    if (outcome := board.outcome()) is not None:
        return {outcome.winner}
    if board.turn != side:
        moves = board.legal_points()
    else:
        choice = prover.choose(board)
        assert prover.explain(board).summary.key != "explain.prover.outside"
        assert choice.line == (choice.point,)
        moves = [choice.point]
    ends = set()
    for point in moves:
        board.push(point)
        ends |= ends_against(prover, board, side)
        board.pop()
    return ends


@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_it_never_loses_whatever_the_other_side_plays(draw, side):
    """And never asks the other player; it wins where it is let."""
    assert ends_against(draw, Board("tictactoe"), side) == {side, None}


def test_what_it_says_of_a_move_that_holds(draw):
    board = Board("tictactoe")
    assert draw.choose(board).score == Score(0)
    assert str(draw.explain(board).summary) == "the proof plays b2 and does not lose"


@pytest.mark.parametrize("seed", range(3))
def test_it_holds_by_pairs_after_moves_of_its_own_choice(seed, tmp_path):
    """(5,5,5): White answers within pairs, wherever the position has been turned to."""
    path = tmp_path / "draw.proof"
    claimed(Board("mnk:5,5,5"), path, *DRAW)
    prover, rng = Prover(str(path), OTHERWISE), Random(seed)
    for side in (BLACK, WHITE):
        board = Board("mnk:5,5,5")
        ended = outcome_against(prover, board, lambda board: rng.choice(board.legal_points()), side)
        assert ended.winner in {side, None}
    turned = transform(Board.from_moves("a1", "mnk:5,5,5"), symmetries(5, 5)[3])
    assert prover.explain(turned).summary.key == "explain.prover.holds"


def test_it_says_nothing_for_the_side_that_is_not_in_the_proof(tmp_path):
    path = tmp_path / "hold.proof"
    claimed(Board("tictactoe"), path, Claim(WHITE, HOLDS))
    prover = Prover(str(path), OTHERWISE)
    assert prover.explain(Board("tictactoe")).summary.key == "explain.prover.outside"
    assert prover.explain(Board.from_moves("a1", "tictactoe")).summary.key == "explain.prover.holds"


def test_outside_of_it_somebody_plays_whom_the_rules_suit(tmp_path):
    """The engine does not play tic-tac-toe."""
    path = tmp_path / "hold.proof"
    claimed(Board("tictactoe"), path, Claim(WHITE, HOLDS))
    prover = player(f"prover:file={path}")
    assert prover.name == f"prover:file={path}"
    assert prover.choose(Board("tictactoe")).point == player("minimax").choose(Board("tictactoe")).point
