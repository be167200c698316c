from __future__ import annotations

import copy
import math
import pickle
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tengen
from tengen.game.board import Board
from tengen.game.clock import TimeControl
from tengen.game.errors import GameOver, IllegalMove, NotAllowed, NotationError, Occupied, TengenError
from tengen.game.player import Score
from tengen.game.points import PASS, WHITE
from tengen.game.record import Mark, Node, Record, check_record
from tengen.game.rules import Rules
from tests.game.scripts import DOUBLE_THREE, RANDOM, TICTACTOE, Watch, play, table
from tests.strategies import boards

LARGE = 20_000
"""Nodes: far more than Python can go down by recursion."""


def names(record: Record, nodes: list[Node]) -> str:
    return " ".join("root" if n.point is None else record.setup.name(n.point) for n in nodes)


def branching() -> Record:
    """h8 i9 g7 with the variations i8 and g9 f8."""
    record = Record()
    second = record.add("h8i9")
    record.add("g7", second)
    record.add("h8i8")
    record.add("g9f8", second)
    return record


@st.composite
def trees(draw: st.DrawFn) -> Record:
    """Trees of any shape, whose moves need not be legal."""
    record = Record("tictactoe", headers=draw(st.dictionaries(st.text(max_size=3), st.text(max_size=3))))
    nodes = [record.root]
    for parent, point in draw(st.lists(st.tuples(st.integers(0, 50), st.integers(PASS, 8)), max_size=30)):
        nodes.append(nodes[parent % len(nodes)].add(point))
        nodes[-1].comment = draw(st.sampled_from(("", "", "good")))
    return record


def copied(record: Record) -> Record:
    other = Record(record.rules, record.setup, record.headers)
    twins = {record.root: other.root}
    for node in record.nodes():
        if node.parent is not None and node.point is not None:
            twins[node] = twins[node.parent].add(node.point)
            twins[node].comment = node.comment
    return other


# The tree


def test_a_record_begins_with_nothing_but_its_root():
    record = Record("renju", headers={"black": "Nakamura"})
    assert record.rules == Rules.named("renju")
    assert record.headers == {"black": "Nakamura"}
    assert (record.main_line(), list(record.nodes())) == ([], [record.root])
    assert record.board() == record.setup == Board("renju")
    root = record.root
    assert (root.point, root.parent, root.comment, root.marks, root.score, root.seconds) == (
        None,
        None,
        "",
        (),
        None,
        None,
    )


def test_moves_are_added_as_text_names_or_points():
    record = Record()
    assert record.add("h8i9") is record.add(["h8", 128]) is record.main_line()[-1]
    assert names(record, record.main_line()) == "h8 i9"
    assert record.add("") is record.root


def test_a_line_shares_what_is_already_there():
    record = branching()
    assert names(record, list(record.nodes())) == "root h8 i9 g7 g9 f8 i8"
    assert names(record, record.main_line()) == "h8 i9 g7"
    first = record.root.child(112)
    assert first is not None
    assert names(record, first.children) == "i9 i8"
    assert first.child(0) is None
    assert all(child.parent is first for child in first.children)


def test_a_node_knows_its_way_from_the_root():
    record = branching()
    last = record.add("h8i9g9f8")
    assert [record.setup.name(point) for point in last.path()] == ["h8", "i9", "g9", "f8"]
    assert record.root.path() == []


def test_the_board_at_a_node_and_after_the_main_line():
    record = branching()
    assert record.board() == Board.from_moves("h8i9g7")
    assert record.board(record.root.children[0].children[1]) == Board.from_moves("h8i8")
    assert record.board(record.root) == Board()


@pytest.mark.parametrize(
    ("moves", "error"),
    [
        ("g7h8", Occupied),
        ("g7??", NotationError),
        (["g7", 500], IllegalMove),
        ("g7--", IllegalMove),
        (["g7", "x"], NotationError),
    ],
)
def test_a_line_that_cannot_be_played_adds_nothing(moves, error):
    record, before = branching(), branching()
    with pytest.raises(error):
        record.add(moves, record.root.children[0])
    assert record == before


def test_no_move_follows_the_end_of_the_game():
    record = Record("tictactoe")
    last = record.add("b2a1b1a2b3")
    with pytest.raises(GameOver):
        record.add("c3", last)


def test_a_node_is_removed_with_all_that_follows():
    record = branching()
    second = record.root.children[0].children[0]
    record.remove(second)
    assert names(record, list(record.nodes())) == "root h8 i8"
    assert second.parent is None
    with pytest.raises(NotAllowed, match="the start of a record cannot be removed"):
        record.remove(record.root)


def test_a_variation_is_promoted_to_the_main_line():
    record = branching()
    record.promote(record.add("h8i9g9f8"))
    assert names(record, record.main_line()) == "h8 i9 g9 f8"
    record.promote(record.add("h8i8"))
    assert names(record, record.main_line()) == "h8 i8"
    assert names(record, list(record.nodes())) == "root h8 i8 i9 g9 f8 g7"
    record.promote(record.root)
    assert names(record, record.main_line()) == "h8 i8"


def test_nodes_do_not_judge_their_moves_but_the_board_does():
    record = Record()
    twice = record.root.add(112).add(112)
    assert twice.path() == [112, 112]
    with pytest.raises(Occupied, match="h8"):
        record.board(twice)
    with pytest.raises(Occupied):
        record.board()


def test_passes_are_moves():
    record = Record(Rules.named("tictactoe", passing=True))
    record.add("a1b1c1--a2")
    assert [node.point for node in record.main_line()] == [0, 1, 2, PASS, 3]
    assert record.board().ply == 5


def test_a_node_holds_comments_marks_times_and_scores():
    record, other = branching(), branching()
    node, twin = (each.main_line()[-1] for each in (record, other))
    for name, value in {
        "comment": "attacks from both sides",
        "marks": (Mark(112, "triangle"), Mark(98, "label", "A")),
        "seconds": 12.5,
        "score": Score(150),
    }.items():
        setattr(node, name, value)
        assert record != other
        setattr(twin, name, value)
        assert record == other


# Set-up positions and boards


def test_a_record_may_begin_from_a_set_up_position():
    setup = Board.from_stones(["a1", "a2"], ["b1"], WHITE, TICTACTOE)
    record = Record(setup=setup)
    setup.push("c3")
    assert record.rules == TICTACTOE
    assert record.add("b2") is record.main_line()[0]
    record.setup.push("a3")
    assert record.board() == Board.from_stones(["a1", "a2"], ["b1", "b2"], rules=TICTACTOE)
    assert Record.from_board(record.board()) == record


def test_a_set_up_position_has_no_moves():
    with pytest.raises(NotAllowed, match="a set-up position has no moves yet"):
        Record(setup=Board.from_moves("h8"))


@given(boards())
def test_the_record_of_a_board_leads_to_it(board):
    record = Record.from_board(board, {"event": "test"})
    assert [node.point for node in record.main_line()] == list(board.moves)
    assert record.board() == board
    assert record.headers == {"event": "test"}
    assert record == Record.from_board(board, {"event": "test"})
    assert record != Record.from_board(board)


# What holds for every tree


@pytest.mark.parametrize("copies", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copy_is_equal_and_independent(copies):
    record = branching()
    node = record.main_line()[1]
    node.comment, node.seconds, node.score = "so far", 1.5, Score(3)
    node.marks = (Mark(0, "label", "A"),)
    other = copies(record)
    assert other == record
    assert all(child.parent is parent for parent in other.nodes() for child in parent.children)
    other.add("a1")
    assert other != record


@given(trees())
def test_trees_of_any_shape_are_copied(record):
    assert copy.deepcopy(record) == record


@pytest.mark.parametrize("copies", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_very_deep_tree_is_copied(copies):
    record = chain(LARGE)
    assert copies(record) == record


@pytest.mark.uncovered
@given(trees(), trees())
def test_records_are_equal_where_their_trees_are(one, other):
    assert one == copied(one)
    assert (one == other) == (other == one)
    shape = [(node.content(), node.path()) for node in one.nodes()]
    same = shape == [(node.content(), node.path()) for node in other.nodes()]
    assert (one == other) == (same and one.headers == other.headers)


@given(trees(), st.integers(0, 99))
def test_every_change_makes_another_record(record, number):
    before = copied(record)
    nodes = list(record.nodes())
    node = nodes[number % len(nodes)]
    node.add(99)
    assert record != before
    record.remove(node.children[-1])
    assert record == before
    node.seconds = 1.0
    assert record != before


@given(trees(), st.integers(0, 99))
def test_promoting_keeps_every_line(record, number):
    paths = sorted(node.path() for node in record.nodes())
    nodes = list(record.nodes())
    node = nodes[number % len(nodes)]
    record.promote(node)
    assert sorted(node.path() for node in record.nodes()) == paths
    line = [record.root, *record.main_line()]
    assert node in line
    assert line[-1].children == []


def test_records_under_other_rules_or_from_other_stones_differ():
    assert Record("renju") != Record("freestyle")
    assert Record("renju") == Record(Rules.named("renju"))
    assert Record(setup=Board.from_stones(["h8"])) != Record()
    assert Record() != "record"
    with pytest.raises(TypeError):
        hash(Record())


def test_a_record_shows_its_main_line():
    assert repr(branching()) == "<Record freestyle 15x15 'h8i9g7'>"
    assert repr(Record("tictactoe")) == "<Record tictactoe 3x3 ''>"


# As deep and as large as memory allows


def chain(length: int) -> Record:
    record = Record()
    node = record.root
    for number in range(length):
        node = node.add(number % 225)
    return record


@pytest.mark.uncovered
def test_a_very_deep_tree():
    record, other = chain(LARGE), chain(LARGE)
    line = record.main_line()
    assert len(line) == LARGE
    assert sum(1 for _ in record.nodes()) == LARGE + 1
    assert len(line[-1].path()) == LARGE
    assert record == other
    other.main_line()[-1].comment = "the end"
    assert record != other
    assert len(repr(record)) > LARGE
    record.promote(line[-1])
    with pytest.raises(IllegalMove):
        record.board()
    record.remove(line[LARGE // 2])
    assert len(record.main_line()) == LARGE // 2


@pytest.mark.uncovered
def test_a_very_wide_tree():
    record, other = Record(), Record()
    for each in (record, other):
        each.root.children = [Node(number, each.root) for number in range(LARGE)]
    assert sum(1 for _ in record.nodes()) == LARGE + 1
    assert record == other
    last = record.root.children[-1]
    record.promote(last)
    assert record.root.children[0] is last
    assert record != other
    record.remove(last)
    other.remove(other.root.children[-1])
    assert record == other


@pytest.mark.uncovered
def test_a_very_large_tree_of_any_shape():
    draw = random.Random(5)
    record = Record()
    nodes = [record.root]
    while len(nodes) < LARGE:
        parent = nodes[-1] if draw.random() < 0.9 else draw.choice(nodes)
        nodes.append(parent.add(len(nodes)))
    assert sum(1 for _ in record.nodes()) == LARGE
    assert record == copied(record)


# The record of a session


def seconds_and_scores(record: Record) -> list[tuple[Any, Any]]:
    return [(node.seconds, node.score) for node in record.main_line()]


def test_a_session_gives_its_moves_with_times_and_scores():
    watch = Watch()
    session = table(TICTACTOE, RANDOM, now=watch, clock=TimeControl(60))
    watch.wait(2)
    session.play("b2", score=Score(30))
    watch.wait(3.5)
    session.play("a1")
    record = session.record({"event": "friendly", "white": "Li"})
    assert record.headers == {"event": "friendly", "white": "Li", "black": "random,seed=1"}
    assert names(record, record.main_line()) == "b2 a1"
    assert seconds_and_scores(record) == [(2, Score(30)), (3.5, None)]
    assert record.board() == session.board


def test_a_session_that_is_over_gives_its_result():
    session = play(table(TICTACTOE), "b2 a1 b1 a2 b3")
    assert session.record().headers == {
        "black": "human",
        "white": "human",
        "result": "black",
        "reason": "five",
    }
    session = table()
    session.resign()
    assert session.record().headers["result"] == "white"
    session = table()
    session.offer_draw()
    session.answer(accept=True)
    headers = session.record({"result": "unfinished"}).headers
    assert (headers["result"], headers["reason"]) == ("unfinished", "agreed"), "the caller's word stands"


def test_a_session_from_a_position_gives_that_too():
    start = Board.from_stones(["a1"], ["b1"], WHITE, TICTACTOE)
    start.push("c1")
    record = play(table(start=start), "b2").record()
    assert record.setup == Board.from_stones(["a1"], ["b1"], WHITE, TICTACTOE)
    assert names(record, record.main_line()) == "c1 b2"
    assert seconds_and_scores(record) == [(None, None), (0, None)]


def test_choices_and_offers_belong_to_the_move_they_lead_to():
    watch = Watch()
    session = table("renju", RANDOM, opening="rif", now=watch)
    for move in ("h8", "h9", "h10"):
        watch.wait(1)
        session.play(move)
    watch.wait(10)
    session.choose("black")
    watch.wait(2)
    session.play("a1")
    for move in ("j7", "k6"):
        watch.wait(4)
        session.play(move, score=Score(5))
    watch.wait(8)
    session.play("k6", score=Score(-5))
    watch.wait(1)
    session.play("o15")
    record = session.record()
    assert names(record, record.main_line()) == "h8 h9 h10 a1 k6 o15"
    assert seconds_and_scores(record) == [
        (1, None),
        (1, None),
        (1, None),
        (12, None),
        (16, Score(-5)),
        (1, None),
    ]
    assert record.headers == {"black": "human", "white": "random,seed=1"}, "the colours of the end"


def test_a_claim_and_passes_in_a_record():
    session = play(table(Rules.named("renju", fouls="claimed")), DOUBLE_THREE)
    session.claim()
    record = session.record()
    assert record.headers["reason"] == "foul"
    assert len(record.main_line()) == 9
    session = play(table(Rules.named("tictactoe", passing=True)), "a1 b1 c1 -- --")
    record = session.record()
    assert names(record, record.main_line()) == "a1 b1 c1 -- --"
    assert (record.headers["result"], record.headers["reason"]) == ("draw", "passes")


# -- walking the tree


@given(boards(), st.integers(0, 5))
def test_a_walk_gives_the_board_at_every_node(board, back):
    record = Record.from_board(board)
    line = record.main_line()
    if len(line) > back:
        other = record.board(line[-1 - back].parent)
        if points := [point for point in other.legal_points() if point != line[-1 - back].point]:
            record.add([points[0]], line[-1 - back].parent)
    walked = list(record.walk())
    assert [node for node, _ in walked] == list(record.nodes())
    assert all(at == record.board(node) for node, at in walked)
    assert [node for node, _ in record.walk(variations=False)] == [record.root, *line]


def test_the_boards_of_a_walk_are_independent():
    walked = list(branching().walk())
    walked[1][1].push("a1")
    assert [board.ply for _, board in walked] == [0, 2, 2, 3, 3, 4, 2]
    assert [node.ply for node, _ in walked] == [0, 1, 2, 3, 3, 4, 2]


def test_a_walk_names_the_move_that_cannot_be_played():
    record = Record("tictactoe")
    record.root.add(4).add(4)
    walk = record.walk()
    assert next(walk)[1] == Board("tictactoe")
    assert next(walk)[1].ply == 1
    with pytest.raises(Occupied, match="b2 is occupied"):
        next(walk)


WRONG: dict[str, tuple[Any, ...]] = {
    "comment": (5, None, b"x"),
    "marks": (
        *(5, "x", None, (5,), {"h8": "A"}),
        (Mark("h8", "triangle"),),  # type: ignore[arg-type]
        (Mark(112, "star"),),  # type: ignore[arg-type]
        (Mark(112, []),),  # type: ignore[arg-type]
        (Mark(112, "label", 5),),  # type: ignore[arg-type]
    ),
    "score": (5, 0.5, "x"),
    "seconds": ("x", True, math.nan, math.inf, 1j),
    "point": ("h8", None, 1.5),
    "children": (5, None, "x", [5]),
}


@pytest.mark.parametrize(("name", "value"), [(name, each) for name in WRONG for each in WRONG[name]])
def test_what_is_set_wrongly_is_one_clear_error_when_it_is_written(name, value):
    record = Record()
    last = record.add("h8i9")
    check_record(record)
    setattr(last, name, value)
    for write in (check_record, tengen.to_text, lambda record: tengen.to_text(record, "json")):
        with pytest.raises(TengenError) as refused:
            write(record)
        assert "expected" in str(refused.value)


@pytest.mark.parametrize("headers", [5, {"event": 5}, {5: "x"}])
def test_headers_that_are_set_wrongly(headers):
    record = Record()
    record.headers = headers
    with pytest.raises(TengenError, match="headers"):
        tengen.to_text(record)


def test_a_tree_that_begins_with_no_node():
    record = Record()
    record.root = 5  # type: ignore[assignment]
    with pytest.raises(TengenError):
        tengen.to_text(record)
