"""The search finds what is there to be found, and says nothing that is not so.

Scores, depths and numbers of nodes are left to the search; that what it says is won is won is not.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from tengen import BLACK, WHITE, Board, Engine, Limit, Rules
from tengen.engine.board.conversion import point_of
from tengen.engine.board.records import SCRATCH, Kind
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.search import table as tables
from tengen.engine.search.alpha_beta import search
from tengen.engine.search.deepening import SearchTask, run
from tengen.engine.search.table import new_table
from tengen.game.points import opponent
from tests.engine.games import NAMES, after, networks_of, scattered, state_of, winner_of
from tests.engine.helpers import called
from tests.positions import drawn, rows_of
from tests.solver.wins import proven_win, won

ENGINE = Engine()


def best(board, nodes=3000):
    """What a search of so many nodes says."""
    (info,) = ENGINE.analyse(board, Limit(nodes=nodes))
    return info


def names(board, points):
    return {board.name(point) for point in points}


def wins_at_once(board):
    """The points where the side to move makes a five, as the specification sees it."""
    fives = set()
    for point in board.legal_points():
        board.push(point)
        if winner_of(board) == opponent(board.turn):
            fives.add(point)
        board.pop()
    return fives


def wins_in_two(board):
    """The points after which the side to move makes a five next, whatever the answer."""
    found = set()
    for point in board.legal_points():
        board.push(point)
        if board.outcome() is None and all_lose(board):
            found.add(point)
        board.pop()
    return found


def all_lose(board):
    """Whether the other side makes a five whatever the side to move plays."""
    for point in board.legal_points():
        board.push(point)
        holds = board.outcome() is not None or not wins_at_once(board)
        board.pop()
        if holds:
            return False
    return True


# -- wins


@pytest.mark.parametrize("name", NAMES)
def test_a_five_is_made(name):
    board = Board.from_moves("h8a1i8a2j8a3k8a4", name)
    info = best(board)
    assert board.name(info.point) in {"g8", "l8"}
    assert info.score.mate == 1
    assert winner_of(after(board, info.line)) == BLACK


@pytest.mark.parametrize("name", NAMES)
def test_an_open_three_becomes_an_open_four(name):
    board = Board.from_moves("h8a1i8a3j8a5", name)
    info = best(board)
    assert board.name(info.point) in {"g8", "k8"}
    assert info.score.mate == 3
    assert winner_of(after(board, info.line)) == BLACK
    proven_win(after(board, [info.point]), BLACK)


@pytest.mark.parametrize("name", NAMES)
def test_a_four_three_wins_in_three_moves(name):
    """p makes a four along the row, and an open three along the column."""
    board, _ = drawn(
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . X . . .
        . . . . . . . X . . .
        . . . . O X X p X . .
        . . . . . . . . . . .
        . O . . . . . . . . .
        . . . . . . . . . . .
        . . O . . . . . . O .
        . . . . . . . . . . .
        . . . O . . . . . . .
        """,
        rules=name,
    )
    info = best(board)
    assert info.score.mate in {5, 7}
    assert winner_of(after(board, info.line)) == BLACK
    proven_win(after(board, [info.point]), BLACK)


SHORT = [row for row in rows_of("vcf.jsonl") if row["win"] and row["min_fours"] <= 4]


def proven(board, nodes):
    """What a search says that has to find a win for the side to move."""
    info = best(board, nodes)
    assert info.score.mate is not None
    assert info.score.mate > 0
    return info


@pytest.mark.parametrize("row", SHORT, ids=lambda row: row["id"])
def test_a_short_win_by_fours_is_found(row):
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], 15))
    info = proven(board, 20_000)
    assert info.score.mate % 2 == 1
    assert len(info.line) <= info.score.mate
    assert winner_of(after(board, info.line)) == board.turn
    proven_win(board, board.turn)


LONG = [
    row
    for row in rows_of("tactics.jsonl")
    if row["id"] in {"ta-075", "ta-081", "ta-074", "ta-323", "ta-353", "ta-294", "ta-237", "ta-333"}
]
"""Wins of 13 to 39 plies that a search which forgets or doubts what it has proven does not find so soon."""


@pytest.mark.parametrize("row", LONG, ids=lambda row: row["id"])
def test_what_is_proven_stays_proven(row):
    proven(Board.from_moves(row["moves"], Rules.named(row["rule"], 15)), 15_000)


# -- defences


@pytest.mark.parametrize("name", NAMES)
def test_a_four_is_stopped(name):
    board = Board.from_moves("h8g8i8a2j8a3k8", name)
    # Under caro a stone behind the five closes it, as g8 does in front.
    assert board.name(best(board, 100).point) in ("l8", "m8" if name == "caro" else "l8")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("nodes", [300, 3000])
def test_an_open_three_is_stopped(name, nodes):
    board = Board.from_moves("h8a1i8a3j8", name)
    assert board.name(best(board, nodes).point) in {"f8", "g8", "k8", "l8"}


@pytest.mark.parametrize("name", NAMES)
def test_against_an_open_four_nothing_helps(name):
    board = Board.from_moves("h8a1i8a3j8a5k8", name)
    info = best(board)
    assert info.score.mate == -2
    assert winner_of(after(board, info.line)) == BLACK
    proven_win(board, BLACK)


def test_two_open_threes_are_lost():
    board = Board.from_stones(
        black=["h8", "i8", "j8", "d3", "d4", "d5"], white=["a1", "o1", "o15", "a15", "l12"], turn=WHITE
    )
    info = best(board)
    assert info.score.mate == -4
    assert winner_of(after(board, info.line)) == BLACK
    proven_win(board, BLACK)


def test_all_that_would_help_are_fouls():
    """White is about to make an open four at e5; a5, e5 and f5 would each give Black six in a row."""
    board, _ = drawn(
        """
        . . . . . . . . .
        O . . . O O . . .
        X . . . X X . . .
        X . . . X X . . .
        . O O O . . . . .
        X . . . X X . . .
        X . . . X X . . .
        X . . . X X . . .
        O . . . O O . . .
        """
    )
    assert {"a5", "e5", "f5"} <= names(board, board.fouls())
    info = best(board)
    assert info.score.mate == -4
    assert winner_of(after(board, info.line)) == WHITE
    proven_win(board, WHITE)


# -- what is said to be won or lost


def shuffled(name, seed, size=9):
    """A position with many stones near each other, and nobody has won yet."""
    return scattered(Rules.named(name, size), seed, 8 + seed % 20)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_wins_and_losses_of_a_few_plies_are_those_of_the_specification(name):
    claims: dict[int, int] = {}
    for seed in range(60):
        board = shuffled(name, seed)
        if board.outcome() is not None:
            continue
        info = best(board, (50, 300, 2000)[seed % 3])
        mate = info.score.mate or 0
        claims[mate] = claims.get(mate, 0) + 1
        fives = wins_at_once(board)
        assert (mate == 1) == bool(fives)
        if mate == 1:
            assert info.point in fives
        elif mate == 3:
            board.push(info.point)
            assert all_lose(board)
        elif mate == -2:
            assert all_lose(board)
    assert claims[1] > 3
    assert claims[3] > 1
    assert {-2, 0} <= claims.keys()


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_nobody_escapes_from_what_is_said_to_be_won(name):
    """After the move, every reply loses as well; and so on, for the search is asked again each time."""
    asked = 0
    for seed in range(1000, 3000):
        board = shuffled(name, seed, 11)
        if board.outcome() is not None:
            continue
        info = best(board, 1000)
        mate = info.score.mate or 0
        if not 3 < abs(mate) < 10:
            continue
        asked += 1
        if mate > 0:
            won(board, Limit(nodes=100_000))
            board.push(info.point)
        for reply in board.legal_points():
            board.push(reply)
            assert board.outcome() is None
            assert (best(board, 300_000).score.mate or 0) > 0, (board, mate)
            board.pop()
        if asked == 6:
            break
    assert asked == 6


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_lines_are_legal(name):
    rng, claims = random.Random(name), 0
    for seed in range(60):
        board = scattered(Rules.named(name, rng.choice((7, 9, 12, 15))), seed + 2000, rng.randint(1, 40))
        if board.outcome() is not None:
            continue
        for info in ENGINE.infos(board, Limit(nodes=rng.choice((1, 20, 300, 2000)))):
            assert info.line[0] == info.point
            later = after(board, info.line)
            if info.score.mate is not None:
                claims += 1
                assert len(info.line) <= abs(info.score.mate)
                assert winner_of(later) == (board.turn if info.score.mate > 0 else opponent(board.turn))
    assert claims > 5


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("moves", ["h8i9g7f6h10i8", "h8i9g7", "h8a1i8a3j8"])
def test_a_search_that_leaves_moves_out_does_not_stand_for_the_position(name, moves):
    """After several lines the table knows the score of the best one; once it was that of the last."""
    board = Board.from_moves(moves, name)
    state, tables_ref = state_of(board)
    table = new_table(16)
    found = list(run(SearchTask(state, tables_ref, networks_of(board.rules), table, lines=4, most_depth=5)))
    assert [one.number for one in found[-4:]] == [0, 1, 2, 3]
    best = found[-4]
    data = called(tables.probe)(table, called(tables.key_of)(state[0]))
    assert called(tables.stored_bound)(data) == tables.EXACT
    assert called(tables.stored_move)(data) == best.cell
    assert called(tables.stored_score)(data, 0) == best.score


# -- what the rules make of it


FOULS = sorted(rows_of("forbidden.jsonl"), key=lambda row: -len(row["forbidden"]))[:100]


@pytest.mark.long
def test_black_plays_no_foul():
    for row in FOULS:
        board = Board.from_moves(row["moves"], Rules.named("renju", row["size"]))
        info = best(board, 300)
        assert board.name(info.point) not in row["forbidden"], row["id"]
        after(board, info.line)


WHITES_FOUR = """
    . . . . . . . . .
    . . . . . O . . .
    . . . . . X . . .
    . . . . . X . . .
    X O O O p q . . .
    . . . . . X . . .
    . . . . . X . . .
    . . . . . X . . .
    . . . . . O . . .
"""


def test_white_wins_by_a_four_whose_only_answer_is_a_foul():
    """Black would have to play q, and make six in a row."""
    board, at = drawn(WHITES_FOUR, turn=WHITE)
    info = best(board)
    assert (info.point, info.score.mate) == (at["p"], 3)
    assert winner_of(after(board, info.line)) == WHITE
    proven_win(board, WHITE)
    allowed, _ = drawn(WHITES_FOUR, turn=WHITE, rules="standard")
    assert best(allowed, 300).score.mate is None


def test_black_has_lost_where_the_only_answer_is_a_foul():
    board, at = drawn(WHITES_FOUR, turn=WHITE)
    board.push(at["p"])
    info = best(board)
    assert info.score.mate == -2
    assert winner_of(after(board, info.line)) == WHITE
    proven_win(board, WHITE)


SIX = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . O . . . . . . . .
    . X X X p X X . . . .
    . . O . . . . O . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
"""


def test_six_in_a_row():
    """A win in freestyle, nothing in standard, and a foul in renju."""
    wins, at = drawn(SIX, rules="freestyle")
    assert (best(wins).point, best(wins).score.mate) == (at["p"], 1)
    for rules in ("standard", "renju"):
        nothing, at = drawn(SIX, rules=rules)
        info = best(nothing)
        assert info.point != at["p"]
        assert info.score.mate != 1
        white, _ = drawn(SIX, rules=rules, turn=WHITE)
        assert best(white).point != at["p"]


CLOSED = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . O p X X X X q . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . O . . O . . . . .
    . . . . . . . . . . .
"""


def closable(rules, turn=WHITE):
    board, at = drawn(CLOSED, rules=rules, turn=turn)
    return board, at


@pytest.mark.parametrize("rules", ["freestyle", "standard", "renju"])
def test_an_open_four_wins_where_nothing_can_be_closed(rules):
    board, _ = closable(rules)
    assert best(board).score.mate == -2
    proven_win(board, BLACK)


def test_caro_one_stone_stops_an_open_four_that_it_closes_at_both_ends():
    """White's q makes one five impossible, and the other is then between two white stones."""
    board, at = closable("caro")
    assert all(
        winner_of(after(board, [at["q"], point])) is None
        for point in board.legal_points()
        if point != at["q"]
    )
    info = best(board)
    assert info.point == at["q"]
    assert info.score.mate != -2


def test_caro_an_open_four_that_can_be_closed_is_not_said_to_win():
    board = Board.from_moves("i8d7e9d3h6g9i3i7g5c8h8e3d9f6c9c5e6i9", Rules.named("caro", 11))
    record = state_of(board)[0][0]
    fours = [int(cell) for cell in np.flatnonzero(record["kinds"][0] == Kind.OPEN_FOUR)]
    fours = [cell for cell in fours if record["cells"][cell] == 0]
    assert fours
    assert not any(all_lose(after(board, [point_of(board, cell)])) for cell in fours)
    for nodes in (10, 300, 3000):
        assert best(board, nodes).score.mate != 3


def test_caro_an_open_four_that_cannot_be_closed_wins():
    board = Board.from_moves("d5a1e5a3f5a7", Rules.named("caro", 9))
    assert best(board).point in wins_in_two(board)


# -- the end of the board


@pytest.mark.parametrize("name", NAMES)
def test_one_free_point(name):
    """The game ends in a draw, and the search says that it is even."""
    board, at = drawn(
        """
        X O X O X
        X O X O X
        O X O X O
        X O X O X
        O X p X O
        """,
        rules=name,
        turn=WHITE,
    )
    info = best(board)
    assert (info.point, info.score.value, info.line) == (at["p"], 0, (at["p"],))
    outcome = after(board, info.line).outcome()
    assert outcome is not None
    assert outcome.reason == "full"


def test_a_board_filled_to_the_end():
    """On 5x5 both sides can hold a draw from a draw."""
    board = Board(Rules.named("freestyle", 5))
    while board.outcome() is None:
        board.push(best(board, 1000).point)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.reason == "full"


@pytest.mark.parametrize("name", NAMES)
def test_the_best_move_stays_until_another_is_shown_to_be_better(name):
    """Where none reaches the score that was expected, the depth is searched again, unless it is broken off.

    Once the one that came nearest took the place of the best, and was played then.
    """
    board = Board.from_moves("h8i7h7i9h11j8", rules=name)
    (state, tables_ref), networks_ref = state_of(board), networks_of(board.rules)
    task = SearchTask(state, tables_ref, networks_ref, new_table(16), lines=5, most_depth=4)
    found = [one.cell for one in run(task)][-5:]
    assert len(set(found)) == 5
    for cell in found:
        scratch = np.zeros(1, SCRATCH)
        scratch[0]["root"], scratch[0]["best"] = state[0]["ply"], cell
        state[0]["most_nodes"], state[0]["nodes"] = 1 << 40, 0
        assert search(state, tables_ref, networks_ref, scratch, new_table(1), 4, MATE, WIN, 0) < MATE
        assert not state[0]["ended"]
        assert scratch[0]["best"] == cell
