"""Every win that is found becomes a proof that holds."""

from __future__ import annotations

import threading

import pytest
from hypothesis import HealthCheck, given, settings

from tengen import BLACK, WHITE, Board, GameOver, Limit, Rules, RulesError, TengenError, solve_vct
from tengen.solver.proofs import builder as proof_builder
from tengen.solver.proofs.file import ProofError, ProofFile
from tengen.solver.proofs.prove import ProofProgress, prove
from tengen.solver.proofs.verify import verify
from tengen.words import catalogue
from tests.positions import rows_of
from tests.solver.claims import proven, stopping_at, verdict_of
from tests.solver.plain_checker import PlainChecker
from tests.solver.threats.test_vct import COUNTER_THREE, LONG, TANGLES, THREE_THREE, tangle, tangles

WINS = ("ta-142", "ta-295", "ta-352")
"""Wins in games, by threes."""

DEEP = "h8h9i8g8j6j9i9o15"
"""Black to move, under renju, with a win by threes that takes some thousand nodes."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "win.proof"


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("freestyle", "h8a1i8a3j8a5"),
        ("freestyle", THREE_THREE),
        ("freestyle", COUNTER_THREE),
        ("standard", COUNTER_THREE),
        ("renju", "h5f8h6g8h7f10a1g9o15"),
    ],
)
def test_a_win_is_proven(rules, moves, path):
    board = Board.from_moves(moves, rules)
    made = proven(board, path)
    verdict = verify(path)
    assert verdict == verdict_of(made)
    assert (verdict.winner, verdict.board) == (board.turn, board)
    assert verdict.board.moves == board.moves
    assert verdict.depth % 2 == 1
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.long
@pytest.mark.parametrize(("rules", "stones", "attacker"), [row[:-1] for row in TANGLES if row[-1]])
def test_a_plain_checker_says_so_too(rules, stones, attacker, path):
    proven(tangle(rules, stones, attacker), path)
    with ProofFile(path) as proof:
        assert PlainChecker(proof, 2_000_000).holds()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tangles())
def test_what_is_won_by_threats_is_proven(path, board):
    made = prove(board, path, Limit(nodes=20_000))
    found = solve_vct(board, Limit(nodes=20_000))
    assert (made.winner, made.proven) == (found.winner, found.proven)
    if found.winner is not None:
        assert verify(path) == verdict_of(made)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("name", ["vcf.jsonl", "tactics.jsonl"])
def test_all_wins_are_proven(name, part, path):
    limit = Limit(nodes=20_000)
    for row in rows_of(name)[part::4]:
        board = Board.from_moves(row["moves"], Rules.named(row["rule"], row.get("size", 15)))
        if board.outcome() is None and solve_vct(board, limit).winner is not None:
            proven(board, path, limit)


@pytest.mark.long
@pytest.mark.parametrize("row", rows_of("vcf.jsonl")[::20], ids=lambda row: row["id"])
def test_wins_by_fours(row, path):
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], 15))
    made = prove(board, path, Limit(nodes=200_000))
    if row["win"]:
        assert made.verdict is not None
    assert path.exists() == (made.verdict is not None) == (made.winner is not None)


@pytest.mark.parametrize(
    "row", [row for row in rows_of("tactics.jsonl") if row["id"] in WINS], ids=lambda row: row["id"]
)
def test_wins_in_games(row, path):
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], row["size"]))
    made = proven(board, path, Limit(nodes=60_000))
    assert verdict_of(made).positions > made.written


def test_one_node_answers_all_that_stops_nothing(path):
    """Against two open threes some two hundred replies are no answer, and one line beats them."""
    made = proven(Board.from_moves(THREE_THREE), path)
    assert verdict_of(made).positions > 400
    assert made.written < 10
    assert made.size < 500


@pytest.mark.long
def test_what_is_found_deep_down_is_proven(path):
    made = proven(Board.from_moves(DEEP, "renju"), path)
    assert verdict_of(made).depth > 20
    assert made.size < 2_000


def test_symmetric_positions_are_written_once(path):
    """The left half of the board is the image of the right one, and Black begins between them."""
    board = Board.from_stones(["e5", "h8", "k5", "g11", "i11"], ["f6", "j6", "g10", "i10"], BLACK)
    made = proven(board, path)
    with ProofFile(path) as proof:
        seen, turned, waiting = set(), 0, [proof.roots[0]]
        while waiting:
            offset = waiting.pop()
            if offset not in seen:
                seen.add(offset)
                node = proof.node(offset)
                refs = [*node.replies.values(), *([node.default] if node.default else [])]
                turned += sum(symmetry > 0 for _, symmetry in refs)
                waiting += [below for below, _ in refs]
    assert turned > 0
    assert len(seen) == made.written


@pytest.mark.parametrize("fouls", ["forbidden", "loses", "claimed"])
def test_where_the_only_defence_is_a_foul(fouls, path):
    """White makes a four whose one end is a double-three of Black's."""
    board = Board.from_stones(
        ["h9", "h10", "g7", "f6", "c8"],
        ["d8", "e8", "f8", "o15"],
        WHITE,
        Rules.named("renju", fouls=fouls),
    )
    found = solve_vct(board)
    made = prove(board, path)
    assert (made.verdict is not None) == (found.winner == WHITE)
    if made.verdict is not None:
        with ProofFile(path) as proof:
            assert PlainChecker(proof, 2_000_000).holds()


def test_a_foul_that_may_yet_be_claimed(path):
    """Black has won by fours, but White may claim the overline that stands."""
    rules = Rules.named("renju", fouls="claimed")
    board = Board.from_stones(
        ["a1", "b1", "c1", "d1", "e1", "f1", "g8", "h8", "i8"], ["a15", "c15", "e15"], BLACK, rules
    )
    assert solve_vct(board).winner == BLACK
    with pytest.raises(ProofError):
        prove(board, path)
    assert list(path.parent.iterdir()) == []


def test_fours_alone(path):
    board = Board.from_moves(THREE_THREE)
    made = prove(board, path, threats="fours")
    assert (made.winner, made.proven, made.verdict) == (None, True, None)
    made = prove(Board.from_moves("h8a1i8a3j8a5"), path, threats="fours")
    assert verdict_of(made).depth == 3
    # Under caro a four can be stopped at the far end, too.
    caro = next(row for row in TANGLES if row[0] == "caro" and row[-1])
    proven(tangle(*caro[:3]), path)


def test_a_limit_that_is_reached_writes_nothing(path):
    path.write_bytes(b"before")
    board = Board.from_moves(DEEP, "renju")
    for limit in (Limit(nodes=1), Limit(nodes=2000), Limit(seconds=1e-6)):
        made = prove(board, path, limit)
        assert (made.winner, made.proven, made.verdict) == (None, False, None)
    none = prove(Board.from_moves("h8a1i8a15"), path)
    assert (none.winner, none.proven, none.verdict) == (None, True, None)
    assert path.read_bytes() == b"before"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("stage", ["write", "check"])
def test_what_is_stopped_while_it_is_written_is_won_and_not_written(stage, path):
    stop = threading.Event()
    board = Board.from_moves(DEEP, "renju")
    made = prove(board, path, stop=stop, progress=stopping_at(stage, stop))
    assert (made.winner, made.proven, made.verdict) == (BLACK, True, None)
    assert list(path.parent.iterdir()) == []


def test_a_stop_signal_ends_the_search(path):
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    made = prove(Board.from_moves(LONG), path, stop=stop)
    assert (made.winner, made.proven, made.verdict) == (None, False, None)


@pytest.mark.long
def test_little_memory_is_enough(path, monkeypatch):
    """What the table has forgotten is searched again, and what was written is written again."""
    monkeypatch.setattr(proof_builder, "_MOST_CACHED", 4)
    board = Board.from_moves(DEEP, "renju")
    proven(board, path, memory_mb=1)


def test_its_progress_is_told(path):
    assert {f"prove.{stage}" for stage in ("search", "write", "check")} <= catalogue("en").keys()
    progress = ProofProgress()
    made = proven(Board.from_moves(THREE_THREE), path, progress=progress)
    assert (progress.stage, progress.nodes, progress.size) == ("check", made.written, made.size)
    assert progress.positions == verdict_of(made).positions


def test_what_cannot_be_proven(path):
    with pytest.raises(GameOver):
        prove(Board.from_moves("h8a1i8a2j8a3k8a4l8"), path)
    with pytest.raises(RulesError):
        prove(Board("tictactoe"), path)
    with pytest.raises(TengenError):
        prove(Board(), path, threats="twos")
    with pytest.raises(FileNotFoundError):
        prove(Board(), path / "deeper")
    with pytest.raises(IsADirectoryError):
        prove(Board(), path.parent)
