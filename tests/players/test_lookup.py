from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, GameOver, Rules, RulesError, player
from tengen.players import lookup
from tengen.players.lookup import Lookup
from tengen.players.spec import SpecError
from tests.strategies import played

PRESETS = ("all", "reachable")
TICTACTOE = Rules.named("tictactoe")


def value_of(board, known):
    """What the game is worth to the side to move, by trying everything: N + 1 - plies for a win."""
    if outcome := board.outcome():
        decided = board.rules.points + 1
        return 0 if outcome.winner is None else decided if outcome.winner == board.turn else -decided
    key = board.position, board.turn
    if key not in known:
        known[key] = max(values_of(board, known).values())
    return known[key]


def values_of(board, known):
    """What each move is worth to the side to move."""
    values = {}
    for point in board.legal_points():
        board.push(point)
        value = value_of(board, known)
        board.pop()
        values[point] = -value + (value > 0) - (value < 0)
    return values


def positions(board, seen):
    """Every position that play from `board` can reach, while the game goes on."""
    if board.outcome() or (board.position, board.turn) in seen:
        return
    seen.add((board.position, board.turn))
    yield board
    for point in board.legal_points():
        board.push(point)
        yield from positions(board, seen)
        board.pop()


def mate(choice):
    """Plies to the end, as the player counts them."""
    assert choice.score is not None
    return choice.score.mate


def results(made, own, board, seen):
    """The winners of all games in which `made` plays `own` and the opponent everything."""
    if outcome := board.outcome():
        yield outcome.winner
        return
    if (board.position, board.turn) in seen:
        return
    seen.add((board.position, board.turn))
    for point in [made.choose(board).point] if board.turn == own else board.legal_points():
        board.push(point)
        yield from results(made, own, board, seen)
        board.pop()


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("own", [BLACK, WHITE])
@pytest.mark.parametrize("seed", [None, 1, 2])
@pytest.mark.long
def test_no_line_of_the_opponents_beats_it_at_tic_tac_toe(preset, own, seed, monkeypatch):
    monkeypatch.setattr(lookup, "_TABLES", {})
    winners = set(results(Lookup(preset, seed), own, Board(TICTACTOE), set()))
    assert winners == {own, None}
    assert len(lookup._TABLES) == 1


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS)
def test_every_won_game_is_taken_in_the_fewest_moves_and_every_lost_one_drawn_out(preset):
    known: dict[tuple[bytes, int], int] = {}
    made = Lookup(preset)
    counted = 0
    for number, board in enumerate(positions(Board(TICTACTOE), set())):
        if preset == "reachable" and number % 40:
            continue  # each position is the root of a table of its own
        values = values_of(board, known)
        choice = made.choose(board)
        best = max(values.values())
        assert values[choice.point] == best
        assert mate(choice) == (None if best == 0 else 10 - best if best > 0 else -10 - best)
        assert made.explain(board).weights == values
        counted += 1
    assert counted == (4520 if preset == "all" else 113)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_win_comes_before_a_block(preset):
    board = Board.from_moves("a1 a2 b1 b2", TICTACTOE)
    choice = Lookup(preset).choose(board)
    assert board.name(choice.point) == "c1"
    assert mate(choice) == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_a_lost_game_is_lost_as_late_as_can_be(preset):
    # Black threatens to make two lines at once on a3, b2 or b3; c1 would lose at once to a2.
    board = Board.from_moves("a1 b3 a3", TICTACTOE)
    explanation = Lookup(preset).explain(board)
    at = {board.name(point): str(parts[0].label) for point, parts in explanation.parts.items()}
    assert at == {
        "a2": "a loss in 4 plies",
        "b1": "a loss in 2 plies",
        "b2": "a loss in 2 plies",
        "c1": "a loss in 2 plies",
        "c2": "a loss in 2 plies",
        "c3": "a loss in 2 plies",
    }
    assert board.name(Lookup(preset).choose(board).point) == "a2"


def test_the_two_tables_differ_in_size():
    for preset, size in (("all", 3**9), ("reachable", 376)):
        made = Lookup(preset)
        assert (made.table_size, made.build_seconds) == (0, 0)
        text = str(made.explain(Board(TICTACTOE)).summary)
        assert made.table_size == made.build(TICTACTOE).size == size
        assert made.build_seconds == made.build(TICTACTOE).seconds > 0
        assert str(size) in text
        assert "says b2: a draw" in text


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("turn", [BLACK, WHITE])
def test_positions_that_no_game_reaches_are_answered_too(preset, turn):
    board = Board.from_stones(black=["a1", "b1", "b3", "c2"], turn=turn, rules=TICTACTOE)
    choice = Lookup(preset).choose(board)
    assert board.name(choice.point) in (("b2", "c1") if turn == BLACK else ("b2",))
    assert mate(choice) == (1 if turn == BLACK else -2)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_that_other_moves_have_led_elsewhere_goes_on(preset):
    board = Board.from_moves("a2 a1", TICTACTOE)  # it would have begun in the centre
    assert Lookup(preset).explain(board).weights == values_of(board, {})


SMALL = st.builds(
    Rules,
    width=st.integers(2, 4),
    height=st.just(2),
    k=st.integers(1, 4),
    overline=st.sampled_from(("wins", "no_win", "foul")),
    blocked_five=st.sampled_from(("wins", "no_win")),
    fouls=st.sampled_from(("forbidden", "loses")),
) | st.builds(
    Rules,
    width=st.integers(2, 8),
    height=st.just(1),
    k=st.just(4),
    overline=st.sampled_from(("wins", "no_win", "foul")),
    double_four=st.booleans(),
    double_three=st.booleans(),
    blocked_five=st.sampled_from(("wins", "no_win")),
    fouls=st.sampled_from(("forbidden", "loses")),
)


@pytest.mark.long
@given(played(SMALL, most=4), st.sampled_from(PRESETS))
@settings(max_examples=25)
def test_any_small_game_is_played_as_trying_everything_would(board, preset):
    if not board.outcome():
        explanation = Lookup(preset).explain(board)
        assert explanation.weights == values_of(board, {})
        for point, parts in explanation.parts.items():
            assert sum(part.value for part in parts) == explanation.weights[point]


def test_a_foul_is_played_only_where_nothing_else_is_left():
    rules = Rules(width=6, height=1, k=3, overline="foul", fouls="loses")
    board = Board.from_stones(black=["a1", "b1", "d1"], white=["f1"], turn=BLACK, rules=rules)
    assert board.fouls()[board.point("c1")].kind == "overline"
    assert board.name(Lookup().choose(board).point) == "e1"
    board = Board.from_stones(black=["a1", "b1", "d1"], white=["e1", "f1"], turn=BLACK, rules=rules)
    choice = Lookup().choose(board)
    assert board.name(choice.point) == "c1"
    assert mate(choice) == -1


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        ("all", "a table of all 15x15 boards would hold about 10^107 of them"),
        ("reachable", "a table of the replies on 15x15 would follow about 10^217 lines of play"),
    ],
)
def test_on_larger_boards_it_says_how_large_the_table_would_be(preset, said):
    made = Lookup(preset)
    for ask in (made.choose, made.explain):
        with pytest.raises(RulesError) as caught:
            ask(Board())
        assert said in str(caught.value)
    with pytest.raises(RulesError):
        made.build(Rules.mnk(13, 1, 3))
    assert made.table_size == 0


def test_rules_with_passes_are_refused():
    with pytest.raises(RulesError, match="allow passing"):
        Lookup().choose(Board(Rules.named("tictactoe", passing=True)))


@pytest.mark.parametrize("preset", PRESETS)
def test_stopped_before_the_table_is_built_it_answers_at_once_and_keeps_no_half_table(preset, monkeypatch):
    monkeypatch.setattr(lookup, "_TABLES", {})
    stop = threading.Event()
    stop.set()
    board = Board.from_moves("b2", TICTACTOE)
    made = Lookup(preset)
    assert board.name(made.choose(board, stop=stop).point) == "b1"
    assert lookup._TABLES == {}
    assert board.name(made.choose(board, stop=threading.Event()).point) == "a1"


def test_only_so_many_tables_are_kept(monkeypatch):
    monkeypatch.setattr(lookup, "_TABLES", {})
    for width in range(1, 8):
        for k in (1, 2, 3):
            Lookup().build(Rules.mnk(width, 2, k)) if width < 5 else Lookup().build(Rules.mnk(width, 1, k))
            assert len(lookup._TABLES) <= 8


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_that_is_over_has_no_move(preset):
    board = Board.from_moves("a1 a2 b1 b2 c1", TICTACTOE)
    with pytest.raises(GameOver):
        Lookup(preset).choose(board)
    assert Lookup(preset).explain(board).weights == {}


def test_a_seed_decides_between_corners_and_is_part_of_the_name():
    board = Board.from_moves("b2", TICTACTOE)
    chosen = {board.name(Lookup("all", seed).choose(board).point) for seed in range(30)}
    assert chosen == {"a1", "c1", "a3", "c3"}
    assert Lookup("reachable", 4).name == "lookup:reachable,seed=4"
    assert player("lookup:reachable,seed=4").name == "lookup:reachable,seed=4"
    assert player("lookup").name == "lookup:all"


def test_an_unknown_preset_is_refused():
    with pytest.raises(SpecError, match="all, reachable"):
        Lookup("some")


@pytest.mark.parametrize("preset", PRESETS)
def test_fifty_games_against_a_random_player(preset):
    lost = 0
    for number in range(50):
        players = [player(f"lookup:{preset},seed={number % 3}"), player(f"random,seed={number}")]
        own = WHITE if number % 2 else BLACK
        if own == WHITE:
            players.reverse()
        board = Board(TICTACTOE)
        while not (outcome := board.outcome()):
            before = board.copy()
            choice = players[board.turn - 1].choose(board)
            assert board == before
            assert choice.point in board.legal_points()
            board.push(choice.point)
        lost += outcome.winner not in (own, None)
    assert lost == 0
