"""SGF with one thing damaged: all else survives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Record
from tengen.formats.sgf import read, write
from tests.formats import strategies

SIDES = (
    "(;GM[4]FF[4]SZ[15];B[hh];W[ii]C[main](;B[gh]C[first];W[gg](;B[jj])(;B[kk]))"
    "(;B[gg];W[{bad}]C[lost];B[jj](;W[aa])(;W[bb]))(;B[ab];W[ac]))"
)


def lines(record):
    """All lines of a record's tree, as the moves that lead to their ends."""
    name = record.setup.name
    return [" ".join(map(name, node.path())) for node in record.nodes() if not node.children]


def told(found):
    return [(problem.message.values["reason"].key, problem.missing) for problem in found.problems]


@pytest.mark.parametrize(
    ("bad", "key"),
    [
        ("hh", "error.occupied"),
        ("gg", "error.occupied"),
        ("pp", "error.off_board"),
        ("h", "error.format.sgf.point"),
        ("?!", "error.format.sgf.point"),
        ("aa][ab", "error.format.sgf.moves"),
    ],
)
def test_a_move_that_cannot_be_ends_its_variation_alone(bad, key):
    found = read(SIDES.format(bad=bad).encode())
    (record,) = found.records
    assert lines(record) == ["h8 i7 g8 g9 j6", "h8 i7 g8 g9 k5", "h8 i7 g9", "h8 i7 a14 a13"]
    assert told(found) == [(key, "variation")]
    assert [node.comment for node in record.main_line()] == ["", "main", "first", "", ""]


def test_on_the_main_line_more_is_missing():
    found = read(b"(;SZ[15];B[hh];W[hh];B[ii])")
    assert told(found) == [("error.occupied", "moves")]
    found = read(b"(;SZ[15];B[hh](;W[hh];B[ii])(;W[aa];B[aa]))")
    assert told(found) == [("error.occupied", "moves"), ("error.occupied", "moves")]
    found = read(b"(;SZ[15];B[hh](;W[ii];B[ii](;W[jj]))(;W[aa];B[aa]))")
    assert told(found) == [("error.occupied", "moves"), ("error.occupied", "variation")]


def test_marks_beside_the_board_are_left_out_alone():
    found = read(b"(;SZ[15];B[hh]TR[pp][aa]LB[bb:1][zz:2][cc:3];W[ii])")
    (record,) = found.records
    assert lines(record) == ["h8 i7"]
    node = record.main_line()[0]
    assert [(mark.kind, record.setup.name(mark.point), mark.label) for mark in node.marks] == [
        ("triangle", "a15", ""),
        ("label", "b14", "1"),
        ("label", "c13", "3"),
    ]
    assert told(found) == [("error.off_board", "nothing")] * 2


def test_of_very_many_trifles_not_all_are_told():
    found = read(b"(;SZ[15]" + b";B[]TR[pp]" * 2_000 + b";B[hh])")
    assert len(found.problems) == 100
    assert lines(found.records[0])[0].endswith("h8")


@pytest.mark.parametrize(
    ("text", "kept", "comment", "key"),
    [
        # a ] within a text
        (";B[hh]C[see [1] there];W[ii];B[gh]", "h8 i7 g8", "see [1] there", "bracket"),
        (";B[hh]C[a] b; c];W[ii];B[gh]", "h8 i7 g8", "a] b; c", "bracket"),
        (";B[hh]C[a] b]TR[aa];W[ii];B[gh]", "h8 i7 g8", "a] b", "bracket"),
        # no ] after a value
        (";B[hh]C[a];W[ii;B[gh]", "h8 i7 g8", "a", "unclosed"),
        (";B[hh]C[a;W[ii];B[gh]", "h8 i7 g8", "a", "unclosed"),
        (";B[hh]C[a]TR[aa;W[ii];B[gh]", "h8 i7 g8", "a", "unclosed"),
        # no [ before one
        (";B[hh]C[a];Wii];B[gh]", "h8", "a", "token"),
        (";B[hh]C[a]TRaa];W[ii];B[gh]", "h8 i7 g8", "a]TRaa", "bracket"),
        (";B[hh]Ca];W[ii];B[gh]", "h8 i7 g8", "", "token"),
        # something else
        (";B[hh]C[a];;W[ii];B[gh]", "h8 i7 g8", "a", None),
        (";B[hh]C[a]%%;W[ii];B[gh]", "h8 i7 g8", "a", "token"),
        (";B[hh]C[a];W%%;B[gh]", "h8", "a", "token"),
        (";B[hh]C[a];%%;B[gh]", "h8", "a", "token"),
        (";B[hh]C[a];%%;W[ii]", "h8 i7", "a", "token"),
    ],
)
def test_syntax_that_is_damaged_in_one_place(text, kept, comment, key):
    found = read(f"(;GM[4]SZ[15]PB[x]{text}(;W[aa])(;W[ab]))".encode())
    (record,) = found.records
    assert record.headers["black"] == "x"
    (first, *_) = lines(record)
    assert first.startswith(kept)
    assert record.main_line()[0].comment == comment
    assert (key is None) == (found.problems == [])
    if key is not None:
        assert told(found)[0][0] == f"error.format.sgf.{key}"
    if kept == "h8 i7 g8":
        assert lines(record) == ["h8 i7 g8 a15", "h8 i7 g8 a14"]
        assert not any(problem.main_line_lost for problem in found.problems)
    else:
        assert any(problem.main_line_lost for problem in found.problems) or kept == "h8 i7"


TREES = strategies.records(strategies.FIFTEEN, setups=False, scores=None, seconds=None, most=20).filter(
    lambda record: len(list(record.nodes())) > 3
)


@given(TREES, st.data())
def test_one_bad_move_loses_what_follows_it_and_nothing_else(record, data):
    """A move is put where a stone is already; the tree without it and what follows it comes back."""
    nodes = [node for node in record.nodes() if node.parent is not None and node.parent.point is not None]
    node = data.draw(st.sampled_from(nodes)) if nodes else None
    if node is None or node.parent is None or node.parent.point < 0 or node.point < 0:
        return
    point = node.point
    node.point = node.parent.point
    text = write([record])
    node.point = point
    found = read(text)
    assert [problem.message.values["reason"].key for problem in found.problems] == ["error.occupied"]
    node.parent.children.remove(node)
    (back,) = found.records
    assert _tree(back) == _tree(record)


def _tree(record: Record):
    return [(tuple(node.path()), node.comment, frozenset(node.marks)) for node in record.nodes()]


@pytest.mark.long
@given(st.lists(TREES, min_size=2, max_size=3), st.data())
def test_one_character_more_or_less_leaves_the_other_games(records, data):
    texts = [write([record]).decode() for record in records]
    which = data.draw(st.integers(0, len(texts) - 2))
    place = data.draw(st.integers(2, len(texts[which]) - 3))
    sign = data.draw(st.sampled_from(("", "!", "x")))
    texts[which] = texts[which][:place] + sign + texts[which][place + 1 :]
    found = read("".join(texts).encode())
    for record, back in zip(records[:which], found.records, strict=False):
        assert _tree(back) == _tree(record)
    assert _tree(found.records[-1]) == _tree(records[-1])


def test_a_game_that_is_not_closed_does_not_swallow_the_next():
    found = read(b"(;GM[4]SZ[15];B[hh];W[ii]\n(;GM[4]SZ[15]PB[x];B[aa])(;FF[4];B[bb]C[open)(;FF[4];B[cc])")
    assert [lines(record) for record in found.records] == [["h8 i7"], ["a15"], ["b14"], ["c13"]]
    assert found.records[2].main_line()[0].comment == "open"
    assert told(found) == [("error.format.sgf.tree", "nothing"), ("error.format.sgf.unclosed", "nothing")]
