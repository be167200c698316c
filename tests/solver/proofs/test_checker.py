"""What is accepted of a side that is only to hold, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tengen import BLACK, PASS, WHITE, Board, Rules
from tengen.game.points import Colour, Point
from tengen.solver.proofs.file import (
    HOLDS,
    MAGIC,
    WINS,
    Claim,
    ProofError,
    ProofFile,
    ProofNode,
    ProofWriter,
    Ref,
)
from tengen.solver.proofs.pairings import pairing, straights
from tengen.solver.proofs.verify import claimable, verify
from tests.solver.claims import DRAW, OTHER_RULES, claimed, rewritten, sealed, spoiled, with_header
from tests.solver.exact_oracle import ExactOracle
from tests.solver.plain_checker import PlainChecker, TooMany

pytestmark = pytest.mark.usefixtures("compiled")

BLACK_HOLDS, WHITE_HOLDS = DRAW
NAMES = {BLACK: "black", WHITE: "white"}
quickly = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def small(folder):
    """Of draws, of sides that hold, and of wins with the other side to move."""
    asked = [
        ("tictactoe", "", DRAW),
        ("tictactoe", "a1", [WHITE_HOLDS]),
        ("tictactoe", "a1b2c3", [WHITE_HOLDS]),
        ("mnk:4,3,4", "", DRAW),
        ("mnk:3,4,3", "", [BLACK_HOLDS]),
        ("mnk:4,4,3", "b2", [Claim(BLACK, WINS)]),
        ("mnk:4,3,3", "a1", [Claim(BLACK, WINS)]),
    ]
    paths = []
    for number, (rules, moves, claims) in enumerate(asked):
        paths.append(folder / f"{number}.proof")
        claimed(Board.from_moves(moves, rules), paths[-1], *claims)
    return paths


def refused(path: Path) -> str:
    """Why a file is refused."""
    with pytest.raises(ProofError) as told:
        verify(path)
    return str(told.value)


def by_hand(path: Path, board: Board, claim: Claim, *nodes: ProofNode) -> Path:
    """A proof of these nodes, the last of which is the root; references are numbers of nodes."""
    with path.open("w+b") as file:
        writer = ProofWriter(file, board, [claim])
        places: list[int] = []
        for node in nodes:
            default = node.default and (places[node.default[0]], node.default[1])
            replies = {reply: (places[ref], turn) for reply, (ref, turn) in node.replies.items()}
            places.append(writer.add(ProofNode(node.point, default, replies, node.pairs)))
        writer.finish(places[-1])
    return path


def waiting(pairs: tuple[tuple[Point, Point], ...] = (), default: Ref | None = None) -> ProofNode:
    """A root where the other side is to move."""
    return ProofNode(PASS, default, {}, pairs)


def pairs_of(board: Board, side: Colour) -> tuple[tuple[Point, Point], ...]:
    """Pairs by which a side holds, the other to move."""
    lines = straights(board.width, board.height, board.rules.k)
    found = pairing(lines, set(board.stones(side)), set(board.stones(0)))
    assert found is not None
    return found


# -- damage


@quickly
@given(st.data())
def test_any_byte_that_is_changed_is_noticed(small, folder, data):
    whole = data.draw(st.sampled_from(small)).read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != whole[place]))
    path = folder / "damaged"
    path.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
    refused(path)


@pytest.mark.long
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_what_is_accepted_holds(small, folder, data):
    """Whatever a file says under a right digest, a second checker that plays everything agrees."""
    sound(sealed(folder / "spoiled", data.draw(spoiled(small))))


@pytest.mark.long
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_what_is_accepted_holds_under_other_rules(small, folder, data):
    fields = {
        **OTHER_RULES,
        "k": st.integers(2, 4),
        "height": st.integers(2, 4),
    }
    names = data.draw(st.sets(st.sampled_from(sorted(fields)), min_size=1))
    changes = {name: data.draw(fields[name]) for name in sorted(names)}
    path = data.draw(st.sampled_from(small))
    sound(with_header(path, folder / "ruled", rules=lambda rules: {**rules, **changes}))


def sound(path: Path) -> None:
    """What is accepted is so, by the second checker too, where that has an answer in time."""
    try:
        verify(path)
    except ProofError:
        return
    with ProofFile(path) as proof:
        try:
            assert PlainChecker(proof, 20_000).holds()
        except TooMany:
            return


@pytest.mark.long
@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("goal", [WINS, HOLDS])
def test_only_what_is_so_is_accepted(small, folder, number, goal):
    """The same nodes for another claim, and in other positions."""
    with ProofFile(small[number]) as proof:
        many, rules, oracle = len(proof.roots), proof.board.rules, ExactOracle()
    for moves in ("", "a1", "a1b2", "a1b2c3", "b2", "b2a1c3"):
        board = Board.from_moves(moves, rules)
        value, _ = oracle.value(board)
        for side, other in (("black", "white"), ("white", "black")):
            own = value if NAMES[board.turn] == side else -value
            claims = [{"side": side, "goal": goal}, {"side": other, "goal": HOLDS}][:many]
            path = with_header(small[number], folder / "claim", moves=moves, claims=claims)
            try:
                verify(path)
            except ProofError:
                continue
            assert own > 0 if goal == WINS else own >= 0


@pytest.mark.parametrize(
    "claims",
    [
        [],
        None,
        "draw",
        [{}],
        [{"side": "black"}],
        [{"side": "nobody", "goal": "holds"}],
        [{"side": "black", "goal": "draws"}],
        [{"side": "black", "goal": None}],
        [{"side": "black", "goal": "holds"}] * 2,
        {"black": "holds"},
        [["black", "holds"]],
    ],
    ids=json.dumps,
)
def test_claims_that_are_none(small, folder, claims):
    assert "header" in refused(with_header(small[0], folder / "claims", claims=claims))


def test_each_claim_has_a_root(small, folder):
    """Where a claim is left out, or added, the last bytes are read as something else."""
    names = ["black"], ["white"], ["black", "white"]
    one, other, two = ([{"side": side, "goal": HOLDS} for side in sides] for sides in names)
    for path, wrong in ((small[0], one), (small[0], other), (small[1], two)):
        data = path.read_bytes()
        end = data.index(b"\n", len(MAGIC))
        header = {**json.loads(data[len(MAGIC) : end]), "claims": wrong}
        start = data[: len(MAGIC)] + json.dumps(header).encode()
        roots = data[-48:-32] if path == small[0] else data[-40:-32]
        moved = int.from_bytes(roots[:8], "big") + len(start) - end
        spoiled = data[end : -32 - len(roots)] + moved.to_bytes(8, "big") + roots[8:]
        refused(sealed(folder / "roots", start + spoiled))
    whole = small[0].read_bytes()[:-32]
    refused(sealed(folder / "roots", whole[:-8] + (1 << 40).to_bytes(8, "big")))


def test_an_answer_that_is_missing(small, folder):
    with ProofFile(small[1]) as proof:
        root = proof.node(proof.roots[0])
    assert root.replies or root.default
    path = rewritten(small[1], folder / "missing", lambda node: node._replace(default=None, replies={}))
    assert "this move has no answer" in refused(path)


# -- pairs


def test_pairs_are_believed_only_where_they_are_some(folder):
    """White holds (5,5,5) by twelve pairs, one for each line; each of them is needed."""
    board = Board("mnk:5,5,5")
    pairs = pairs_of(board, WHITE)
    assert len(pairs) == 12
    path = folder / "pairs"
    verdict = verify(by_hand(path, board, WHITE_HOLDS, waiting(pairs)))
    assert (verdict.holds, verdict.positions, verdict.depth) == ((WHITE,), 0, 0)
    middle = 12
    for number, (first, second) in enumerate(pairs):
        rest = pairs[:number] + pairs[number + 1 :]
        for wrong in ((), ((first, first),), ((first, PASS),), ((PASS, PASS),)):
            refused(by_hand(path, board, WHITE_HOLDS, waiting((*rest, *wrong))))
        # A point in two pairs answers only one of them.
        refused(by_hand(path, board, WHITE_HOLDS, waiting((*pairs, (second, middle)))))
    # Nobody wins by pairs.
    refused(by_hand(path, board, Claim(WHITE, WINS), waiting(pairs)))


def test_a_pair_has_two_free_points(folder):
    board = Board.from_stones(["a1"], [], BLACK, "mnk:5,5,5")
    pairs = pairs_of(Board("mnk:5,5,5"), WHITE)
    assert any(0 in pair for pair in pairs)
    refused(by_hand(folder / "pairs", board, WHITE_HOLDS, waiting(pairs)))


@pytest.mark.parametrize("fouls", ["forbidden", "loses", "claimed"])
def test_who_may_have_to_make_a_foul_does_not_hold_by_pairs(fouls, folder):
    for name, good in (("renju", False), ("freestyle", True)):
        rules = Rules.named(name, 5, fouls=fouls)
        board = Board.from_stones([], [], WHITE, rules)
        pairs = pairs_of(board, BLACK)
        path = by_hand(folder / "fouls", board, BLACK_HOLDS, waiting(pairs))
        assert verify(path).holds == (BLACK,) if good else "this move has no answer" in refused(path)
        board = Board.from_stones([], [], BLACK, rules)
        assert verify(by_hand(folder / "fouls", board, WHITE_HOLDS, waiting(pairs))).holds == (WHITE,)


def test_where_no_line_is_left_nothing_is_needed(folder):
    """k is more than the board has room for."""
    board = Board("mnk:3,3,4")
    assert verify(by_hand(folder / "shut", board, WHITE_HOLDS, waiting())).positions == 0
    assert verify(by_hand(folder / "shut", board, BLACK_HOLDS, ProofNode(4, None, {}))).positions == 1


def test_a_line_that_is_completed_next_is_not_held(folder):
    board = Board.from_moves("a1b2b1", "tictactoe")
    a2, c1 = board.point("a2"), board.point("c1")
    said = refused(by_hand(folder / "late", board, WHITE_HOLDS, ProofNode(a2, None, {})))
    assert said == "the proof fails after 'a2': the other side can complete a row that wins"
    pairs = pairs_of(Board.from_moves("a1b2b1c1", "tictactoe"), WHITE)
    path = by_hand(folder / "late", board, WHITE_HOLDS, ProofNode(c1, None, {}, pairs))
    assert verify(path).holds == (WHITE,)


# -- passes, fouls, claims


def test_two_passes_are_a_draw(folder):
    """Who passes after a pass has a draw; otherwise the replies have to be answered."""
    rules = Rules.named("freestyle", 5, passing=True)
    passed, other = Board.from_moves("c3c2d3d2--", rules), Board.from_moves("c3c2d3", rules)
    path = folder / "pass"
    assert verify(by_hand(path, passed, WHITE_HOLDS, ProofNode(PASS, None, {}))).holds == (WHITE,)
    assert "this move has no answer" in refused(
        by_hand(path, other, WHITE_HOLDS, ProofNode(PASS, None, {}))
    )
    refused(by_hand(path, passed, Claim(WHITE, WINS), ProofNode(PASS, None, {})))


def test_a_position_after_a_pass_is_another(folder):
    """A node that passes is a draw after a pass only, though the stones are the same."""
    rules = Rules.named("freestyle", 5, passing=True)
    board = Board.from_stones(["a1", "b1"], ["a5", "b5"], BLACK, rules)
    path = by_hand(folder / "pass", board, WHITE_HOLDS, ProofNode(PASS, None, {}), waiting(default=(0, 0)))
    assert "this move has no answer" in refused(path)


def test_a_foul_that_may_be_claimed_is_not_held(folder):
    rules = Rules.named("renju", fouls="claimed")
    six = ["a1", "b1", "c1", "d1", "e1", "f1"]
    board = Board.from_stones(six, ["a15", "c15", "e15"], BLACK, rules)
    assert not claimable(board, BLACK_HOLDS)
    assert "claim" in refused(by_hand(folder / "claim", board, BLACK_HOLDS, ProofNode(112, None, {})))
    board = Board.from_stones(six, ["a15", "c15", "e15"], WHITE, rules)
    assert "claim" in refused(by_hand(folder / "claim", board, BLACK_HOLDS, waiting()))
    # For White it is as good as won.
    assert claimable(board, WHITE_HOLDS)


@pytest.mark.parametrize("fouls", ["loses", "claimed"])
def test_the_last_move_of_a_drawn_game_may_be_a_foul(fouls, folder):
    """Black fills the board with a row of four, an overline here, and White wins by that or claims it."""
    rules = Rules.from_dict({**Rules.mnk(4, 1, 3).to_dict(), "overline": "foul", "fouls": fouls})
    board = Board.from_stones(["a1", "b1", "d1"], [], BLACK, rules)
    path = by_hand(folder / "full", board, BLACK_HOLDS, ProofNode(2, None, {}))
    assert refused(path) == "the proof fails after 'c1': the game is lost, or could be"
    assert verify(by_hand(folder / "full", board, WHITE_HOLDS, waiting())).holds == (WHITE,)


# -- whole strategies, by whatever rules


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_strategy_that_plays_everything_out_is_accepted(folder, data):
    """One is written where there is one, by trying all moves; both checkers accept it."""
    k = data.draw(st.sampled_from((3, 4)))
    width, height, stones = (4, 3, 8) if k == 3 else (5, 4, 15)
    rules = Rules(
        width=width,
        height=height,
        k=k,
        overline=data.draw(st.sampled_from(("wins", "no_win", "foul"))),
        double_three=k > 3 and data.draw(st.booleans()),
        double_four=k > 3 and data.draw(st.booleans()),
        blocked_five=data.draw(st.sampled_from(("wins", "no_win"))),
        passing=data.draw(st.booleans()),
        fouls=data.draw(st.sampled_from(("forbidden", "loses", "claimed"))),
    )
    points = data.draw(st.permutations(range(width * height)))
    black, white = points[: stones // 2], points[stones // 2 : stones]
    turn = data.draw(st.sampled_from((BLACK, WHITE)))
    board = Board.from_stones(black, white, turn, rules)
    claim = Claim(data.draw(st.sampled_from((BLACK, WHITE))), data.draw(st.sampled_from((WINS, HOLDS))))
    assume(claimable(board, claim))
    path = folder / "strategy"
    with path.open("w+b") as file:
        writer = ProofWriter(file, board, [claim])
        found = Strategy(board, claim, writer).root()
        # Whoever says that it is so without saying why is refused.
        bare = waiting() if board.turn != claim.side else ProofNode(points[stones], None, {})
        writer.finish(writer.add(bare) if found is None else found)
    if found is None:
        refused(path)
        return
    verdict = verify(path)
    assert verdict.claims == 1
    with ProofFile(path) as proof:
        assert PlainChecker(proof, 1_000_000).holds()


class Strategy:
    """What keeps a claim, found by trying everything, and written out without pairs or defaults."""

    def __init__(self, board: Board, claim: Claim, writer: ProofWriter) -> None:
        self._board, self._side, self._writer = board.copy(), claim.side, writer
        self._enough = (claim.side, None) if claim.goal == HOLDS else (claim.side,)

    def root(self) -> int | None:
        """Where the root begins; None where the claim cannot be kept."""
        if self._board.turn == self._side:
            return self._move()
        answers = self._answers()
        return None if answers is None else self._writer.add(ProofNode(PASS, None, answers))

    def _move(self) -> int | None:
        for point in self._moves():
            if point == PASS and None not in self._enough:
                continue
            self._board.push(point)
            outcome = self._board.outcome()
            answers: dict[Point, Ref] | None = {}
            if self._side == BLACK and self._board.claimable():
                answers = None
            elif outcome is None:
                answers = self._answers()
            elif outcome.winner not in self._enough:
                answers = None
            self._board.pop()
            if answers is not None:
                return self._writer.add(ProofNode(point, None, answers))
        return None

    def _answers(self) -> dict[Point, Ref] | None:
        answers: dict[Point, Ref] = {}
        for reply in self._moves():
            self._board.push(reply)
            outcome, good = self._board.outcome(), True
            if not (self._side == WHITE and self._board.claimable()):
                if outcome is not None:
                    good = outcome.winner in self._enough
                else:
                    place = self._move()
                    good = place is not None
                    if place is not None:
                        answers[reply] = place, 0
            self._board.pop()
            if not good:
                return None
        return answers

    def _moves(self) -> list[Point]:
        return [*self._board.legal_points(), *([PASS] if self._board.is_legal(PASS) else [])]
