from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Rules, player
from tengen.game.rules import NAMES
from tengen.players.candidates import playable
from tengen.players.lines import Lines, counters
from tests.players.games import check_explanation, check_promises, play
from tests.positions import drawn
from tests.strategies import boards, played, set_up

# Origin O1 names its points x,y on a 5x5 grid of lights, y down: 4,0 is the top right.
O1_GAME = ["2,2", "4,0", "2,0", "2,4", "0,0", "4,4", "4,2", "0,4"]


def o1_point(text):
    x, y = (int(number) // 2 for number in text.split(","))
    return (2 - y) * 3 + x


def by_name(board, weights):
    return {board.name(point): weight for point, weight in weights.items()}


def test_line_counters_are_those_of_the_micro_bit_game():
    board = Board("tictactoe")
    history = []
    for move in O1_GAME:
        assert board.outcome() is None
        board.push(o1_point(move))
        history.append(list(counters(board).values()))
    # Columns 0 to 2, rows 3 to 5 from the top, x == y, x + y == 4. The centre is on four lines.
    assert history[0] == [0, 1, 0, 0, 1, 0, 1, 1]
    assert history[1] == [0, 1, -1, -1, 1, 0, 1, 0]
    assert history[-1] == [0, 1, -1, 1, 2, -3, 1, -1]
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == WHITE
    line, counter = list(counters(board).items())[5]
    assert counter == -3
    assert set(line) == set(outcome.line)


def test_each_counter_belongs_to_its_line():
    board = Board.from_moves("b2 c3 a1", rules="tictactoe")
    assert {tuple(board.name(p) for p in line): count for line, count in counters(board).items()} == {
        ("a3", "a2", "a1"): 1,
        ("b3", "b2", "b1"): 1,
        ("c3", "c2", "c1"): -1,
        ("a3", "b3", "c3"): -1,
        ("a2", "b2", "c2"): 1,
        ("a1", "b1", "c1"): 1,
        ("a3", "b2", "c1"): 1,
        ("c3", "b2", "a1"): 1,
    }


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        ("tictactoe", 8),
        ("mnk:7,6,4", 69),
        ("freestyle", 572),
        ("mnk:5,1,3", 3),
        ("mnk:2,2,1", 4),
        ("mnk:3,3,4", 0),
    ],
)
def test_the_number_of_lines(rules, count):
    assert len(counters(Board(rules))) == count


PLAIN = st.builds(Rules.mnk, st.integers(1, 6), st.integers(1, 6), st.integers(1, 5))


@given(played(PLAIN) | set_up(PLAIN))
def test_a_counter_reaches_k_when_somebody_has_won(board):
    reached = any(abs(counter) == board.rules.k for counter in counters(board).values())
    assert reached == (board.outcome() is not None and board.outcome().reason == "five")


def test_o4_counts_every_stone_on_a_row_column_or_diagonal_of_a_cell():
    board, _ = drawn(
        """
        . X .
        . O .
        X . .
        """,
        rules="tictactoe",
        turn=WHITE,
    )
    weights = by_name(board, Lines("o4").explain(board).weights)
    # a3: column a1, row b3, diagonal b2. c3: row b3, diagonal b2 a1. Edges: as they stand.
    assert weights == {"a3": 3, "c3": 3, "a2": 2, "c2": 1, "b1": 3, "c1": 2}
    weights = by_name(board, Lines("o4", own=10).explain(board).weights)
    assert weights == {"a3": 12, "c3": 12, "a2": 11, "c2": 10, "b1": 12, "c1": 11}


def test_o4_sees_a_stone_in_the_centre_on_both_its_diagonals():
    board = Board.from_moves("b2", rules="tictactoe")
    assert set(Lines("o4").explain(board).weights.values()) == {1}
    board = Board("tictactoe")
    assert board.name(Lines("o4").choose(board).point) == "b2"
    corners = Board.from_moves("a1 c1 a3 c3", rules="tictactoe")
    assert by_name(corners, Lines("o4").explain(corners).weights)["b2"] == 4


def test_an_explanation_names_each_line_through_a_point():
    board = Board.from_moves("b2 a1", rules="tictactoe")
    parts = Lines("o4").explain(board).parts[board.point("c3")]
    assert [(str(part.label), part.value) for part in parts] == [("a line with 1 own and 1 enemy stone", 2)]
    assert [board.name(point) for point in parts[0].points] == ["c3", "b2", "a1"]
    assert str(Lines("o4").explain(board).summary) == (
        "b1 has the greatest weight, 2, from 2 lines through it"
    )


def test_open_counts_nothing_on_a_dead_line_and_grows_with_the_stones():
    board, at = drawn(
        """
        O O X . p
        """,
        rules="freestyle",
    )
    assert Lines().explain(board).weights[at["p"]] == 0
    board, at = drawn(
        """
        a . . . . . .
        b X . . . . .
        c X X . . . .
        d X X X . . .
        e O . . . . .
        f O O . . . .
        g O O O . . .
        """,
        rules="freestyle",
        turn=BLACK,
    )
    across = {
        sign: sum(
            part.value
            for part in Lines(win=3, block=2).explain(board).parts[point]
            if all(p // 7 == point // 7 for p in part.points)
        )
        for sign, point in at.items()
    }
    assert across == {"a": 0, "b": 1, "c": 8, "d": 48, "e": 1, "f": 8, "g": 48}


LEFT_OF_FOUR = """
    . . . . . . .
    p X X X X . .
    . . . . . . .
    q O O O O . .
    . . . . . . .
"""


@pytest.mark.parametrize(("turn", "chosen"), [(BLACK, "p"), (WHITE, "q")])
def test_open_takes_its_own_win_before_it_blocks(turn, chosen):
    board, at = drawn(LEFT_OF_FOUR, rules="standard", turn=turn)
    weights = Lines().explain(board).weights
    assert weights[at[chosen]] > 100 * weights[at["p" if chosen == "q" else "q"]]
    point = Lines().choose(board).point
    board.push(point)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == turn


@pytest.mark.parametrize(
    ("rules", "row"),
    [("standard", "X X X p X X . ."), ("caro", "O X X X p X O ."), ("caro", "X X X p X X . .")],
)
def test_open_takes_no_row_for_a_win_that_the_rules_do_not_count(rules, row):
    picture = f"{row}\n . . . . . . . . \n X O O O q O . . \n . . . . . . . ."
    board, at = drawn(picture, rules=rules, turn=BLACK)
    assert Lines().choose(board).point == at["q"]
    assert not any(len(part.points) == 5 and part.value > 100 for part in parts_along(board, at["p"]))
    freestyle, _ = drawn(picture, rules="freestyle", turn=BLACK)
    assert Lines().choose(freestyle).point == at["p"]


def test_open_wins_by_a_row_that_is_closed_at_one_end():
    board, at = drawn("O X X X X p . .", rules="caro", turn=BLACK)
    assert Lines().choose(board).point == at["p"]
    assert sum(part.value for part in parts_along(board, at["p"])) > 1_000_000


def parts_along(board, point):
    """What `open` counts at a point on the row through it."""
    parts = Lines().explain(board).parts[point]
    return [part for part in parts if len({p // board.width for p in part.points}) == 1]


@given(boards(), st.sampled_from(("open", "tuned")))
def test_it_wins_if_it_can_in_one_move_and_else_blocks_if_it_can(board, preset):
    points = playable(board)
    if not points:
        return
    chosen = Lines(preset).choose(board).point

    def wins(point, colour):
        stones = {c: [*board.stones(c), *([point] if c == colour else [])] for c in (BLACK, WHITE)}
        after = Board.from_stones(stones[BLACK], stones[WHITE], 3 - colour, board.rules).outcome()
        return after is not None and after.winner == colour and after.reason == "five"

    for colour in (board.turn, 3 - board.turn):
        winning = [point for point in points if wins(point, colour)]
        if winning:
            assert chosen in winning
            return


@given(
    boards(),
    st.sampled_from(("open", "tuned", "o4", "o4,own=2,enemy=0.1", "open,dead=0.5,growth=1.5,seed=3")),
)
def test_explanations_add_up_and_agree_with_the_choice(board, spec):
    made = player(f"lines:{spec}")
    assert set(made.explain(board).weights) == set(playable(board))
    check_explanation(made, board)
    check_promises(made, board)


def test_an_empty_board_begins_in_the_centre():
    for spec in ("lines:open", "lines:tuned", "lines:o4"):
        for rules in NAMES:
            board = Board(rules)
            assert player(spec).choose(board).point == board.rules.points // 2


@pytest.mark.parametrize("preset", ["open", "tuned", "o4"])
@pytest.mark.parametrize("rules", NAMES)
@pytest.mark.long
def test_fifty_games_without_an_illegal_move(preset, rules):
    for number in range(50):
        players = (player(f"lines:{preset},seed={number}"), player(f"random,seed={number}"))
        play(players[number % 2], players[1 - number % 2], rules)


def test_a_larger_board_and_another_k():
    board = Board.from_moves("d1 c1 d2 c2 d3", Rules.mnk(7, 6, 4))
    assert board.name(Lines().choose(board).point) == "d4"


def test_tuned_builds_where_open_spoils():
    # Two stones of each side, alike: a line of one's own is worth more than one of the enemy's.
    board = Board.from_stones(black=["e8", "f8"], white=["j8", "k8"], turn=BLACK)
    weights = {preset: by_name(board, Lines(preset).explain(board).weights) for preset in ("open", "tuned")}
    assert weights["open"]["g8"] == weights["open"]["i8"] == 3 * 8 + 8
    assert weights["tuned"]["g8"] == 3 * 5 + 3
    assert weights["tuned"]["i8"] == 5 + 3 * 3
    assert board.name(Lines("tuned").choose(board).point) == "g8"
