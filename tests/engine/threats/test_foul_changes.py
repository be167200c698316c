"""Threats by a change of a foul alone: what is listed is what the rules say, for both colours."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from tengen import BLACK, WHITE, Board, Rules
from tengen.engine.board.conversion import point_of
from tengen.engine.board.records import MOST_MOVES, SCRATCH, Kind, Record
from tengen.engine.threats.foul_changes import list_foul_changes
from tengen.engine.threats.threat_moves import NO_THREAT, OF_FIVE, list_answers, list_attacks, threat_of
from tengen.game.points import Colour, Point, opponent
from tests.engine.games import state_of
from tests.engine.helpers import called
from tests.solver.foul_positions import FOUL_CHANGES, set_up
from tests.solver.threat_oracle import ThreatOracle

pytestmark = pytest.mark.usefixtures("compiled")

RULES = (
    *(Rules.named("renju", size) for size in (8, 11, 15)),
    Rules.named("renju", 11, overline="no_win"),
    Rules.named("renju", 11, double_four=False),
    Rules.named("renju", 11, double_three=False),
    Rules.named("renju", 11, blocked_five="no_win"),
)
FOUR, OPEN_FOUR = 10, 12


def listed(board: Board, how: object, *arguments: object) -> set[Point]:
    """The points that a list of cells holds."""
    state, tables = state_of(board)
    before = state.tobytes()
    found = np.zeros(MOST_MOVES, np.int16)
    count = how(state, tables, *arguments, found)  # type: ignore[operator]
    assert state.tobytes() == before
    return {point_of(board, int(cell)) for cell in found[:count]}


def by_fouls_alone(board: Board) -> set[Point]:
    """The points of `list_foul_changes`, with nothing listed before."""
    state, tables = state_of(board)
    found = np.zeros(MOST_MOVES, np.int16)
    count = list_foul_changes(state, tables, False, found, np.int64(0))
    return {point_of(board, int(cell)) for cell in found[:count]}


def has_foul_in_the_way(state: Record, side: int) -> bool:
    """Whether one of Black's fouls, or what may be one, is where the side has a four to make or to meet."""
    record = state[0]
    cells = np.flatnonzero((record["cells"] == 0) & (record["kinds"][0] > Kind.FIVE))
    patterns = record["patterns"][cells, None] >> (16 * side + 4 * np.arange(4)) & 15
    return bool(((patterns >= FOUR) & (patterns <= OPEN_FOUR)).any())


def drawn_boards(seed: int, count: int) -> Iterator[tuple[Board, ThreatOracle]]:
    """Random boards where a change of a foul may matter, and the side to move has no win at once."""
    rng = random.Random(seed)
    oracles = {rules: ThreatOracle(rules) for rules in RULES}
    while count:
        rules = rng.choice(RULES)
        size = rules.width
        span = rng.randint(7, min(size, 10))
        left, low = rng.randint(0, size - span), rng.randint(0, size - span)
        points = [(low + y) * size + left + x for y in range(span) for x in range(span)]
        stones = rng.sample(points, rng.randint(10, min(40, len(points) // 2)))
        black = rng.randint(2 * len(stones) // 5, 3 * len(stones) // 4)
        board = Board.from_stones(stones[:black], stones[black:], rng.choice((BLACK, WHITE)), rules)
        state, _ = state_of(board)
        fives = state[0]["counts"][:, Kind.FIVE].any()
        if fives or not has_foul_in_the_way(state, board.turn - 1) or board.outcome() is not None:
            continue
        cells = list(board.position)
        if oracles[rules].wins_at_once(cells, board.turn):
            continue
        count -= 1
        yield board, oracles[rules]


def played(board: Board, point: Point) -> Board:
    """The board with a stone of the side to move, the other side to move."""
    stones: dict[Colour, list[Point]] = {BLACK: board.stones(BLACK), WHITE: board.stones(WHITE)}
    stones[board.turn] = [*stones[board.turn], point]
    return Board.from_stones(stones[BLACK], stones[WHITE], opponent(board.turn), board.rules)


def check_threats(board: Board, oracle: ThreatOracle, rng: random.Random) -> int:
    """Every threat is listed and seen, and what is no answer to it loses; how many are by fouls alone.

    As long as the defender has no winning four of its own to make first.
    """
    attacker, defender = board.turn, opponent(board.turn)
    cells = list(board.position)
    attacks, changes = listed(board, list_attacks, np.int64(-1)), by_fouls_alone(board)
    threats = set(oracle.threats(cells, attacker))
    late = set()
    for point in threats:
        after = played(board, point)
        stones = list(after.position)
        if oracle.wins_at_once(stones, defender):
            late.add(point)
            continue
        state, tables = state_of(after)
        threat = int(called(threat_of)(state, tables, np.int64(attacker - 1)))
        assert threat != NO_THREAT, after.name(point)
        if threat == OF_FIVE or point not in changes:
            continue
        answers = listed(after, list_answers, np.zeros(1, SCRATCH), np.int64(threat))
        legal = list(after.legal_points())
        for reply in rng.sample(legal, min(8, len(legal))):
            if reply not in answers:
                assert oracle.wins_at_once(list(played(after, reply).position), attacker)
    assert threats - late <= attacks
    assert changes <= threats
    return len(changes)


@pytest.mark.parametrize("row", FOUL_CHANGES, ids=lambda row: row.first)
def test_known_positions(row):
    board = set_up(row)
    assert board.point(row.first) in by_fouls_alone(board)
    assert check_threats(board, ThreatOracle(board.rules), random.Random(1)) > 0


def test_a_threat_is_listed_once():
    for row in FOUL_CHANGES:
        state, tables = state_of(set_up(row))
        found = np.zeros(MOST_MOVES, np.int16)
        count = list_attacks(state, tables, np.int64(-1), found)
        assert len(set(found[:count])) == count


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_random_boards(seed):
    rng = random.Random(seed)
    changes = sum(check_threats(board, oracle, rng) > 0 for board, oracle in drawn_boards(seed, 25))
    assert changes > 0
