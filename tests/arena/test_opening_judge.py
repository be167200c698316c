from __future__ import annotations

from itertools import islice
from threading import Event
from typing import Any

import pytest

from tengen import BLACK, WHITE, Board, Engine, Limit, Rules, player
from tengen.arena.opening_generator import Opening, shapes
from tengen.arena.opening_judge import (
    ENGINE,
    LEVEL,
    Candidate,
    Judge,
    appoint,
    default_judge,
    is_quiet,
    judged,
)
from tengen.engine.evaluation.weights import file_of
from tengen.players.spec import SpecError
from tests.errors import key_of
from tests.positions import drawn

pytestmark = pytest.mark.usefixtures("compiled")

FREESTYLE = Rules.named("freestyle")
ENGINE_RULES = ("freestyle", "standard", "renju", "caro")


def some(rules: Rules, count: int, seed: int = 1) -> list[Opening]:
    return [opening for opening in islice(shapes(rules, seed, (3, 6)), count) if opening]


# -- quiet


@pytest.mark.parametrize("turn", [BLACK, WHITE])
def test_a_position_is_not_quiet_if_either_side_wins_by_fours(turn):
    picture = """
        . . . . . . . . .
        . . X . . . . . .
        . . X . . . . . .
        . . X . . . O . .
        . . . . . . . . .
        . . . . . O . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    board, _ = drawn(picture, rules="freestyle", turn=turn)
    assert not is_quiet(board)
    spoilt, _ = drawn(picture.replace("X", ".", 1), rules="freestyle", turn=turn)
    assert is_quiet(spoilt)


def test_a_position_is_not_quiet_once_the_game_is_over():
    assert not is_quiet(Board.from_moves("a1a2b1b2c1", rules="tictactoe"))
    assert is_quiet(Board("tictactoe"))


# -- the engine


@pytest.mark.parametrize("name", ENGINE_RULES)
@pytest.mark.long
def test_the_engine_keeps_what_is_quiet_and_even(name):
    """A look of as many nodes as the first one has is the verdict, and says who is ahead."""
    rules = Rules.named(name)
    verdicts = []
    for opening in some(rules, 40):
        board = Board.from_moves(opening, rules)
        score = Engine().analyse(board, Limit(nodes=5_000))[0].score
        ahead = score.value if board.turn == BLACK else -score.value
        even = score.mate is None and abs(ahead) <= 60 and is_quiet(board)
        verdicts.append(ahead if even else None)
        assert judged(Candidate(rules, opening, Judge("engine,nodes=5000", 60))) == verdicts[-1]
    assert {value is None for value in verdicts} == {True, False}


@pytest.mark.long
def test_a_second_look_decides():
    """With more nodes the engine thinks otherwise of some."""
    judge = Judge("engine,nodes=30000", 60)
    openings = some(FREESTYLE, 40)
    kept = [judged(Candidate(FREESTYLE, opening, judge)) for opening in openings]
    for opening, ahead in zip(openings, kept, strict=True):
        board = Board.from_moves(opening, FREESTYLE)
        value = Engine().analyse(board, Limit(nodes=30_000))[0].score.value
        assert ahead is None or ahead == (value if board.turn == BLACK else -value)
    first = [judged(Candidate(FREESTYLE, opening, Judge("engine,nodes=5000", 60))) for opening in openings]
    assert [value is None for value in kept] != [value is None for value in first]


def test_what_is_won_is_not_even_however_large_the_bound():
    won = Board.from_moves("h8a1h9a3h10a5", FREESTYLE)
    assert Engine().analyse(won, Limit(nodes=5_000))[0].score.mate is not None
    assert judged(Candidate(FREESTYLE, won.moves, Judge("engine,nodes=5000", 1_000_000))) is None


def test_a_game_that_is_over_is_not_even():
    over = Board.from_moves("h8a1h9a3h10a5h11a7h12", FREESTYLE)
    assert judged(Candidate(FREESTYLE, over.moves, Judge("engine,nodes=5000", 1_000_000))) is None


def test_the_empty_board_is_worth_what_its_first_stone_is():
    """The engine itself puts the first stone without a look."""
    judge = Judge("engine,nodes=5000", 1_000)
    stone = Engine().choose(Board()).point
    assert Engine().analyse(Board())[0].score.value == 0
    ahead = judged(Candidate(FREESTYLE, (), judge))
    assert ahead is not None
    assert ahead > 0
    assert ahead == judged(Candidate(FREESTYLE, (stone,), judge))


def test_a_glance_is_no_verdict():
    """So few nodes that no depth is searched to its end would call everything even."""
    judge = Judge("engine,nodes=1", 1_000)
    assert {judged(Candidate(FREESTYLE, opening, judge)) for opening in some(FREESTYLE, 10)} == {None}


def test_stopped_the_engine_answers_at_once():
    stop = Event()
    stop.set()
    assert (
        judged(Candidate(FREESTYLE, some(FREESTYLE, 1)[0], Judge("engine,nodes=1000000000")), stop) is None
    )


def test_an_engine_that_fails_is_named(tmp_path):
    """It has no numbers for these rules."""
    (tmp_path / "freestyle.npz").write_bytes(file_of("freestyle").read_bytes())
    standard = Rules.named("standard")
    candidate = Candidate(standard, some(standard, 1)[0], Judge(f"engine,weights={tmp_path}"))
    assert key_of(lambda: judged(candidate)) == "error.arena.openings.failed"


# -- other players


@pytest.mark.long
def test_a_player_plays_both_colours_with_two_seeds_a_pair():
    """Judging is playing the games, and these are the games."""
    kept = 0
    openings = some(FREESTYLE, 16)
    for opening in openings:
        start = Board.from_moves(opening, FREESTYLE)
        points = 0.0
        for black, white in ((70, 71), (71, 70), (72, 73), (73, 72)):
            board = start.copy()
            players = {BLACK: player(f"level:2,seed={black}"), WHITE: player(f"level:2,seed={white}")}
            while (outcome := board.outcome()) is None:
                board.push(players[board.turn].choose(board).point)
            points += 0.5 if outcome.winner is None else outcome.winner == BLACK
        even = points == 2 and is_quiet(start)
        candidate = Candidate(FREESTYLE, opening, Judge("level:2", playouts=4), 70)
        assert judged(candidate) == (0 if even else None)
        kept += even
    assert 0 < kept < len(openings)


def test_draws_are_even():
    for opening in ((), (4, 0)):
        candidate = Candidate(Rules.named("tictactoe"), opening, Judge("lookup", playouts=4))
        assert judged(candidate) == 0


def test_a_judge_that_is_none_in_the_workers():
    with pytest.raises(SpecError):
        judged(Candidate(FREESTYLE, (), Judge("nobody")))


# -- who may judge


@pytest.mark.parametrize("name", ENGINE_RULES)
def test_the_engine_judges_what_it_plays(name):
    assert default_judge(Rules.named(name)) == ENGINE
    assert default_judge(Rules.named(name, 23)) == LEVEL
    assert default_judge(Rules.named(name, passing=True)) == LEVEL


@pytest.mark.parametrize("rules", [Rules.named("tictactoe"), Rules.mnk(9, 9, 4), Rules.mnk(15, 14, 5)])
def test_a_level_judges_the_rest(rules):
    assert appoint(rules) == Judge(LEVEL)


def test_what_is_asked_for_is_what_judges():
    assert appoint(FREESTYLE, " engine,nodes=10", 7) == Judge(" engine,nodes=10", 7)
    assert appoint(FREESTYLE, "engine,threads=1").scores
    assert appoint(FREESTYLE, "level:2", playouts=6) == Judge("level:2", playouts=6)


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ({"spec": "engine", "playouts": 8}, "error.arena.openings.scores"),
        ({"playouts": 8}, "error.arena.openings.scores"),
        ({"spec": "level:3", "bound": 40}, "error.arena.openings.plays"),
        ({"spec": "engine", "bound": 0}, "error.arena.openings.bound"),
        ({"spec": "engine,threads=2"}, "error.arena.openings.threads"),
        ({"spec": "engine,nodes=0"}, "error.parameter.whole"),
        ({"spec": "engine,depth=3"}, "error.spec.key"),
        ({"spec": "level:2", "playouts": 3}, "error.arena.openings.playouts"),
        ({"spec": "level:2", "playouts": 0}, "error.arena.openings.playouts"),
        ({"spec": "minimax,depth=2"}, "error.arena.openings.judge"),
        ({"spec": "level:2,seed=3"}, "error.spec.twice"),
        ({"spec": "nobody"}, "error.spec.name"),
    ],
)
def test_who_cannot_judge(asked: dict[str, Any], key):
    assert key_of(lambda: appoint(FREESTYLE, **asked)) == key


def test_the_engine_does_not_judge_what_it_does_not_play():
    assert key_of(lambda: appoint(Rules.mnk(9, 9, 4), "engine")) == "error.player.rules"
