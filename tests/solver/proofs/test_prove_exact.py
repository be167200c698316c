"""What small games are worth becomes a proof that holds; what is not so becomes none."""

from __future__ import annotations

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, GameOver, Limit, Rules, RulesError, TengenError
from tengen.game.points import opponent
from tengen.solver.proofs.builder import ProofProgress
from tengen.solver.proofs.file import HOLDS, MAGIC, WINS, Claim, ProofFile
from tengen.solver.proofs.prove_exact import prove_exact, prove_win
from tengen.solver.proofs.verify import verify
from tests.solver.claims import DRAW, claimed, stopping_at, verdict_of
from tests.solver.exact_oracle import ExactOracle
from tests.solver.plain_checker import PlainChecker

pytestmark = pytest.mark.usefixtures("compiled")

SMALL = [
    "tictactoe",
    "mnk:2,2,2",
    "mnk:3,2,3",
    "mnk:4,3,3",
    "mnk:3,4,4",
    "mnk:5,2,3",
    "mnk:4,1,2",
    "mnk:3,3,1",
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.proof"


@pytest.fixture(scope="module")
def oracles():
    return {rules: ExactOracle() for rules in SMALL}


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("tictactoe", ""),
        ("mnk:4,4,4", ""),
        ("mnk:5,4,4", ""),
        ("mnk:5,5,5", ""),
        ("mnk:5,5,4", ""),
        ("mnk:6,6,5", "c3d4"),
        ("tictactoe", "b2"),
        ("mnk:3,2,3", "a1"),
    ],
)
def test_a_draw_is_proven(rules, moves, path):
    board = Board.from_moves(moves, rules)
    verdict = verdict_of(claimed(board, path, *DRAW))
    assert (verdict.winner, verdict.depth, verdict.holds) == (None, 0, (BLACK, WHITE))
    assert verify(path) == verdict
    assert verdict.board == board
    assert path.read_bytes().startswith(b"tengen proof 2\n")
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "rules", [Rules.named("standard", 5), Rules.named("caro", 5)], ids=lambda rules: rules.name
)
def test_rules_that_are_no_others_on_a_small_board(rules, path):
    made = claimed(Board(rules), path, *DRAW)
    assert verify(path) == verdict_of(made)


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "moves", "depth"),
    [("mnk:4,4,3", "", 5), ("mnk:4,3,3", "", 7), ("mnk:3,3,1", "", 1), ("mnk:6,5,4", "", 11)],
)
def test_a_win_that_no_threats_find_is_proven(rules, moves, depth, path):
    board = Board.from_moves(moves, rules)
    made = claimed(board, path, Claim(BLACK, WINS))
    assert (made.winner, made.holds, verdict_of(made).depth) == (BLACK, (), depth)
    assert path.read_bytes().startswith(MAGIC)
    assert verify(path) == verdict_of(made)
    again = prove_win(board, path)
    assert (again.winner, again.proven) == (BLACK, True)
    assert verify(path) == verdict_of(again)


def test_a_win_with_the_other_side_to_move(path):
    made = claimed(Board.from_moves("b2", "mnk:4,4,3"), path, Claim(BLACK, WINS))
    assert (made.winner, verdict_of(made).depth) == (BLACK, 4)
    assert path.read_bytes().startswith(b"tengen proof 2\n")
    assert verify(path) == verdict_of(made)


@pytest.mark.long
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_every_claim_is_proven_where_it_is_so_and_only_there(path, oracles, data):
    rules = data.draw(st.sampled_from(SMALL))
    board = Board(rules)
    for _ in range(data.draw(st.integers(0, 5))):
        if board.outcome() is None:
            board.push(data.draw(st.sampled_from(board.legal_points())))
    if board.outcome() is not None:
        board.pop()
    value, distance = oracles[rules].value(board)
    for side in (BLACK, WHITE):
        own = value if side == board.turn else -value
        for goal, so in ((WINS, own > 0), (HOLDS, own >= 0)):
            path.unlink(missing_ok=True)
            made = prove_exact(board, path, claims=[Claim(side, goal)])
            assert (made.verdict is not None) == path.exists() == so
            assert made.proven
            assert made.holds == ((side,) if so and goal == HOLDS else ())
            winner = side if own > 0 else opponent(side) if own < 0 else None
            assert made.winner == (winner if so == (goal == WINS) else None)
            if so:
                assert verify(path) == verdict_of(made)
                with ProofFile(path) as proof:
                    assert PlainChecker(proof, 500_000).holds()
                if goal == WINS:
                    assert verdict_of(made).depth == distance


def test_a_draw_where_a_side_wins_is_none(path):
    made = prove_exact(Board("mnk:4,4,3"), path, claims=DRAW)
    assert (made.winner, made.proven, made.verdict, made.holds) == (BLACK, True, None, (BLACK,))
    assert list(path.parent.iterdir()) == []


def test_what_threats_win_is_found_by_them(path):
    board = Board.from_moves("c3a1d3a2e3a3", Rules.mnk(8, 8, 5))
    made = prove_win(board, path)
    assert (made.winner, verdict_of(made).depth) == (BLACK, 3)
    none = prove_win(Board("mnk:5,5,4"), path)
    assert (none.winner, none.proven, none.verdict) == (None, True, None)


def test_a_limit_that_is_reached_writes_nothing(path):
    board = Board("mnk:7,7,5")
    stop = threading.Event()
    stop.set()
    for limit, signal in ((Limit(nodes=1), None), (Limit(seconds=0.01), None), (None, stop)):
        made = prove_exact(board, path, limit, signal, claims=DRAW)
        assert (made.winner, made.proven, made.verdict) == (None, False, None)
        assert prove_win(board, path, limit or Limit(), signal).proven is False
    assert list(path.parent.iterdir()) == []


@pytest.mark.long
@pytest.mark.parametrize("stage", ["write", "check"])
def test_what_is_stopped_while_it_is_written_is_so_and_not_written(stage, path):
    stop = threading.Event()
    made = prove_exact(Board("mnk:5,5,4"), path, stop=stop, claims=DRAW, progress=stopping_at(stage, stop))
    assert (made.proven, made.verdict, made.holds) == (True, None, (BLACK, WHITE))
    assert list(path.parent.iterdir()) == []


@pytest.mark.long
def test_little_memory_is_enough(path):
    small = prove_exact(Board("mnk:5,5,4"), path, claims=DRAW, memory_mb=1)
    assert verify(path) == verdict_of(small)


def test_its_progress_is_told(path):
    progress = ProofProgress()
    made = prove_exact(Board("mnk:5,4,4"), path, claims=DRAW, progress=progress)
    assert (progress.stage, progress.nodes, progress.size) == ("check", made.written, made.size)
    assert progress.positions == verdict_of(made).positions


def test_what_cannot_be_asked_for(path):
    hold = [Claim(BLACK, HOLDS)]
    with pytest.raises(GameOver):
        prove_exact(Board.from_moves("a1a2b1b2c1", "tictactoe"), path, claims=hold)
    for board in (Board("renju"), Board(Rules.named("renju", 8)), Board()):
        with pytest.raises(RulesError):
            prove_exact(board, path, claims=hold)
        with pytest.raises(RulesError):
            prove_win(board, path)
    for claims in ([], [*hold, Claim(BLACK, WINS)]):
        with pytest.raises(TengenError):
            prove_exact(Board("tictactoe"), path, claims=claims)
    with pytest.raises(TengenError):
        prove_exact(Board("tictactoe"), path, claims=hold, memory_mb=0)
    with pytest.raises(FileNotFoundError):
        prove_exact(Board("tictactoe"), path / "deeper", claims=hold)
    with pytest.raises(IsADirectoryError):
        prove_exact(Board("tictactoe"), path.parent, claims=hold)
