from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.board import Board
from tengen.game.errors import NotAllowed
from tengen.game.opening_policy import decide
from tengen.game.opening_rules import FIRST, SECOND, Answer, Decision, Opening, available
from tengen.game.player import Choice, Explanation, Limit, Player, Score
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Colour, Point, axes, opponent
from tengen.game.rules import Rules
from tengen.players.random import Random
from tengen.words import Message


class Reach:
    """A small player of its own: a colour's reach is the free points on the axes of its stones.

    A point is worth the free points it looks at, up to two steps away, and more beside own stones; a
    position is worth the difference of the reaches.
    """

    name = "reach"

    def choose(self, board, limit=None, stop=None):
        weights = self.weights(board)
        point = max(weights, key=weights.__getitem__)
        return Choice(point, score=self.score(board))

    def explain(self, board, limit=None, stop=None):
        return Explanation(Message("explain.random", {"count": board.ply}), weights=self.weights(board))

    def weights(self, board: Board) -> Mapping[Point, float]:
        return {point: worth(board, point, board.turn) for point in board.legal_points()}

    def score(self, board: Board) -> Score | None:
        return Score(reach(board, board.turn) - reach(board, opponent(board.turn)))


def worth(board: Board, point: Point, colour: Colour) -> int:
    seen = [
        board[other] for axis in axes(board.width, board.height)[point] for ray in axis for other in ray[:2]
    ]
    return seen.count(EMPTY) + 5 * seen.count(colour) - 5 * seen.count(opponent(colour))


def reach(board: Board, colour: Colour) -> int:
    return sum(worth(board, point, colour) for point in board.stones(colour))


class Silent(Reach):
    """Gives no score."""

    name = "silent"

    def score(self, board: Board) -> Score | None:
        return None


class Mute(Silent):
    """Gives neither score nor weights, and always wants the first legal point."""

    name = "mute"

    def choose(self, board, limit=None, stop=None):
        return Choice(board.legal_points()[0])

    def explain(self, board, limit=None, stop=None):
        return Explanation(Message("explain.random", {"count": 0}))


class Passer(Mute):
    """Would rather pass."""

    name = "passer"

    def choose(self, board, limit=None, stop=None):
        return Choice(PASS)


class Narrow(Passer):
    """Weighs a single point, and thinks little of it."""

    name = "narrow"

    def __init__(self, point: Point) -> None:
        self.point = point

    def explain(self, board, limit=None, stop=None):
        return Explanation(Message("explain.random", {"count": 1}), weights={self.point: -5.0})


class Sure(Reach):
    """Thinks that one colour is better off, whatever stands on the board; keeps what it was given."""

    name = "sure"

    def __init__(self, colour: Colour | None) -> None:
        self.colour = colour
        self.limits: list[Limit | None] = []
        self.stops: list[threading.Event | None] = []
        self.seen: list[tuple[Point, ...]] = []

    def choose(self, board, limit=None, stop=None):
        self.limits.append(limit)
        self.stops.append(stop)
        self.seen.append(board.moves)
        return super().choose(board, limit, stop)

    def score(self, board: Board) -> Score | None:
        if self.colour is None:
            return Score(0)
        return Score(300 if board.turn == self.colour else -300)


class Opinionated(Reach):
    """Has its own mind: hands every choice on, and places every stone on the last point allowed."""

    name = "opinionated"

    def decide_opening(self, opening, limit=None, stop=None):
        decision = opening.decision
        assert decision is not None
        return decision.points[-1] if decision.points else decision.options[-1]


BOARDS = (
    Rules.named("renju"),
    Rules.named("renju", 9, passing=True),
    Rules.named("standard", (11, 9)),
    Rules.named("freestyle", 6),
)
GAMES = [(name, rules) for rules in BOARDS for name in available(rules)]
WHOLE = [(name, rules) for name, rules in GAMES if rules.width == 9]


def now(opening: Opening) -> Decision:
    """The decision of an opening that is not over."""
    assert opening.decision is not None
    return opening.decision


def put(player: Player, opening: Opening) -> Point:
    """The point that the player answers with."""
    answer = decide(player, opening)
    assert isinstance(answer, int)
    return answer


def put_name(player: Player, opening: Opening) -> str:
    """The name of that point."""
    return opening.board.name(put(player, opening))


def played(first: Player, second: Player, name: str, rules: Rules) -> Iterator[tuple[Decision, Answer]]:
    """The decisions of an opening between two players, with their answers."""
    opening = Opening(name, rules)
    while (decision := opening.decision) is not None:
        before = opening.history, opening.board.moves, opening.offered
        answer = decide(first if decision.player == FIRST else second, opening)
        assert (opening.history, opening.board.moves, opening.offered) == before
        assert answer in (decision.points or decision.options)
        yield decision, answer
        opening.answer(answer)


@pytest.mark.uncovered
@given(game=st.sampled_from(GAMES), seeds=st.tuples(st.integers(0), st.integers(0)))
def test_random_players_finish_every_opening(game, seeds):
    list(played(Random(seeds[0]), Random(seeds[1]), *game))


@pytest.mark.parametrize(
    "player", [Reach(), Silent(), Mute(), Passer(), Narrow(0), Opinionated()], ids=lambda p: p.name
)
@pytest.mark.parametrize(("name", "rules"), WHOLE, ids=[name for name, _ in WHOLE])
def test_any_player_finishes_every_opening(player, name, rules):
    list(played(player, Random(1), name, rules))
    list(played(Random(1), player, name, rules))


def test_a_stone_goes_where_the_player_would_play():
    opening = Opening.replay("pro", "standard", ["h8"])
    assert decide(Reach(), opening) == Reach().choose(Board.from_moves("h8", "standard")).point


def test_where_that_is_not_allowed_it_goes_where_its_weight_is_largest():
    opening = Opening.replay("pro", "standard", ["h8", "h9"])
    allowed = now(opening).points
    weights = Reach().weights(opening.board)
    assert Reach().choose(opening.board).point not in allowed
    assert weights[put(Reach(), opening)] == max(weights[point] for point in allowed)


def test_without_weights_it_goes_near_the_centre():
    opening = Opening.replay("pro", "standard", ["h8", "h9"])
    assert put_name(Passer(), opening) in ("e8", "h5", "h11", "k8")
    opening = Opening("swap", Rules.named("freestyle", 6))
    assert put_name(Passer(), opening) in ("c3", "c4", "d3", "d4")


@pytest.mark.parametrize("player", [FIRST, SECOND])
@pytest.mark.parametrize(
    ("believed", "answer"), [(BLACK, "black"), (WHITE, "white"), (None, None)], ids=str
)
def test_the_colour_it_believes_in_is_chosen(player, believed, answer):
    three = ["h8", "i9", "j10"]
    history = three if player == SECOND else [*three, "place", "a1", "b1"]
    opening = Opening.replay("swap2", "freestyle", history)
    assert now(opening).player == player
    present = "black" if opening.colour_of(player) == BLACK else "white"
    assert decide(Sure(believed), opening) == (answer or present)


def test_without_a_score_it_stays_with_its_colour():
    history = ["h8", "black", "i9", "black", "j10", "black", "k11"]
    opening = Opening.replay("taraguchi-10", "renju", history)
    assert now(opening).options == ("black", "white", "offer")
    assert opening.colour_of(now(opening).player) == BLACK
    assert decide(Silent(), opening) == "black"
    opening = Opening.replay("swap2", "freestyle", ["h8", "i9", "j10"])
    assert decide(Silent(), opening) == "white"


@pytest.mark.parametrize(
    ("name", "history"),
    [("yamaguchi", ["h8", "i9", "j10"]), ("soosyrv-8", ["h8", "i9", "j10", "white", "a1"])],
)
def test_two_fifth_moves_are_announced(name, history):
    assert decide(Reach(), Opening.replay(name, "renju", history)) == "2"


def test_fifth_moves_are_offered_from_the_largest_weight_down():
    history = ["h8", "h9", "h10", "4", "white", "h6"]
    opening = Opening.replay("yamaguchi", "renju", history)
    weights = Reach().weights(opening.board)
    values = []
    while now(opening).kind == "offer":
        allowed = now(opening).points
        opening.answer(decide(Reach(), opening))
        values.append(weights[opening.offered[-1]])
        assert values[-1] == max(weights[point] for point in allowed)
    assert values == sorted(values, reverse=True)
    assert now(opening).kind == "select"


def test_equal_fifth_moves_are_offered_from_the_centre_outward():
    opening = Opening.replay("rif", "renju", ["h8", "h9", "h10", "white", "h6"])
    assert put_name(Mute(), opening) in ("h7", "g8", "i8")


SELECT = ("rif", "renju", ["h8", "h9", "i9", "white", "g8", "a1", "h10"])


def test_the_fifth_move_that_leaves_white_best_off_is_selected():
    opening = Opening.replay(*SELECT)
    scores = {}
    for point in now(opening).points:
        board = opening.board.copy()
        board.push(point)
        scores[point] = reach(board, WHITE) - reach(board, BLACK)
    chosen = put(Reach(), opening)
    assert len(set(scores.values())) == 2
    assert scores[chosen] == max(scores.values())
    assert opening.board.name(chosen) == "a1"


def test_without_scores_the_fifth_move_with_the_smallest_weight_for_black_is_selected():
    opening = Opening.replay(*SELECT)
    weights = Reach().weights(opening.board)
    chosen = put(Silent(), opening)
    assert weights[chosen] == min(weights[point] for point in now(opening).points)
    assert opening.board.name(chosen) == "a1"


def test_a_point_it_does_not_weigh_is_worth_less_than_any():
    opening = Opening.replay("pro", "standard", ["h8", "h9"])
    assert put_name(Narrow(opening.board.point("a15")), opening) == "a15"
    opening = Opening.replay("rif", "renju", ["h8", "h9", "i9", "white", "g8"])
    assert put_name(Narrow(opening.board.point("a15")), opening) == "a15"
    opening = Opening.replay(*SELECT)
    assert put_name(Narrow(opening.board.point("a1")), opening) == "h10"
    assert put_name(Narrow(opening.board.point("h10")), opening) == "a1"


def test_a_selection_looks_at_the_position_after_each_fifth_move():
    player, opening = Sure(BLACK), Opening.replay(*SELECT)
    decide(player, opening)
    assert player.seen == [(*opening.board.moves, point) for point in now(opening).points]


def test_without_either_the_first_is_selected():
    opening = Opening.replay(*SELECT)
    assert decide(Mute(), opening) == now(opening).points[0]


@pytest.mark.parametrize(
    ("limit", "share"),
    [
        (None, None),
        (Limit(seconds=3.0, depth=4), Limit(seconds=1.5, depth=4)),
        (Limit(nodes=101), Limit(nodes=50)),
        (Limit(nodes=1), Limit(nodes=1)),
    ],
)
def test_a_selection_shares_the_limit(limit, share):
    player, stop = Sure(BLACK), threading.Event()
    decide(player, Opening.replay(*SELECT), limit, stop)
    assert player.limits == [share, share]
    assert player.stops == [stop, stop]


def test_every_other_decision_has_the_whole_limit():
    player, stop, limit = Sure(BLACK), threading.Event(), Limit(nodes=10)
    decide(player, Opening.replay("swap2", "freestyle", []), limit, stop)
    decide(player, Opening.replay("swap2", "freestyle", ["h8", "i9", "j10"]), limit, stop)
    assert player.limits == [limit, limit]
    assert player.stops == [stop, stop]


def test_a_player_with_opinions_of_its_own_is_asked():
    opening = Opening("swap2", "freestyle")
    assert put_name(Opinionated(), opening) == "o15"
    for point in ("h8", "i9", "j10"):
        opening.answer(point)
    assert decide(Opinionated(), opening) == "place"
    answers = [answer for _, answer in played(Opinionated(), Opinionated(), "taraguchi-10", Rules())]
    assert "offer" in answers


def test_an_opening_that_is_over_asks_nobody():
    with pytest.raises(NotAllowed, match="the opening is over"):
        decide(Reach(), Opening("free", "freestyle"))
