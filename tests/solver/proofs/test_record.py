"""A proof as a record: each of its lines can be played, and each ends in a five of the winner's."""

from __future__ import annotations

import pytest

from tengen import BLACK, WHITE, Board
from tengen.formats import sgf
from tengen.solver.proofs.file import WINS, Claim
from tengen.solver.proofs.record import record_of
from tests.positions import ended
from tests.solver.claims import DRAW, claimed, proven, verdict_of
from tests.solver.proofs.test_prove import DEEP
from tests.solver.threats.test_vct import COUNTER_THREE, TANGLES, tangle


def boards() -> list[Board]:
    small = [tangle(*row[:3]) for row in TANGLES if row[-1]]
    return [Board.from_moves(COUNTER_THREE), Board.from_moves(DEEP, "renju"), *small]


@pytest.mark.long
@pytest.mark.parametrize("board", boards(), ids=lambda board: board.rules.name)
def test_every_line_ends_in_a_five(board, tmp_path):
    path = tmp_path / "win.proof"
    made = proven(board, path)
    record = record_of(path)
    leaves = [node for node in record.nodes() if not node.children]
    for leaf in leaves:
        outcome = ended(record.board(leaf))
        assert outcome.winner == board.turn
    assert len(record.main_line()) - board.ply == verdict_of(made).depth
    assert sgf.read(sgf.write([record])).records[0].main_line()[0].point == record.main_line()[0].point


def test_replies_that_are_answered_alike_are_counted(tmp_path):
    path = tmp_path / "win.proof"
    proven(Board.from_moves(COUNTER_THREE), path)
    comments = [node.comment for node in record_of(path).nodes()]
    assert any("replies are answered in the same way." in comment for comment in comments)
    assert any("个应手可用同样的方式应对" in node.comment for node in record_of(path, "zh").nodes())


@pytest.mark.long
def test_a_large_tree_is_cut(tmp_path):
    path = tmp_path / "win.proof"
    proven(Board.from_moves(DEEP, "renju"), path)
    cut, said = record_of(path, most=10), "The tree is cut here; the proof continues."
    assert len(list(cut.nodes())) < 30 < len(list(record_of(path).nodes()))
    assert all(
        said in node.comment for node in cut.nodes() if not node.children and not cut.board(node).outcome()
    )


@pytest.mark.parametrize("rules", ["tictactoe", "mnk:5,4,4", "mnk:4,4,4"])
def test_a_draw_has_a_tree_for_each_side(rules, tmp_path):
    """A line ends where the game does, or where a comment says why the other side has no line left."""
    path = tmp_path / "draw.proof"
    claimed(Board(rules), path, *DRAW)
    for claim, side in enumerate((BLACK, WHITE)):
        record = record_of(path, claim=claim)
        assert record.headers["event"] == f"{('Black', 'White')[claim]} does not lose"
        for leaf in [node for node in record.nodes() if not node.children]:
            outcome = record.board(leaf).outcome()
            over = outcome is not None and outcome.winner in {side, None}
            assert over or "can no longer make a line" in leaf.comment
        assert sgf.read(sgf.write([record])).records[0].headers["event"] == record.headers["event"]
    assert "不败" in record_of(path, "zh").headers["event"]


def test_a_win_with_the_other_side_to_move_begins_with_its_moves(tmp_path):
    path = tmp_path / "win.proof"
    claimed(Board.from_moves("b2", "mnk:4,4,3"), path, Claim(BLACK, WINS))
    record = record_of(path)
    assert "event" not in record.headers
    for leaf in [node for node in record.nodes() if not node.children]:
        assert ended(record.board(leaf)).winner == BLACK
    assert "Lost in" in record.main_line()[1].comment
