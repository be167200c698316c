"""The 26 regular openings of renju."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tengen import Board, Rules
from tengen.game.opening_rules import Opening
from tengen.game.regular_openings import REGULAR, regular_opening
from tengen.game.symmetry import symmetries, transform
from tengen.words import LANGUAGES, catalogue, say


def three_stone_positions(side: int = 15) -> Iterator[Board]:
    """Every position that three stones of a renju opening can make, as played."""
    opening = Opening.replay("rif", Rules.named("renju", side), [side * side // 2])
    assert opening.decision is not None
    for second in opening.decision.points:
        after = Opening.replay("rif", opening.rules, [*opening.history, second])
        assert after.decision is not None
        for third in after.decision.points:
            yield Opening.replay("rif", opening.rules, [*after.history, third]).board


def test_the_regular_openings_are_13_and_13():
    codes = Counter(regular_opening(board) for board in three_stone_positions())
    assert set(codes) == set(REGULAR)
    assert len(REGULAR) == 26
    assert [sum(code.endswith(kind) for code in REGULAR) for kind in "DI"] == [13, 13]


def test_two_regular_openings_have_one_code_only_if_they_are_symmetric():
    orbits: dict[str | None, set[frozenset[bytes]]] = {}
    for board in three_stone_positions():
        images = {transform(board, symmetry).position for symmetry in symmetries(15, 15)}
        orbits.setdefault(regular_opening(board), set()).add(frozenset(images))
    assert all(len(found) == 1 for found in orbits.values())
    assert len(set().union(*orbits.values())) == 26


REGULAR_TABLE = """
1D h8h9h10 Kansei 寒星     1I h8i9j10 Chosei 长星
2D h8h9i10 Keigetsu 溪月   2I h8i9j9 Kyogetsu 峡月
3D h8h9j10 Sosei 疏星      3I h8i9j8 Kosei 恒星
4D h8h9i9 Kagetsu 花月     4I h8i9j7 Suigetsu 水月
5D h8h9j9 Zangetsu 残月    5I h8i9j6 Ryusei 流星
6D h8h9i8 Ugetsu 雨月      6I h8i9i8 Ungetsu 云月
7D h8h9j8 Kinsei 金星      7I h8i9i7 Hogetsu 浦月
8D h8h9h7 Shogetsu 松月    8I h8i9i6 Rangetsu 岚月
9D h8h9i7 Kyugetsu 丘月    9I h8i9h7 Gingetsu 银月
10D h8h9j7 Shingetsu 新月  10I h8i9h6 Myojo 明星
11D h8h9h6 Zuisei 瑞星     11I h8i9g7 Shagetsu 斜月
12D h8h9i6 Sangetsu 山月   12I h8i9g6 Meigetsu 名月
13D h8h9j6 Yusei 游星      13I h8i9f6 Suisei 彗星
"""


def test_regular_openings_have_numbers_and_names():
    words = REGULAR_TABLE.split()
    rows = [words[i : i + 4] for i in range(0, len(words), 4)]
    assert {row[0] for row in rows} == set(REGULAR)
    for code, moves, english, chinese in rows:
        assert regular_opening(Board.from_moves(moves, "renju")) == code
        assert say(f"opening.regular.{code}") == english
        assert say(f"opening.regular.{code}", "zh") == chinese


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_share_a_name(lang):
    texts = [catalogue(lang)[f"opening.regular.{code}"] for code in REGULAR]
    assert len(set(texts)) == len(texts)


def test_a_regular_opening_may_be_turned_and_mirrored():
    assert regular_opening(Board.from_moves("h8g8g9", "renju")) == "4D"
    assert regular_opening(Board.from_moves("h8i7i9", "renju")) == "7I"


@pytest.mark.parametrize(
    "board",
    [
        Board(),
        Board.from_moves("h8h9"),
        Board.from_moves("h8h9h10h11"),
        Board.from_moves("h8h10h9"),  # the white stone is not next to the first
        Board.from_moves("h9h8h10"),  # no black stone on the centre
        Board.from_moves("h8h9h11"),  # outside the central 5x5
        Board.from_moves("k11k12k13", Rules.named("renju", 20)),
        Board.from_moves("h8h9h10", Rules.named("renju", (15, 17))),
        Board.from_moves("b2b3c3", "tictactoe"),
    ],
)
def test_other_positions_are_no_regular_opening(board):
    assert regular_opening(board) is None


def test_regular_openings_are_known_on_other_boards_and_in_set_up_positions():
    assert regular_opening(Board.from_moves("j10j11k11", Rules.named("renju", 19))) == "4D"
    assert regular_opening(Board.from_moves("c3d4a1", Rules.named("renju", 5))) == "13I"
    assert regular_opening(Board.from_stones(black=["i9", "h8"], white=["h9"])) == "4D"
