"""Threats and answers: what is listed is what the rules' own definitions say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings

from tengen import EMPTY, Board
from tengen.engine.board.conversion import point_of, position_of
from tengen.engine.board.records import MOST_MOVES, SCRATCH
from tengen.engine.threats.pn_kernel import PN_SCRATCH, list_answers_to_threat
from tengen.engine.threats.threat_moves import NO_THREAT, OF_FIVE, list_answers, list_attacks, threat_of
from tengen.game.points import opponent
from tests.engine.games import boards
from tests.engine.helpers import called
from tests.solver.threat_oracle import ThreatOracle

SMALL = 5, 6, 10
"""Sizes that a search without any shortcut is done with in time."""


def listed(board, how, *arguments):
    """The points that a list of cells holds."""
    state, tables = position_of(board)
    found = np.zeros(MOST_MOVES, np.int16)
    count = how(state, tables, *arguments, found)
    return {point_of(board, int(cell)) for cell in found[:count]}


@pytest.mark.long
@settings(max_examples=50)
@given(boards(most=30, sizes=SMALL))
def test_every_threat_is_listed(board):
    """What is listed may turn out to be none; what is not listed is none, or leaves the defender first."""
    oracle, side = ThreatOracle(board.rules), board.turn
    cells = list(board.position)
    assume(not oracle.wins_at_once(cells, side) and not oracle.fives(cells, opponent(side)))
    threats = {
        point
        for point in oracle.threats(cells, side)
        if not oracle.wins_at_once([*cells[:point], side, *cells[point + 1 :]], opponent(side))
    }
    assert threats <= listed(board, list_attacks, np.int64(-1))


@given(boards(most=30))
def test_a_threat_is_seen(board):
    """Of a five, or of two to come unless the defender is quicker; and what is no answer loses at once."""
    oracle, attacker = ThreatOracle(board.rules), opponent(board.turn)
    cells = list(board.position)
    state, tables = position_of(board)
    threat = int(called(threat_of)(state, tables, np.int64(attacker - 1)))
    fives = oracle.fives(cells, attacker)
    if oracle.fives(cells, board.turn):
        assert threat == NO_THREAT
        return
    assert (threat == OF_FIVE) == bool(fives)
    if threat == NO_THREAT:
        return
    scratch = np.zeros(1, SCRATCH)
    answers = listed(board, list_answers, scratch, np.int64(threat))
    for point in board.legal_points():
        after = list(cells)
        after[point] = board.turn
        if point not in answers:
            assert oracle.wins_at_once(after, attacker), board.name(point)


def test_the_answers_are_those_of_the_threat():
    board = Board.from_moves("h8a1i8a15j8")
    state, tables = position_of(board)
    pn = np.zeros(1, PN_SCRATCH)
    found = np.zeros(MOST_MOVES, np.int16)
    count = list_answers_to_threat(state, tables, np.zeros(1, SCRATCH), pn, found)
    names = {board.name(point_of(board, int(cell))) for cell in found[:count]}
    assert names == {"f8", "g8", "k8", "l8"}
    assert all(board[name] == EMPTY for name in names)
