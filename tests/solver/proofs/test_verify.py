"""What is damaged or dishonest is refused; what holds is told."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Rules
from tengen.solver.proofs.file import MAGIC, ProofError, ProofFile, ProofNode, ProofWriter, Unproven
from tengen.solver.proofs.verify import verify
from tests.solver.claims import OTHER_RULES, proven, rewritten, sealed, spoiled, with_header
from tests.solver.plain_checker import PlainChecker, TooMany
from tests.solver.threats.test_vct import COUNTER_THREE, TANGLES, THREE_THREE, tangle

WINS = [row[:3] for row in TANGLES if row[-1]]
quickly = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def proof(folder):
    """Of a win by threes with several replies that have to be answered in their own way."""
    path = folder / "win.proof"
    proven(Board.from_moves(COUNTER_THREE), path)
    return path


@pytest.fixture(scope="module")
def small(folder):
    """Of wins on small boards, under all rules."""
    paths = [folder / f"{number}.proof" for number in range(len(WINS))]
    for path, (rules, stones, attacker) in zip(paths, WINS, strict=True):
        proven(tangle(rules, stones, attacker), path)
    return paths


def refused(path: Path) -> str:
    """Why a file is refused."""
    with pytest.raises(ProofError) as told:
        verify(path)
    return str(told.value)


def by_hand(path: Path, board: Board, *nodes: ProofNode) -> Path:
    """A proof of these nodes, the last of which is the root; references are numbers of nodes."""
    with path.open("w+b") as file:
        writer = ProofWriter(file, board)
        places: list[int] = []
        for node in nodes:
            default = node.default and (places[node.default[0]], node.default[1])
            replies = {reply: (places[ref], turn) for reply, (ref, turn) in node.replies.items()}
            places.append(writer.add(ProofNode(node.point, default, replies)))
        writer.finish(places[-1])
    return path


# -- damage


@quickly
@given(st.data())
def test_any_byte_that_is_changed_is_noticed(proof, folder, data):
    whole = proof.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != whole[place]))
    path = folder / "damaged"
    path.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
    refused(path)


def test_every_byte_counts(small, folder):
    path, whole = folder / "damaged", small[0].read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        refused(path)


def test_a_part_is_no_proof(proof, folder):
    path, whole = folder / "part", proof.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        refused(path)
    path.write_bytes(whole + b"\0")
    refused(path)
    path.write_bytes(whole + whole)
    refused(path)


def test_other_files(folder):
    path = folder / "other"
    for data, why in (
        (b"", "this is not a proof file"),
        (b"(;GM[4])", "this is not a proof file"),
        (b"tengen proof 3\n{}\n", "the proof is of an unknown version"),
    ):
        path.write_bytes(data)
        assert refused(path) == why
    with pytest.raises(FileNotFoundError):
        verify(folder / "nowhere")


# -- lies, with a digest that is right


def changed(**fields):
    return lambda rules: {**rules, **fields}


@pytest.mark.parametrize(
    "header",
    [
        {"winner": "white"},
        {"moves": "f8h5g8h6f10h7g9h8"},
        {"moves": lambda moves: moves + "o15"},
        {"moves": ""},
        {"moves": "f8h5g8h6f10h7o15a1"},
        {"moves": "f8h5g8h6f10h7g9a1o14o15", "black": "n1", "turn": "white"},
        {"rules": changed(k=6)},
        {"rules": changed(width=14)},
        {"rules": changed(width=16)},
        {"rules": changed(overline="foul", double_three=True)},
        {"white": "i8j8"},
        {"turn": "white"},
    ],
    ids=" ".join,
)
def test_another_claim_is_not_proven(proof, folder, header):
    refused(with_header(proof, folder / "claim", **header))


@pytest.mark.parametrize(
    "header",
    [
        {"winner": "nobody"},
        {"winner": None},
        {"winner": []},
        {"turn": 1},
        {"moves": 5},
        {"moves": "z99"},
        {"moves": "f8f8"},
        {"moves": "h8a1i8a2j8a3k8a4l8"},
        {"black": "h8h8"},
        {"black": "--"},
        {"rules": "freestyle"},
        {"rules": {}},
        {"rules": changed(k=0)},
        {"rules": changed(width=51)},
        {"rules": changed(more=1)},
        {"rules": changed(double_three=1)},
    ],
    ids=" ".join,
)
def test_a_header_that_says_nothing(proof, folder, header):
    refused(with_header(proof, folder / "claim", **header))


@pytest.mark.parametrize(
    "header",
    [b"", b"[]", b"{}", b"{", b"\xff", b"5", b"[" * 100_000, b'"' * 9],
    ids=lambda header: repr(header[:5]),
)
def test_a_header_that_is_none(proof, folder, header):
    whole = proof.read_bytes()
    nodes = whole.index(b"\n", len(MAGIC))
    refused(sealed(folder / "header", MAGIC + header + whole[nodes:-32]))


def test_what_is_proven_more_often_than_claimed_is_proven(proof, folder):
    """Where no six in a row arises, the proof holds under standard rules, too."""
    verdict = verify(with_header(proof, folder / "claim", rules=changed(overline="no_win")))
    assert verdict.board.rules == Rules.named("standard")


def replaced(**fields: Any) -> Callable[[ProofNode], ProofNode]:
    """Changes fields of a node."""
    return lambda node: node._replace(**fields)


def test_an_answer_that_is_missing(proof, folder):
    path = folder / "missing"
    root = ProofFile(proof).node(ProofFile(proof).roots[0])
    assert len(root.replies) > 1
    for reply in root.replies:
        # Without an answer of its own the reply falls to the default, which was not good enough for it.
        kept = {other: ref for other, ref in root.replies.items() if other != reply}
        rewritten(proof, path, replaced(replies=kept))
        # A refutation of one reply may refute another as well; see the plain checker below.
        with ProofFile(path) as spoiled:
            holds = PlainChecker(spoiled, 1_000_000).holds()
        assert holds or refused(path)
    rewritten(proof, path, replaced(default=None))
    assert "this move has no answer" in refused(path)


def test_another_move(proof, folder):
    path = folder / "moved"
    board = Board.from_moves(COUNTER_THREE)
    first = ProofFile(proof).node(ProofFile(proof).roots[0]).point
    for point in range(board.rules.points):
        if point != first:
            refused(rewritten(proof, path, replaced(point=point)))


def test_an_occupied_point_and_a_pass(proof, folder):
    path = folder / "moved"
    said = refused(rewritten(proof, path, replaced(point=110)))
    assert said == "the proof fails at the last move of 'f8': it cannot be played"
    assert "cannot be played" in refused(rewritten(proof, path, replaced(point=-1)))


@pytest.mark.long
@settings(max_examples=300)
@given(st.data())
def test_what_is_accepted_holds(small, folder, data):
    """Whatever a file says under a right digest, a second checker that plays everything agrees."""
    agreed(sealed(folder / "spoiled", data.draw(spoiled(small))))


@pytest.mark.long
@settings(max_examples=50)
@given(st.data())
def test_what_is_accepted_holds_under_other_rules(small, folder, data):
    path = data.draw(st.sampled_from(small))
    side = ProofFile(path).board.width
    fields = {
        **OTHER_RULES,
        "k": st.integers(4, 6),
        "height": st.integers(side - 1, side + 1),
    }
    name = data.draw(st.sampled_from(sorted(fields)))
    agreed(with_header(path, folder / "ruled", rules=changed(**{name: data.draw(fields[name])})))


def agreed(path: Path) -> None:
    """Both checkers say the same of a file, where the plain one has an answer in time."""
    try:
        with ProofFile(path) as proof:
            holds = PlainChecker(proof, 10_000).holds()
    except ProofError:
        holds = False
    except TooMany:
        return
    if holds:
        verify(path)
    else:
        refused(path)


# -- by hand


def at(board: Board, *names: str) -> list[int]:
    return [board.point(name) for name in names]


def test_a_five(folder):
    board = Board.from_moves("h8a1i8a2j8a3k8a4")
    (l8,) = at(board, "l8")
    verdict = verify(by_hand(folder / "five", board, ProofNode(l8, None, {})))
    assert (verdict.winner, verdict.depth, verdict.positions) == (BLACK, 1, 1)


def test_the_five_of_the_loser_comes_first(folder):
    board = Board.from_moves("h8a1i8a2j8a3o1a4")
    k8, g8 = at(board, "k8", "g8")
    path = by_hand(folder / "late", board, ProofNode(g8, None, {}))
    assert refused(path) == "the proof fails after 'g8': the loser can complete a five"
    with pytest.raises(Unproven) as told:
        verify(path)
    assert pickle.loads(pickle.dumps(told.value)).line == told.value.line == "g8"
    refused(by_hand(folder / "late", board, ProofNode(k8, None, {})))


def test_a_point_that_is_five_for_a_while_only(folder):
    """Under standard rules a six is none: h8 makes one of what was to be a five."""
    board = Board.from_stones(["d8", "e8", "f8", "g8", "i8"], ["d9", "e9"], BLACK, "standard")
    h8, c8 = at(board, "h8", "c8")
    refused(by_hand(folder / "six", board, ProofNode(h8, None, {})))
    assert verify(by_hand(folder / "six", board, ProofNode(c8, None, {}))).depth == 1


def test_a_node_may_be_turned(folder):
    """One node is the open four to the left, and turned the one to the right, and the one downwards."""
    board = Board.from_stones(["g8", "i8", "h7", "h9"], ["a1", "b3", "d1", "e4"], BLACK)
    h8, e8, f8, j8, k8 = at(board, "h8", "e8", "f8", "j8", "k8")
    left, right, down = (0, 0), (0, 1), (0, 4)
    answers = {e8: right, k8: left, f8: down, j8: down}
    path = folder / "turned"
    assert verify(by_hand(path, board, ProofNode(f8, None, {}), ProofNode(h8, left, answers))).depth == 5
    for reply, wrong in ((e8, left), (f8, right), (j8, left)):
        spoiled = ProofNode(h8, left, {**answers, reply: wrong})
        assert f"h8 {board.name(reply)}" in refused(by_hand(path, board, ProofNode(f8, None, {}), spoiled))


@pytest.mark.parametrize("passing", [False, True])
def test_a_pass_is_a_reply(passing, folder):
    """Two open threes at once win if the loser passes, too, but that must not be forgotten."""
    board = Board.from_stones(
        ["g8", "i8", "h7", "h9"], ["a1", "b3", "d1", "e4"], BLACK, Rules.named("freestyle", passing=passing)
    )
    h8, f8, h6 = at(board, "h8", "f8", "h6")
    f, h = ProofNode(f8, None, {}), ProofNode(h6, None, {})
    row = at(board, "e8", "f8", "j8", "k8")
    good = by_hand(folder / "passed", board, f, h, ProofNode(h8, (0, 0), dict.fromkeys(row, (1, 0))))
    assert verify(good).depth == 5
    every = {point: (0, 0) for point in range(225) if point not in [*row, h8]}
    listed = ProofNode(h8, None, {**every, **dict.fromkeys(row, (1, 0))})
    path = by_hand(folder / "listed", board, f, h, listed)
    if passing:
        assert refused(path) == "the proof fails after 'h8 --': this move has no answer"
    else:
        assert verify(path).depth == 5


@pytest.mark.parametrize("fouls", ["forbidden", "loses", "claimed"])
def test_a_reply_that_is_a_foul(fouls, folder):
    """White has a four, and the one point that stops it is a double-four of Black's."""
    rules = Rules.named("renju", fouls=fouls)
    black = ["e8", "f8", "g8", "h5", "h6", "h7", "l12"]
    board = Board.from_stones(black, ["i9", "j10", "k11", "d8", "h4"], WHITE, rules)
    g7, h8 = at(board, "g7", "h8")
    assert board.foul(h8) is not None
    verdict = verify(by_hand(folder / "foul", board, ProofNode(g7, None, {})))
    assert (verdict.winner, verdict.depth) == (WHITE, 3)


def test_a_loser_without_a_move_has_a_draw(folder):
    """A full board is none of a win, and neither is one where only fouls are left."""
    rules = Rules.named("freestyle", 5, k=5)
    stones = [point for point in range(25) if point not in (23, 24)]
    black = [p for p in stones if (p % 5 // 2 + p // 5) % 2 == 0]
    board = Board.from_stones(black, [p for p in stones if p not in black], WHITE, rules)
    assert board.outcome() is None
    path = by_hand(folder / "full", board, ProofNode(23, None, {}), ProofNode(24, (0, 0), {}))
    assert refused(path) == "the proof fails after 'e5 d5': the game is over, or could be, without a win"


def test_the_winner_makes_no_foul(folder):
    for fouls in ("forbidden", "loses", "claimed"):
        rules = Rules.named("renju", fouls=fouls)
        board = Board.from_stones(["e8", "f8", "g8", "h5", "h6", "h7"], ["a1", "a3", "a5"], BLACK, rules)
        (h8,) = at(board, "h8")
        refused(by_hand(folder / "own", board, ProofNode(h8, None, {})))


def test_an_overline_that_stands_may_be_claimed_before_the_five(folder):
    black = ["a1", "b1", "c1", "d1", "e1", "f1", "g8", "h8", "i8", "j8"]
    for fouls, good in (("claimed", False), ("loses", True)):
        rules = Rules.named("renju", fouls=fouls)
        board = Board.from_stones(black, ["a15", "c15", "e15"], BLACK, rules)
        (k8,) = at(board, "k8")
        path = by_hand(folder / "claim", board, ProofNode(k8, None, {}))
        assert verify(path).depth == 1 if good else "claim" in refused(path)


def test_the_winner_never_passes(folder):
    """Not even where it could afford to."""
    board = Board.from_stones(
        ["g8", "h8", "i8", "j8"], ["a1", "b3", "d1"], BLACK, Rules.named("freestyle", passing=True)
    )
    refused(by_hand(folder / "idle", board, ProofNode(-1, None, {})))
    (k8,) = at(board, "k8")
    assert verify(by_hand(folder / "idle", board, ProofNode(k8, None, {}))).depth == 1


# -- the file


def test_a_node_refers_only_to_what_was_before(proof, folder):
    whole = proof.read_bytes()
    start = whole.index(b"\n", len(MAGIC)) + 1
    header = whole[:start]
    for node in (
        b"\x00\x01\x00",  # to itself
        b"\x00\x01\x01",  # into the header
        b"\x00\x01" + b"\xff" * 12,  # a number without an end
        b"\x00\x05",  # a reply that is missing
        b"\xff\x00",  # a point that there is not
        b"\x00\x07\x00\x00\x09",
    ):
        path = sealed(folder / "node", header + node + start.to_bytes(8, "big"))
        assert refused(path) == f"no node of the proof can be read at byte {start}"
    for root in (0, start - 1, start + 2, 1 << 62):
        assert refused(sealed(folder / "node", header + b"\x00\x00" + root.to_bytes(8, "big")))


def test_a_large_board_and_far_references(folder):
    """Points take two bytes where one is not enough."""
    rules = Rules.named("freestyle", 22)
    board = Board.from_stones([400, 401, 402], [0, 5, 10], BLACK, rules)
    path = by_hand(folder / "large", board, ProofNode(403, None, {}))
    assert verify(path).depth == 3
    nodes = [ProofNode(number, None, {}) for number in range(300)]
    far = ProofNode(483, (0, 0), {482: (299, 3), 481: (1, 7), -1: (2, 0)})
    by_hand(path, board, *nodes, far)
    with ProofFile(path) as proof:
        root = proof.node(proof.roots[0])
        assert root.point == 483
        assert set(root.replies) == {482, 481, -1}
        assert root.default is not None
        assert proof.node(root.default[0]) == nodes[0]
        assert [proof.node(root.replies[p][0]).point for p in (482, 481, -1)] == [299, 1, 2]
        assert [root.replies[p][1] for p in (482, 481, -1)] == [3, 7, 0]


def test_the_header_is_plain_to_read(proof):
    lines = proof.read_bytes().split(b"\n")
    assert lines[0] == b"tengen proof 1"
    header = json.loads(lines[1])
    assert header["moves"] == COUNTER_THREE
    assert (header["turn"], header["winner"]) == ("black", "black")
    assert (header["black"], header["white"]) == ("", "")
    assert Rules.from_dict(header["rules"]) == Rules.named("freestyle")


def test_every_position_is_told(proof):
    heard: list[int] = []
    verdict = verify(proof, heard.append)
    assert heard == list(range(1, verdict.positions + 1))
    assert verdict.positions > 1000
    assert THREE_THREE not in str(verdict)
