"""Wins that begin with moves which make no threat: found, proven, kept and gone on from."""

from __future__ import annotations

import json
import threading

import pytest

from tengen import Board, Limit, TengenError, executors, solve_vct
from tengen.formats.files import FileError
from tengen.game.symmetry import canonical, symmetries, transform
from tengen.solver.limits import NEVER
from tengen.solver.proofs.prove import ProofProgress, prove
from tengen.solver.proofs.verify import verify
from tengen.solver.threats.quiet_moves import CandidateSettings, expand
from tengen.solver.threats.quiet_search import QuietWinSearch
from tests.solver.claims import proven

pytestmark = pytest.mark.usefixtures("compiled")

WIN = "h8i6g7h6k8i9g6g8h7f5i7j7j6k5"
"""Black to move; no order of threats wins."""

SETTINGS = CandidateSettings(candidates=6)


@pytest.fixture(scope="module")
def workers():
    with executors.open_workers("threads", 1) as workers:
        yield workers


@pytest.fixture
def path(tmp_path):
    return tmp_path / "win.proof"


def searched(tree, workers, nodes=None, stop=None):
    return tree.search(workers.caller("test"), 1, stop or threading.Event(), nodes, lambda: None)


@pytest.mark.long
def test_a_win_by_a_quiet_move_is_proven_against_every_reply(path, workers):
    board = Board.from_moves(WIN)
    by_threats = solve_vct(board)
    assert (by_threats.winner, by_threats.proven) == (None, True)
    progress = ProofProgress()
    proven(board, path, candidates=6, workers=workers, progress=progress)
    assert (progress.stage, progress.open) == ("check", 0)
    verdict = verify(path)
    assert (verdict.winner, verdict.board) == (board.turn, board)


@pytest.mark.long
def test_a_step_says_which_replies_hold():
    board = Board.from_moves(WIN)
    found = expand(board, SETTINGS)
    assert found.nodes > 0
    for step in found.moves:
        after = board.copy()
        after.push(step.point)
        lost = set(after.legal_points()) - set(step.replies)
        for reply in sorted(lost)[::20]:
            after.push(reply)
            assert after.outcome() or solve_vct(after).winner == board.turn, after.name(reply)
            after.pop()


@pytest.mark.long
def test_what_is_found_out_is_kept_and_gone_on_from(tmp_path, workers):
    board = Board.from_moves(WIN)
    kept = tmp_path / "steps.jsonl"
    first = QuietWinSearch(board, SETTINGS, kept)
    assert searched(first, workers) is True
    head, *lines = kept.read_text().splitlines(keepends=True)
    assert len(lines) == first.expanded
    # The machine was switched off while the second half was written.
    kept.write_text("".join([head, *lines[: len(lines) // 2]]) + lines[-1][:10])
    second = QuietWinSearch(board, SETTINGS, kept)
    assert searched(second, workers) is True
    again = QuietWinSearch(board, SETTINGS, kept)
    assert searched(again, workers) is True
    assert again.nodes == 0
    assert (again.expanded, again.winning_moves()) == (second.expanded, second.winning_moves())
    # What is kept holds for the mirrored board as well.
    mirrored = QuietWinSearch(transform(board, symmetries(15, 15)[3]), SETTINGS, kept)
    assert searched(mirrored, workers) is True
    assert (mirrored.nodes, mirrored.winning_moves()) == (0, second.winning_moves())


def test_what_does_not_win_by_the_candidates_is_not_said_to_be_lost(path, workers):
    progress = ProofProgress()
    done = prove(Board.from_moves("h8a1"), path, candidates=1, workers=workers, progress=progress)
    assert (done.winner, done.proven, done.verdict, path.exists()) == (None, False, None, False)
    assert progress.open == NEVER


def test_where_nothing_threatens_the_best_moves_are_tried_all_the_same_if_that_is_asked_for():
    board, few = Board.from_moves("h8a1"), {"candidates": 2, "engine_nodes": 2_000, "threat_nodes": 50}
    assert expand(board, CandidateSettings(**few)).moves == ()
    found = expand(board, CandidateSettings(**few, unthreatening=1))
    (step,) = found.moves
    assert {step.point, *step.replies} == set(board.legal_points())
    assert not found.more


def test_where_the_best_move_fails_the_next_one_is_tried():
    board = Board.from_moves("h8a1")
    settings = CandidateSettings(candidates=3, engine_nodes=2_000, threat_nodes=50, unthreatening=2)
    first = expand(board, settings)
    assert (len(first.moves), first.more) == (1, True)
    tried = [step.point for step in first.moves]
    second = expand(board, settings, tried)
    assert (len(second.moves), second.more) == (1, False)
    assert second.moves[0].point != tried[0]
    tried.append(second.moves[0].point)
    assert expand(board, settings, tried)[:2] == ((), False)


def test_a_search_goes_on_with_the_next_move_where_one_has_failed(tmp_path, workers):
    """The best move is given up as soon as one reply to it is; then the second is tried."""
    board, kept = Board.from_moves("h8a1"), tmp_path / "steps.jsonl"
    settings = CandidateSettings(candidates=2, engine_nodes=2_000, threat_nodes=50, unthreatening=2)
    QuietWinSearch(board, settings, kept)  # begins the file
    found = expand(board, settings)
    (step,) = found.moves
    after = board.copy()
    after.push(step.point)
    after.push(step.replies[0])
    with kept.open("a") as file:
        for position, steps, more in ((board, [step], True), (after, [], False)):
            key, symmetry = canonical(position)
            rows = [[turned.point, *turned.replies] for turned in (one.mapped(symmetry) for one in steps)]
            file.write(json.dumps({"position": key.hex(), "steps": rows, "more": more}) + "\n")
    tree = QuietWinSearch(board, settings, kept)
    assert searched(tree, workers, nodes=1) is None
    last = json.loads(kept.read_text().splitlines()[-1])
    ((point, *replies),) = last["steps"]
    assert (last["position"], last["more"]) == (canonical(board)[0].hex(), False)
    assert point != step.mapped(canonical(board)[1]).point
    assert len(replies) / 2 < tree.open <= len(replies), "of symmetric replies one stands for both"
    assert tree.expanded == 2


def test_of_symmetric_replies_one_stands_for_all(workers):
    settings = CandidateSettings(candidates=1, engine_nodes=2_000, threat_nodes=50, unthreatening=1)
    tree = QuietWinSearch(Board(), settings)
    assert searched(tree, workers, nodes=1) is None
    assert tree.open == 35, "to the first stone, on the centre, there are no more replies"


def test_it_ends_when_it_is_stopped(path, workers):
    stop = threading.Event()
    stop.set()
    board = Board.from_moves(WIN)
    assert searched(QuietWinSearch(board, SETTINGS), workers, stop=stop) is None
    done = prove(board, path, Limit(seconds=1e-6), candidates=6, workers=workers)
    assert (done.winner, done.proven, path.exists()) == (None, False, False)


def test_files_of_others_and_damaged_ones_are_refused(tmp_path):
    board = Board.from_moves(WIN)
    kept = tmp_path / "steps.jsonl"
    QuietWinSearch(board, SETTINGS, kept)
    for other in (Board.from_moves(WIN, "standard"), board):
        settings = CandidateSettings(candidates=7) if other is board else SETTINGS
        with pytest.raises(FileError) as refused:
            QuietWinSearch(other, settings, kept)
        assert refused.value.message.key == "error.prove.resume_other"
    head = kept.read_text()
    key, symmetry = canonical(board)
    stone, free = (symmetry[point] for point in (board.moves[0], board.legal_points()[0]))
    for line in (
        json.dumps({"position": key.hex(), "steps": [[stone]], "more": False}),
        json.dumps({"position": key.hex(), "steps": [[free, stone]], "more": False}),
        "[" * 100_000,
        "{}",
        "[]",
        '{"position": "zz", "steps": []}',
        '{"position": "00", "steps": [[300]], "more": false}',
        '{"position": "00", "steps": [[3]]}',
        "\x00",
    ):
        kept.write_text(f"{head}{line}\n")
        with pytest.raises(FileError) as refused:
            QuietWinSearch(board, SETTINGS, kept)
        assert refused.value.message.key == "error.prove.resume"
    kept.write_bytes(b"\xff\xfe")
    with pytest.raises(FileError):
        QuietWinSearch(board, SETTINGS, kept)
    kept.write_text(json.dumps({"format": "something else"}) + "\n")
    with pytest.raises(FileError):
        QuietWinSearch(board, SETTINGS, kept)
    with pytest.raises(FileError):
        QuietWinSearch(board, SETTINGS, tmp_path)


@pytest.mark.parametrize(
    "wrong", [{"candidates": -1}, {"candidates": 51}, {"candidates": 2, "threats": "fours"}]
)
def test_what_cannot_be_asked_for_is_refused(wrong, path):
    with pytest.raises(TengenError):
        prove(Board.from_moves("h8a1"), path, **wrong)
    assert not path.exists()
