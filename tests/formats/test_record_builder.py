"""Putting a record together."""

from __future__ import annotations

import pytest
from hypothesis import given

from tengen import BLACK, PASS, WHITE, IllegalMove, Occupied, OffBoard, Rules
from tengen.formats.common import FormatError
from tengen.formats.record_builder import RecordBuilder, under
from tests.formats import strategies

FOUL = "h8a1i8a3j7a5j6a7j8"
"""Black's last move makes two threes."""


def points(text):
    from tengen.game.notation import parse_moves

    return parse_moves(text, 15, 15)


def built(rules, text):
    builder = RecordBuilder(Rules.named(rules))
    for point in points(text):
        builder.play(point)
    return builder


@given(strategies.records())
def test_a_record_played_again(record):
    """Under its own rules a game of legal moves stays what it is."""
    assert under(record, record.rules) == record


def test_branches():
    builder = built("freestyle", "h8i9")
    builder.back_to(1)
    builder.play(points("g7")[0])
    builder.back_to(0)
    assert builder.play(points("h8")[0]) is builder.root.children[0]
    assert builder.moves == 3
    assert [len(node.children) for node in builder.record().nodes()] == [1, 2, 0, 0]


def test_the_same_colour_twice():
    builder = RecordBuilder(Rules())
    builder.play(0, BLACK)
    builder.play(1, BLACK)
    record = builder.record()
    assert [node.point for node in record.main_line()] == [0, PASS, 1]
    assert record.rules == Rules(passing=True)


def test_the_first_move_says_who_begins():
    builder = RecordBuilder(Rules())
    builder.play(0, WHITE)
    assert builder.mover == WHITE
    assert builder.record().setup.turn == WHITE


def test_a_setup_says_who_begins():
    builder = RecordBuilder(Rules())
    builder.set_up({0: BLACK, 1: BLACK, 2: WHITE})
    assert builder.play(3).point == 3
    assert builder.record().setup.turn == WHITE


def test_points_that_cannot_be_played():
    builder = built("freestyle", "h8")
    for point, error in ((112, Occupied), (225, OffBoard), (-2, OffBoard)):
        with pytest.raises(error):
            builder.play(point)
    assert builder.ply == builder.moves == 1


def test_too_many_moves():
    builder = RecordBuilder(Rules(), most=2)
    builder.play(0)
    builder.play(1)
    builder.back_to(1)
    builder.play(1)
    with pytest.raises(FormatError):
        builder.play(2)


@pytest.mark.parametrize(
    ("rules", "more", "fouls"),
    [("renju", "", "loses"), ("renju", "a9", "claimed"), ("freestyle", "a9", "forbidden")],
)
def test_fouls(rules, more, fouls):
    record = built(rules, FOUL + more).record()
    assert record.rules == Rules.named(rules, fouls=fouls)
    assert len(record.board().moves) == len(points(FOUL + more))


def test_rules_with_fouls_that_may_be_played_stay():
    builder = RecordBuilder(Rules.named("renju", fouls="loses"))
    for point in points(FOUL):
        builder.play(point)
    assert builder.record().rules.fouls == "loses"


def test_under_other_rules():
    record = built("freestyle", FOUL).record({"black": "a"})
    other = under(record, Rules.named("renju", 20))
    assert other.rules == Rules.named("renju", 15, fouls="loses")
    assert other.headers == record.headers
    assert under(other, Rules()) == record


def test_moves_after_the_end_are_kept():
    record = built("freestyle", "a1b1a2b2a3b3a4b4a5b5").record()
    assert len(record.main_line()) == 10
    with pytest.raises(IllegalMove):
        record.board()
