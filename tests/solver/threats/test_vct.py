"""Wins by continuous threats: they replay, and no defence escapes them."""

from __future__ import annotations

import math
import threading

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tengen
from tengen import BLACK, WHITE, Board, GameOver, Limit, Rules, RulesError, Solution, TengenError
from tests.positions import rows_of
from tests.solver.claims import proven, verdict_of
from tests.solver.foul_positions import FOUL_CHANGES, set_up
from tests.solver.threat_oracle import ThreatOracle, TooLong
from tests.solver.threats.test_vcf import replayed
from tests.solver.wins import proven_win, won

NAMES = ("freestyle", "standard", "renju", "caro")

WINS = ("ta-035", "ta-059", "ta-142", "ta-240", "ta-295", "ta-352")
"""Wins in games, by threes."""

LONG = "h8f7c9g6f6e5e7g5h5e4h6h7f5e3e2"
"""White to move, with more threats than a second is enough for."""

THREE_THREE = "h8a1i9a15i7o1h7g10"
"""Black to move, with a double-three and more at hand, and no win by fours alone."""

COUNTER_THREE = "f8h5g8h6f10h7g9a1"
"""Black to move against White's open three: h8 stops it, and makes one of his own."""

FOUL_FOUR = "h8g9f10h6d11h9g10i9f9j8k9h10g11"
"""White to move under renju: the win needs a three at h13 that becomes no open four, but a four at h11 that
Black could answer only by a foul at h12."""

WON = [
    ("freestyle", THREE_THREE),
    ("renju", FOUL_FOUR),
    ("renju", "h8h9i8g8j6j9i9o15"),
    ("freestyle", COUNTER_THREE),
    ("standard", COUNTER_THREE),
    ("renju", "h5f8h6g8h7f10a1g9o15"),
]
LONG_WON = ("standard", "h8h9i9g7j10g10o1")


@pytest.mark.parametrize(("rules", "moves"), [*WON, LONG_WON])
def test_no_defence_escapes(rules: str, moves: str) -> None:
    """After the first move any reply there is loses, too, and the line shown is one that is played."""
    board = Board.from_moves(moves, rules)
    attacker = board.turn
    found = tengen.solve_vct(board)
    assert found.winner == attacker
    assert found.proven
    assert found.length == len(found.line)
    assert tengen.solve_vcf(board).winner is None
    outcome = replayed(board, found.line).outcome()
    assert outcome is not None
    assert outcome.winner == attacker
    after = replayed(board, found.line[:1])
    for reply in after.legal_points():
        answer = replayed(after, [reply])
        assert tengen.solve_vct(answer, Limit(nodes=1_000_000)).winner == attacker, board.name(reply)


@pytest.mark.parametrize(("rules", "moves"), [*WON, pytest.param(*LONG_WON, marks=pytest.mark.slow)])
def test_no_defence_escapes_to_the_end(rules: str, moves: str) -> None:
    """What the solver plays against every reply, move after move, is a proof."""
    board = Board.from_moves(moves, rules)
    assert won(board).winner == board.turn


def test_an_open_three_that_stops_the_enemys_is_quick_enough():
    """Once only fours were tried against an open three."""
    board = Board.from_moves(COUNTER_THREE)
    found = won(board)
    assert board.name(found.line[0]) == "h8"


@pytest.mark.parametrize(("white", "winner"), [(["k4", "k5", "k6"], None), (["k4", "k5", "o1"], BLACK)])
def test_an_open_three_that_stops_nothing_is_too_slow(white: list[str], winner: int | None) -> None:
    """Two open threes at once at g12, which White is given no time for by three stones in a row."""
    board = Board.from_stones(["e12", "f12", "g11", "g10"], [*white, "a1"])
    assert won(board).winner == winner


@pytest.mark.long
@pytest.mark.parametrize("row", FOUL_CHANGES, ids=lambda row: row.first)
def test_a_stone_that_changes_a_foul_is_a_threat(row, tmp_path):
    """It wins alone, which is proven by the rules; and the defender may take its point."""
    board = set_up(row)
    found = won(board)
    assert found.winner == row.attacker
    assert board.name(found.line[0]) == row.first
    all_points = tengen.winning_points(board)
    assert [board.name(point) for point in all_points.points] == [row.first]
    assert all_points.proven
    assert verdict_of(proven(board, tmp_path / "win.proof")).winner == row.attacker
    other = 3 - row.attacker
    waiting = Board.from_stones(board.stones(BLACK), board.stones(WHITE), other, board.rules)
    stopping = tengen.defences(waiting)
    assert stopping.proven
    assert found.line[0] in stopping.stops
    assert waiting.point("a1") in stopping.loses


def test_a_win_by_fours_is_one_by_threats():
    board = Board.from_moves("h8a1i8a3j8a5")
    found = won(board)
    assert (found.winner, found.fours, found.length) == (BLACK, 1, 3)


@pytest.mark.parametrize("row", rows_of("vcf.jsonl")[::3], ids=lambda row: row["id"])
def test_every_win_by_fours_is_found(row):
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], 15))
    # Some that are not won by fours are won by threes, with proofs of many positions.
    found = (won if row["win"] else tengen.solve_vct)(board, Limit(nodes=200_000))
    if row["win"]:
        assert found.winner == board.turn
    if found.winner is not None:
        outcome = replayed(board, found.line).outcome()
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == (board.turn, "five")


def test_where_all_threats_are_searched_none_is_proven():
    found = tengen.solve_vct(Board.from_moves("h8a1i8a15"))
    assert (found.winner, found.proven, found.line) == (None, True, ())


def test_where_a_limit_is_reached_nothing_is_proven():
    board = Board.from_moves("h8h9i9g7j10g10o1", "standard")
    assert tengen.solve_vct(board, Limit(nodes=500_000)).proven
    for limit in (Limit(nodes=1), Limit(nodes=2000), Limit(seconds=1e-6), Limit(depth=7)):
        found = tengen.solve_vct(board, limit)
        assert (found.winner, found.proven) == (None, False)


@st.composite
def tangles(draw: st.DrawFn) -> Board:
    """Many stones on a small board, and nobody has won."""
    rules = Rules.named(draw(st.sampled_from(NAMES)), draw(st.integers(6, 9)))
    span = draw(st.integers(5, rules.width))
    points = [y * rules.width + x for y in range(span) for x in range(span)]
    count = draw(st.integers(6, min(24, len(points) - 4)))
    stones = draw(st.permutations(points))[:count]
    black = draw(st.integers(2 * count // 5, 2 * count // 3))
    board = Board.from_stones(stones[:black], stones[black:], draw(st.sampled_from((BLACK, WHITE))), rules)
    assume(board.outcome() is None)
    return board


@pytest.mark.long
@pytest.mark.parametrize(
    "moves", ["g8h6d10g5f10i7j8g7f8f7h7e10e11h8f12g13", "h8g10k5f9e8g9h9g8g11f8h7h10i11"]
)
def test_under_caro_only_what_may_stop_an_open_four_answers_it(moves):
    """With every point for an answer neither of these was proven with a million nodes."""
    board = Board.from_moves(moves, "caro")
    assert won(board, Limit(nodes=300_000)).winner == board.turn


def check_solution(board: Board, solution: Solution, wins: bool) -> None:
    """The solution is proven, agrees with an oracle, and its line wins."""
    assert solution.proven
    assert (solution.winner == board.turn) == wins
    if wins:
        outcome = replayed(board, solution.line).outcome()
        assert outcome is not None
        assert outcome.winner == board.turn


@pytest.mark.long
@settings(max_examples=150)
@given(tangles())
def test_found_is_found_and_none_is_none(board):
    """As a plain search over the same threats says, which tries every move of the defender's."""
    try:
        wins = ThreatOracle(board.rules, 250).wins(board, board.turn)
    except TooLong:
        assume(False)
    check_solution(board, won(board), wins)


@pytest.mark.long
@settings(max_examples=60)
@given(tangles())
def test_quiet_moves_count_where_they_prepare_a_win_by_fours(board):
    """As the plain search says, in which the attacker's every move is tried for a win by fours after it."""
    try:
        wins = ThreatOracle(board.rules, 250, quiet=True).wins(board, board.turn)
    except TooLong:
        assume(False)
    check_solution(board, won(board, threats="any"), wins)


TANGLES = [
    # Rules, stones row by row from the bottom, who attacks, and whether by threes, because fours do not do.
    ("caro", "0010100000000210120220101210000001100221102102122", BLACK, True),
    ("freestyle", "0202012102200020022100010001000010020201110000010", BLACK, True),
    ("renju", "222100202020002020000100100001001000", WHITE, True),
    ("renju", "2021200102200002100002122100112110000000000000000", WHITE, True),
    (
        "renju",
        "112220000111220000122112000210202000201001000000202000000000000000000000000000000",
        WHITE,
        True,
    ),
    ("standard", "011000020200001200200000020000000000", WHITE, True),
    ("standard", "0000100210021012102000020110001020000120000000000", WHITE, True),
    ("standard", "0011002020100000010201202212202100021110011022100", WHITE, True),
    ("standard", "0100002202000110200200212000200011200101002021000", WHITE, True),
    ("standard", "0202120212021010022002002100000100000000100000000", WHITE, True),
    ("standard", "0221200000101000002001202120000002020101200000000", WHITE, True),
    ("standard", "2101000100000002221001002000022110000000000000000", WHITE, True),
    ("standard", "0000200002201000000100020000000220002110100000000", BLACK, False),
    ("standard", "0001000202000001010002021000000000000000000000000", WHITE, False),
    ("caro", "0000000000000000000000002220002000000000001000000100000000000000", WHITE, False),
    ("freestyle", "2102100201220020210001122000112210000000000000000", BLACK, False),
    ("renju", "0020200201020020020000112000211110000000000000000", WHITE, False),
    ("renju", "2200020020102012210102111020102021011020100000000", BLACK, False),
    ("caro", "010220000210210110020020112000000000", WHITE, False),
    ("standard", "2211100121110022112001122100211220000000000000000", BLACK, False),
    ("caro", "2221220112101012000102121220002000000201100000000", WHITE, False),
]


QUIET = [
    # As above, for the side that wins by a quiet move, and by fours and threes does not.
    ("caro", "1000000000010000001100001000000010022022020000000", BLACK),
    ("renju", "0000001010012002000010100200220000102000010200220", WHITE),
    ("standard", "200001101000201010211000202001002000", BLACK),
    ("freestyle", "2200122200010000000000000010010000000000110010000", BLACK),
]


def tangle(rules: str, stones: str, attacker: int) -> Board:
    """The board of one of these."""
    played = Rules.named(rules, math.isqrt(len(stones)))
    black, white = (
        [at for at, stone in enumerate(stones) if int(stone) == side] for side in (BLACK, WHITE)
    )
    return Board.from_stones(black, white, attacker, played)


@pytest.mark.long
@pytest.mark.parametrize(("rules", "stones", "attacker", "wins"), TANGLES)
def test_tangles_with_many_threats(rules, stones, attacker, wins):
    board = tangle(rules, stones, attacker)
    assert ThreatOracle(board.rules).wins(board, attacker) == wins
    found = won(board)
    assert found.proven
    assert (found.winner == attacker) == wins
    assert tengen.solve_vcf(board).winner is None


@pytest.mark.parametrize(("rules", "stones", "attacker"), QUIET)
def test_a_quiet_move_may_win_where_threats_do_not(rules, stones, attacker, tmp_path):
    """The proof is checked by the rules alone, with every reply of the defender's."""
    board = tangle(rules, stones, attacker)
    threes = tengen.solve_vct(board)
    assert (threes.winner, threes.proven) == (None, True)
    assert tengen.solve_vct(board, threats="any").winner == attacker
    made = proven(board, tmp_path / "win.proof", threats="any")
    assert verdict_of(made).winner == attacker


@pytest.mark.long
@pytest.mark.parametrize(("rules", "stones", "attacker"), [row[:-1] for row in TANGLES if row[-1]])
def test_the_moves_shown_win_against_every_move(rules, stones, attacker):
    """Each reply that the rules allow is played, whatever it is, until there is a five."""
    board = tangle(rules, stones, attacker)
    known: dict[bytes, bool] = {}

    def beaten(board: Board) -> bool:
        if board.position not in known:
            known[board.position] = beaten_anew(board)
        return known[board.position]

    def beaten_anew(board: Board) -> bool:
        found = tengen.solve_vct(board, memory_mb=1)
        assert found.winner == attacker
        after = replayed(board, found.line[:1])
        outcome = after.outcome()
        if outcome is not None:
            return bool(outcome.winner == attacker)
        replies = [replayed(after, [reply]) for reply in after.legal_points()]
        return all(reply.outcome() is None and beaten(reply) for reply in replies)

    assert beaten(board)


@pytest.mark.parametrize(
    "row", [row for row in rows_of("tactics.jsonl") if row["id"] in WINS], ids=lambda row: row["id"]
)
def test_a_win_stays_one_against_every_answer(row):
    """Where a win was found in a game, the position after each answer is won, too, and replays."""
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], row["size"]))
    attacker = board.turn
    found = tengen.solve_vct(board, Limit(nodes=60_000))
    assert found.winner == attacker
    after = replayed(board, found.line[:1])
    for reply in after.legal_points():
        answer = replayed(after, [reply])
        later = tengen.solve_vct(answer, Limit(nodes=1_000_000), attacker)
        assert later.winner == attacker
        outcome = replayed(answer, later.line).outcome()
        assert outcome is not None
        assert outcome.winner == attacker


def test_what_is_not_won_has_no_proof():
    with pytest.raises(AssertionError, match="no win is shown"):
        proven_win(Board.from_moves("h8a1i8a15"), BLACK)


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", [row for row in rows_of("tactics.jsonl") if row["id"] in WINS], ids=lambda row: row["id"]
)
def test_a_win_of_a_game_is_proven(row):
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], row["size"]))
    assert won(board, Limit(nodes=60_000)).winner == board.turn


def test_the_fours_of_the_line_are_counted():
    board = Board.from_moves(THREE_THREE)
    found = tengen.solve_vct(board)
    fours = 0
    for number in range(0, found.length - 1, 2):
        after = replayed(board, found.line[: number + 1])
        fives = [point for point in after.legal_points() if replayed_as(after, BLACK, point)]
        fours += bool(fives)
    assert found.fours == fours


def replayed_as(board: Board, colour: int, point: int) -> bool:
    """Whether a stone of that colour there would win, whoever is to move."""
    stones = {each: [board.name(one) for one in board.stones(each)] for each in (BLACK, WHITE)}
    stones[colour].append(board.name(point))
    outcome = Board.from_stones(stones[BLACK], stones[WHITE], rules=board.rules).outcome()
    return outcome is not None and outcome.winner == colour


def test_limits():
    board = Board.from_moves("h8h9i8g8j6j9", "renju")
    assert tengen.solve_vct(board, Limit(nodes=1000)).winner is None
    assert tengen.solve_vct(board, Limit(nodes=1000)).nodes <= 1000
    slow = tengen.solve_vct(board, Limit(seconds=0.2))
    assert slow.winner is None
    stop = threading.Event()
    stop.set()
    assert tengen.solve_vct(board, stop=stop).winner is None
    win = Board.from_moves(THREE_THREE)
    length = tengen.solve_vct(win).length
    assert tengen.solve_vct(win, Limit(depth=length)).winner == BLACK
    assert tengen.solve_vct(win, Limit(depth=3)).winner is None


def test_a_stop_signal_ends_it():
    """This takes longer than a test may otherwise."""
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    found = tengen.solve_vct(Board.from_moves(LONG), stop=stop)
    assert (found.winner, found.proven) == (None, False)


def test_little_memory_is_enough():
    """What the table forgets is searched again, for the answer and for the line."""
    board = Board.from_moves("h8h9i8g8j6j9i9o15", "renju")
    found = tengen.solve_vct(board, memory_mb=1)
    assert found.winner == BLACK
    outcome = replayed(board, found.line).outcome()
    assert outcome is not None
    assert outcome.winner == BLACK


def test_fours_alone():
    board = Board.from_moves(THREE_THREE)
    found = tengen.solve_vct(board, threats="fours")
    assert (found.winner, found.proven) == (None, True)
    assert tengen.solve_vct(board, threats="threes").winner == BLACK


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"threats": "twos"}, "'twos' is not a set of threats: expected one of fours, threes, any"),
        ({"memory_mb": 0}, "0 megabytes for positions: expected a whole number from 1 to 131072"),
        (
            {"memory_mb": 1 << 18},
            "262144 megabytes for positions: expected a whole number from 1 to 131072",
        ),
    ],
)
def test_what_cannot_be_asked(asked, said):
    with pytest.raises(TengenError) as told:
        tengen.solve_vct(Board.from_moves("h8"), **asked)
    assert str(told.value) == said


def test_what_cannot_be_solved():
    with pytest.raises(GameOver):
        tengen.solve_vct(Board.from_moves("h8a1i8a2j8a3k8a4l8"))
    with pytest.raises(RulesError):
        tengen.solve_vct(Board("tictactoe"))
