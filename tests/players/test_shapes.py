from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Rules, player
from tengen.game.points import DIRECTIONS
from tengen.game.rules import NAMES
from tengen.players.candidates import playable
from tengen.players.shapes import PRESETS, Shapes
from tests.players.games import check_explanation, check_promises, play
from tests.positions import drawn
from tests.strategies import boards


def table(text):
    """Shapes and what they weigh."""
    return {digits: int(value) for digits, value in map(str.split, text.split(","))}


# The tables as the origins give them, written out again: 1 is the opponent, 2 the player.
O2 = table("1 20, 11 100, 111 2000, 1111 50000, 2 10, 12 10, 22 50, 222 1000, 22221 10000")
O2_MENDED = O2 | table("2222 10000, 2221 700, 1112 1400, 11112 50000")
O5 = table(
    "1 20, 11 410, 111 500, 1111 8000, 12 4, 112 70, 1112 450, 11112 8000, 2 8, 22 80, 222 470, "
    "2222 9000, 22221 10000, 21 6, 221 60, 2221 600, 121 5, 1221 5, 2112 5, 212 5"
)
TUNED = table(
    "1 -80, 11 -50, 111 1000, 1111 50000, 12 -170, 112 -700, 1112 -1500, 11112 50000, 2 60, 22 170, "
    "222 50000, 2222 10000, 21 -50, 221 140, 2221 -3300, 22221 10000"
)
TABLES = {"tuned": TUNED, "o5": O5, "o5easy": O5, "o5exact": O5, "o2": O2_MENDED, "o2exact": O2}
RAYS = [(sign * dx, sign * dy) for dx, dy in DIRECTIONS for sign in (1, -1)]


def looking(digits, direction, me, size=15):
    """A board with `digits` laid out from its centre in one direction, and `me` to move."""
    dx, dy = direction
    centre = size // 2
    stones: dict[int, list[int]] = {BLACK: [], WHITE: []}
    for step, digit in enumerate(digits, 1):
        colour = me if digit == "2" else 3 - me
        stones[colour].append((centre + step * dy) * size + centre + step * dx)
    rules = Rules.named("freestyle", size=size)
    return Board.from_stones(stones[BLACK], stones[WHITE], me, rules), centre * size + centre


def seen(preset, board, point):
    """What counts at a point: labels and values."""
    parts = Shapes(preset).explain(board).parts[point]
    return [(str(part.label), part.value) for part in parts]


def weight(preset, board, name):
    return Shapes(preset).explain(board).weights[board.point(name)]


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("direction", RAYS)
@pytest.mark.parametrize("me", [BLACK, WHITE])
def test_every_shape_weighs_what_its_table_says_in_every_direction(preset, direction, me):
    for digits in ("1", "2", "11", "12", "21", "22", *(d for d in {**O5, **O2_MENDED} if len(d) > 2)):
        board, point = looking(digits, direction, me)
        value = TABLES[preset].get(digits, 0)
        parts = Shapes(preset).explain(board).parts[point]
        shapes = [part for part in parts if part.label.key == "explain.shapes.shape"]
        if preset in ("o2", "o2exact", "tuned") and digits in ("121", "1221", "212", "2112", "112", "221"):
            read = {"121": "12", "1221": "12", "212": "21", "2112": "21"}.get(digits, digits)
            value = TABLES[preset].get(read, 0)
        assert [part.value for part in shapes] == ([value] if value else [])
        if shapes:
            dx, dy = direction
            length = len(shapes[0].label.values["shape"])
            assert shapes[0].points == tuple(point + n * (dy * 15 + dx) for n in range(1, length + 1))


def test_a_run_ends_at_an_empty_point_and_at_the_edge():
    board, at = drawn(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . p X X .
        . . . . . . . . .
        . . . . . . q X X
        """,
        rules="freestyle",
        turn=WHITE,
    )
    for sign in ("p", "q"):
        assert ("shape 11", 410) in seen("o5", board, at[sign])


def test_o5_reads_at_most_five_stones_and_across_colours():
    board, at = drawn("p X X X X O O .", rules="freestyle", turn=WHITE)
    assert seen("o5", board, at["p"]) == [("shape 11112", 8000)]
    board, at = drawn("p X O X O X X .", rules="freestyle", turn=WHITE)
    assert seen("o5", board, at["p"]) == []
    assert seen("o2", board, at["p"]) == [("shape 12", 10)]


def test_o5_adds_opposite_directions_and_the_largest_axis_counts():
    board, at = drawn(
        """
        . . . . . . .
        . . . . . . .
        . . . O . . .
        . X X p X X .
        . . . O . . .
        . . . . . . .
        . . . . . . .
        """,
        rules="freestyle",
        turn=WHITE,
    )
    assert seen("o5", board, at["p"]) == [("shape 11", 410), ("shape 11", 410)]
    assert weight("o5", board, "d4") == 820
    assert seen("o5easy", board, at["p"]) == [("shape 11", 410)]


def test_o2_adds_eight_directions_and_its_bonuses():
    board, at = drawn(
        """
        O . . . . . .
        . O . X . . .
        . . . X . . .
        O O . p X X X
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        rules="freestyle",
        turn=WHITE,
    )
    assert sorted(seen("o2", board, at["p"])) == sorted(
        [
            ("shape 111", 2000),
            ("shape 11", 100),
            ("enemy stones in two or more directions", 2000),
            ("blocks an enemy row of 4", 20000),
        ]
    )
    assert weight("o2", board, "d4") == 24100
    assert weight("o2exact", board, "d4") == 24100


def test_o2_counts_own_pairs_and_closed_runs():
    board, at = drawn(
        """
        O . . . . . O
        . O . . . O .
        . . O . O . .
        . O O p X O .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        rules="freestyle",
        turn=WHITE,
    )
    own = [("shape 22", 50), ("shape 222", 1000), ("shape 222", 1000), ("shape 12", 10)]
    bonuses = [("own stones in two or more directions", 2000), ("makes a row of 4", 20000)]
    assert sorted(seen("o2", board, at["p"])) == sorted(own + bonuses)
    # The source reads neither corner when it looks up, and sees 22 where there is 222.
    assert weight("o2exact", board, "d4") == 50 + 50 + 50 + 10 + 2000


def test_o2_sees_the_players_own_four_and_five_where_the_source_did_not():
    three, at = drawn(". . p O O O . .", rules="freestyle", turn=WHITE)
    assert seen("o2exact", three, at["p"]) == [("shape 222", 1000)]
    assert seen("o2", three, at["p"]) == [("shape 222", 1000), ("makes a row of 4", 20000)]
    four, at = drawn(". . p O O O O . .", rules="freestyle", turn=WHITE)
    assert seen("o2exact", four, at["p"]) == []
    assert seen("o2", four, at["p"]) == [
        ("shape 2222", 10000),
        ("makes a row of 5", 20000),
        ("wins", 1_000_000),
    ]


BOTH_FOURS = """
    . . . . . . . . .
    . X X X X q . . .
    . . . . . . . . .
    . O O p O O . . .
    . . . . . . . . .
"""


def test_o2_wins_before_it_blocks_and_blocks_before_it_makes_a_four():
    board, at = drawn(BOTH_FOURS, rules="freestyle", turn=WHITE)
    assert Shapes("o2").choose(board).point == at["p"]
    assert board.name(Shapes("o2exact").choose(board).point) == "a4"  # blocks, and the first such point
    board, at = drawn(BOTH_FOURS.replace("O O p O O", "O O O . ."), rules="freestyle", turn=WHITE)
    board.push("a4")
    board.push("e2")  # black stops the three on one side, and threatens f4
    assert Shapes("o2").choose(board).point == at["q"]


def test_o5_misses_a_five_across_a_gap_as_its_source_did():
    board, at = drawn(
        """
        . . . . . . . . .
        . . X X X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . O O O p O . . .
        """,
        rules="freestyle",
        turn=WHITE,
    )
    assert weight("o5", board, "e1") == 470 + 8
    assert Shapes("o5").choose(board).point != at["p"]


def test_the_exact_presets_begin_in_the_corner_and_the_mended_ones_in_the_centre():
    for rules in NAMES:
        board = Board(rules)
        for preset, chosen in PRESETS.items():
            expected = board.point(f"a{board.height}") if chosen.exact else board.rules.points // 2
            assert Shapes(preset).choose(board).point == expected


def test_o2exact_does_not_read_the_left_column_and_the_top_row_looking_that_way():
    board, at = drawn(
        """
        . . . X . . X
        . . X . . X .
        . X . r . s .
        X p . . . . .
        . . . . . . .
        X . . . . . .
        . q . . . . .
        """,
        rules="freestyle",
        turn=WHITE,
    )
    # p looks left to column 0; q up and left; s up at f6 and not on to the top row from there.
    assert sorted(seen("o2", board, at["p"])) == [("shape 1", 20), ("shape 1", 20)]
    assert seen("o2exact", board, at["p"]) == [("shape 1", 20)]
    assert seen("o2", board, at["q"]) == [("shape 1", 20)]
    assert seen("o2exact", board, at["q"]) == []


def test_o2exact_reads_on_to_the_right_and_the_bottom():
    board, at = drawn(
        """
        . . . . .
        . . . . .
        . . . p X
        . . . X .
        . . . X .
        """,
        rules="freestyle",
        turn=WHITE,
    )
    assert sorted(seen("o2exact", board, at["p"])) == [("shape 1", 20), ("shape 11", 100)]


def test_o5exact_reads_round_the_edge():
    board, at = drawn(
        """
        . . . . .
        . . . X p
        X X . . .
        . . . . .
        . . . . .
        """,
        rules="freestyle",
        turn=WHITE,
    )
    # To the right of p follows the next row; down and to the right of it the one after that.
    assert sorted(seen("o5exact", board, at["p"])) == [("shape 1", 20), ("shape 11", 410)]
    assert seen("o5", board, at["p"]) == [("shape 1", 20)]


def test_of_equal_points_the_exact_presets_play_the_first_and_the_others_the_central_one():
    board = Board.from_stones(black=["c3", "m13"], turn=WHITE)  # every neighbour of theirs weighs 20
    assert board.name(Shapes("o5exact").choose(board).point) == "l14"
    assert board.name(Shapes("o5").choose(board).point) == "d4"


def test_ties_are_broken_by_the_seed_after_the_centre():
    board = Board.from_stones(black=["h8"], turn=WHITE)
    chosen = {board.name(Shapes("o5", seed).choose(board).point) for seed in range(40)}
    assert chosen == {"g8", "i8", "h7", "h9"}
    assert Shapes("o5", 3).choose(board).point == Shapes("o5", 3).choose(board.copy()).point


def swapped(board):
    return Board.from_stones(board.stones(WHITE), board.stones(BLACK), 3 - board.turn, board.rules)


@given(boards(), st.sampled_from(list(PRESETS)))
def test_the_hint_is_the_same_computation_with_the_colours_swapped(board, preset):
    if board.outcome() or board.rules.has_fouls:
        return
    hint = Shapes(preset).explain(board)
    for_the_other = Shapes(preset).explain(swapped(board))
    assert hint.weights == for_the_other.weights
    assert hint.parts == for_the_other.parts


def test_a_hint_for_the_human_takes_the_four_that_the_computer_would_block():
    board, at = drawn(". . X X X p X . .", rules="freestyle", turn=BLACK)
    assert seen("o2", board, at["p"])[-1] == ("wins", 1_000_000)
    board, at = drawn(". . X X X p X . .", rules="freestyle", turn=WHITE)
    assert seen("o2", board, at["p"])[-1] == ("stops a win", 100_000)


def test_weights_can_be_turned():
    board = Board.from_moves("h8 a1 i8")
    for spec, value in (("shapes:o5", 410), ("shapes:o5,w_11=77", 77), ("shapes:o2,w_11=77", 77)):
        assert player(spec).explain(board).weights[board.point("g8")] == value
    assert Shapes("o2", pair_1=5).parameters == {**Shapes("o2").parameters, "pair_1": 5}
    assert Shapes("o5").parameters == {f"w_{digits}": value for digits, value in O5.items()}
    assert {f"w_{digits}" for digits in O2_MENDED} < set(Shapes("o2").parameters)
    assert {f"w_{digits}" for digits in TUNED} < set(Shapes("tuned").parameters)


@given(boards(), st.sampled_from((*PRESETS, "o2,w_1=0.1,w_2=-3.7", "o5,w_11=-5,seed=2")))
def test_explanations_add_up_and_agree_with_the_choice(board, spec):
    made = player(f"shapes:{spec}")
    assert set(made.explain(board).weights) == set(playable(board))
    check_explanation(made, board)
    check_promises(made, board)


@pytest.mark.parametrize("rules", NAMES)
@pytest.mark.long
def test_fifty_games_without_an_illegal_move(rules):
    presets = list(PRESETS)
    for number in range(50):
        preset = presets[number // 2 % len(presets)]
        players = (player(f"shapes:{preset},seed={number}"), player(f"random,seed={number}"))
        play(players[number % 2], players[1 - number % 2], rules)


def test_tuned_makes_open_fours_and_no_closed_ones():
    board, at = drawn(
        """
        . . . . . . . . . . .
        . p O O O . . . . . .
        . . . . . . . . . . .
        . X O O O q . . . . .
        . . . . . . . . . . .
        """,
        rules="freestyle",
        turn=WHITE,
    )
    weights = Shapes("tuned").explain(board).weights
    assert weights[at["p"]] == 50000 + 3400
    assert weights[at["q"]] == -3300 + 3400
    assert max(weights.values()) == weights[at["p"]]


def test_tuned_stops_an_open_three_and_leaves_a_closed_one_alone():
    board, at = drawn(
        """
        . . . . . . . . . . .
        . p X X X . . . . . .
        . . . . . . . . . . .
        . O X X X q . . . . .
        . . . . . . . . . . .
        """,
        rules="freestyle",
        turn=WHITE,
    )
    weights = Shapes("tuned").explain(board).weights
    assert weights[at["p"]] == 1000 + 1000
    assert weights[at["q"]] == -1500 + 1000


@given(boards())
def test_tuned_wins_if_it_can_in_one_move_and_else_blocks_if_it_can(board):
    if board.rules.k != 5 or not playable(board):
        return
    explained = Shapes("tuned").explain(board).parts
    labels = {point: {part.label.key for part in parts} for point, parts in explained.items()}
    for five in ("explain.shapes.five_2", "explain.shapes.five_1"):
        if any(five in keys for keys in labels.values()):
            assert five in labels[Shapes("tuned").choose(board).point]
            return
