from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, WHITE, Board, Engine, Limit, Rules, RulesError, Score, TengenError, player
from tengen.game.rules import NAMES
from tengen.players.levels import LEVELS, Level, SearchingLevel, levels_for, needs_engine
from tengen.players.random import Random, generator
from tengen.players.registry import ENTRIES
from tengen.players.windows import Windows
from tests.players.games import check_explanation, check_promises, check_stops, play
from tests.positions import drawn, ended
from tests.strategies import boards, engine_rules, played, set_up

SEEDS = range(12)

TEXTBOOK = ("1", "2", "3")
ENGINE = tuple(level for level in LEVELS if level not in TEXTBOOK)
HANDICAPPED = ENGINE[:-1]


def chosen(level, picture, turn=BLACK):
    """What a level plays, over many seeds: the signs or names of the points."""
    board, at = drawn(picture, rules="freestyle", turn=turn)
    signs = {point: sign for sign, point in at.items()}
    limit = Limit(nodes=1000) if level in ENGINE else None
    points = {Level(level, seed).choose(board, limit).point for seed in SEEDS}
    return {signs.get(point, board.name(point)) for point in points}


def reasons(level, board, seed=0):
    """The limits that an explanation names."""
    why = Level(level, seed).explain(board).summary.values["why"]
    return {limit.key.removeprefix("explain.level.") for limit in why.values.get("limits", ())}


@settings(deadline=None, max_examples=60)
@given(set_up(colours=(EMPTY, EMPTY, BLACK, WHITE)))
def test_no_textbook_level_misses_its_own_five(board):
    fives = [] if board.outcome() else Windows(board).fives(board.turn)
    for level in TEXTBOOK:
        assert not fives or Level(level, seed=1).choose(board).point in fives


def test_a_five_is_taken_rather_than_stopped():
    picture = """
        . . . . . . . .
        O X X X X f . .
        . . . . . . . .
        X O O O O b . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """
    for level in LEVELS:
        assert chosen(level, picture) == {"f"}
        assert chosen(level, picture, WHITE) == {"b"}


STRAIGHT = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . X O O O O f . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . X . . . . . . .
    . . . X X . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    """

DIAGONAL = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . f . . . .
    . . . . . O . . . . .
    . . . . O . . . . . .
    . . . O . . . . . . .
    . . O . . . . . . . .
    . X . . . . . X . . .
    . . . . . . . X X . .
    """


@pytest.mark.long
def test_a_five_in_a_row_is_stopped_by_all_and_one_on_a_diagonal_not_always_by_the_beginner():
    for level in LEVELS:
        assert chosen(level, STRAIGHT) == {"f"}
    for level in list(LEVELS)[1:]:
        assert chosen(level, DIAGONAL) == {"f"}
    board, at = drawn(DIAGONAL, rules="freestyle")
    limits = [reasons("1", board, seed) for seed in range(40)]
    for seed, named in enumerate(limits):
        assert (Level("1", seed).choose(board).point != at["f"]) == (named == {"selfish", "diagonal"})
    assert {bool(named) for named in limits} == {True, False}
    summary = next(str(Level("1", s).explain(board).summary) for s in SEEDS if reasons("1", board, s))
    assert summary.endswith("; did not look at the opponent's stones, missed c3 d4 e5 f6 on a diagonal")


THREE = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . c a O O O b d . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . X . . .
    . . . . . . . . . . .
    . . . . . . . X . . .
    """


@pytest.mark.long
def test_an_open_three_is_overlooked_often_now_and_then_or_seldom():
    board, _ = drawn(THREE, rules="freestyle")
    overlooked = dict.fromkeys(TEXTBOOK, 0)
    for level in TEXTBOOK:
        for seed in range(300):
            point = Level(level, seed).choose(board).point
            selfish = "selfish" in reasons(level, board, seed)
            assert (board.name(point) in {"b6", "c6", "g6", "h6"}) != selfish
            overlooked[level] += selfish
    assert overlooked["1"] > 2 * overlooked["2"] > 3 * overlooked["3"] > 0


def test_who_thinks_of_its_own_rows_only_sees_its_own_win_by_fours():
    board = Board.from_stones(["f8", "g8", "h8", "i9", "i10"], ["e8", "c4", "l4", "c12", "l12"])
    draws = [generator(seed, board).random() for seed in range(100)]
    for level in ("2", "3"):
        # Seldom enough that few seeds would not show it.
        how = LEVELS[level]
        assert isinstance(how, SearchingLevel)
        assert min(draws) < how.selfish
        for seed in range(len(draws)):
            assert Level(level, seed).choose(board).score == Score.win_in(5)


def test_the_thoughtful_level_wins_by_fours_but_not_by_many():
    board = Board.from_stones(["f8", "g8", "h8", "i9", "i10"], ["e8", "c4", "l4", "c12", "l12"])
    choice = Level("3").choose(board)
    assert choice.score == Score.win_in(5)
    assert str(Level("3").explain(board).summary) == (
        "Level 3: i8 starts a win by fours: i8, j8, i7, i6, i11"
    )
    quiet = Level("3").explain(Board.from_moves("h8 h9 i8"))
    assert str(quiet.summary).endswith("; looks at no more than 5 fours")
    assert quiet.tree is not None


def test_a_limit_shortens_its_thoughts_and_does_not_lengthen_them():
    board = Board.from_moves("h8i9i7g9h9h10g8j8i10f7")
    level = next(Level("3", seed) for seed in SEEDS if "selfish" not in reasons("3", board, seed))
    full = level.choose(board)
    generous = level.choose(board, Limit(seconds=600, nodes=10**9, depth=9))
    assert (generous.line, generous.nodes) == (full.line, full.nodes)
    assert level.choose(board, Limit(nodes=20)).nodes <= 20
    assert level.choose(board, Limit(depth=1)).nodes < full.nodes


def test_the_seed_decides_and_nothing_else():
    board = Board.from_moves("h8 h9 i8 c3")
    for level in (*TEXTBOOK, *HANDICAPPED[:4]):
        explained = [Level(level, seed).explain(board) for seed in (0, 0, 1)]
        assert explained[0] == explained[1] != explained[2]


def test_names_and_presets():
    assert ENTRIES["level"].presets == tuple(LEVELS)
    assert player("level").name == "level:1"
    for spec in ("level:1", "level:2", "level:3,seed=7", "level:4,seed=7", "level:10"):
        assert player(spec).name == spec
    with pytest.raises(TengenError, match="no preset '11': expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"):
        Level("11")


@pytest.mark.long
@settings(deadline=None, max_examples=60)
@given(boards())
def test_the_textbook_levels_keep_their_promises_anywhere(board):
    for level in TEXTBOOK:
        check_promises(Level(level, seed=2), board)
        check_explanation(Level(level, seed=2), board)
    check_promises(Level("3"), board, Limit(nodes=9))


@pytest.mark.long
@settings(deadline=None, max_examples=25)
@given(played(engine_rules(), most=30) | set_up(engine_rules()), st.sampled_from(HANDICAPPED[:3]))
def test_the_levels_of_the_engine_keep_theirs_where_it_plays(board, level):
    check_promises(Level(level, seed=2), board)
    check_explanation(Level(level, seed=2), board)
    check_promises(Level(level, seed=2), board, Limit(seconds=60, nodes=30, depth=2))


def test_the_last_level_is_the_engine_itself():
    board = Board.from_moves("h8i9i7g9h9h10g8j8i10f7")
    level, engine = Level("10", seed=3), Engine()
    limit = Limit(nodes=2000)
    assert (level.choose(board, limit).line, level.name) == (
        engine.choose(board, limit).line,
        "level:10,seed=3",
    )
    assert level.choose(board, Limit(nodes=5000)).nodes > level.choose(board, limit).nodes


def test_a_limit_shortens_the_thoughts_of_the_engines_levels_too():
    board = Board.from_moves("h8i9i7g9h9h10g8j8i10f7")
    for level in HANDICAPPED[:3]:
        full = Level(level).choose(board)
        generous = Level(level).choose(board, Limit(seconds=600, nodes=10**9, depth=60))
        assert (generous.line, generous.nodes) == (full.line, full.nodes)
        assert Level(level).choose(board, Limit(nodes=50)).nodes <= 50
        assert len(Level(level).choose(board, Limit(depth=1)).line) >= 1


@pytest.mark.long
def test_an_engines_level_says_how_far_it_looked_and_what_it_overlooked():
    board = Board.from_moves("h8 d4 j8 e5 l12 o15")
    told = {str(Level("4", seed).explain(board).summary) for seed in range(60)}
    assert all(text.startswith("Level 4: ") and " (depth " in text for text in told)
    assert {text.partition(" notice the opponent's stones on ")[2] for text in told} == {"", "d4 e5."}


def test_rules_that_the_engine_does_not_play_have_the_textbook_levels_only():
    for rules in (Rules.named("tictactoe"), Rules.mnk(7, 7, 4), Rules.named("renju", size=(15, 14))):
        assert levels_for(rules) == TEXTBOOK
        for level in ENGINE:
            with pytest.raises(RulesError, match="the engine does not play these rules on"):
                Level(level).choose(Board(rules))
            with pytest.raises(RulesError):
                Level(level).explain(Board(rules))
    for name in ("freestyle", "standard", "renju", "caro"):
        assert levels_for(Rules.named(name)) == tuple(LEVELS)


def test_they_stop_when_told_to():
    for level in LEVELS:
        check_stops(Level(level), Board.from_moves("h8i9i7g9h9h10g8j8i10f7"))


def wins(strong, weak, games, rules):
    won = 0.0
    for number in range(games):
        players = [Level(strong, number), Level(weak, number)]
        if number % 2:
            players.reverse()
        winner = ended(play(players[0], players[1], rules)).winner
        won += 0.5 if winner is None else winner == 1 + number % 2
    return won


@pytest.mark.long
def test_each_level_beats_the_one_before_in_most_games():
    rules = Rules.named("freestyle", size=11)
    assert wins("3", "1", 30, rules) >= 24
    assert wins("2", "1", 30, rules) >= 18
    assert wins("3", "2", 30, rules) >= 18


@pytest.mark.parametrize("rule", NAMES)
@pytest.mark.parametrize("level", [*TEXTBOOK, *HANDICAPPED[:3]])
def test_games_without_an_illegal_move(rule, level):
    rules = Rules.named(rule)
    if level in levels_for(rules):
        play(Level(level), Random(1), rules)
        play(Random(1), Level(level), rules)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
@pytest.mark.parametrize("level", HANDICAPPED)
def test_games_of_the_engines_levels_without_an_illegal_move(rule, level):
    for seed in range(3):
        play(Level(level, seed), Random(seed), rule)
        play(Level("4", seed), Level(level, seed), rule)


@pytest.mark.slow
@pytest.mark.parametrize("rule", NAMES)
@pytest.mark.parametrize("level", TEXTBOOK)
def test_fifty_games_without_an_illegal_move(rule, level):
    for seed in range(25):
        play(Level(level, seed), Random(seed), rule)
        play(Random(seed), Level(level, seed), rule)


@pytest.mark.parametrize(
    ("spec", "needs"),
    [
        ("engine", True),
        (" engine,threads=2", True),
        ("level:4", True),
        ("level:10,seed=1", True),
        ("level:3", False),
        ("level", False),
        ("level:x", False),
        ("prover:file=won.json", True),
        ("engines", False),
        ("minimax,depth=3", False),
        ("cmd=./engine", False),
        ("", False),
    ],
)
def test_who_needs_the_engine(spec, needs):
    assert needs_engine(spec) is needs
