from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import PASS, Board, NotationError, Record, Rules, TengenError
from tengen.arena.opening_generator import Opening, shapes
from tengen.arena.opening_judge import is_quiet
from tengen.arena.opening_sets import (
    SHIPPED,
    Form,
    choose,
    default_openings,
    format_book,
    read_book,
    shipped,
)
from tengen.formats import movetext
from tengen.formats.files import FORMATS, format_of
from tengen.game.notation import format_moves
from tengen.game.symmetry import symmetries, transform
from tests.errors import key_of
from tests.strategies import rules as any_rules
from tests.symmetric import duplicates

FREESTYLE = Rules.named("freestyle")
RENJU = Rules.named("renju")


def rules_of(name: str) -> Rules:
    rules, side = name.split("-")
    return Rules.named(rules, int(side))


def text(book: tuple[Opening, ...], rules: Rules = FREESTYLE) -> list[str]:
    return [format_moves(opening, rules.width) for opening in book]


# -- the books that come with Tengen


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_openings_are_quiet_and_none_is_there_twice(name):
    rules = rules_of(name)
    book = shipped(rules)
    assert book is not None
    assert len(book) >= 120
    assert duplicates(book, rules) == []
    for opening in book:
        board = Board.from_moves(opening, rules)
        assert 3 <= board.ply <= 8
        assert board.outcome() is None
        assert is_quiet(board)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_openings_have_both_sides_to_move(name):
    book = shipped(rules_of(name))
    assert book is not None
    black = sum(len(opening) % 2 == 0 for opening in book)
    assert 20 <= black <= len(book) - 20


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_says_how_it_was_made(name, request):
    path = request.config.rootpath / "src/tengen/arena/sets" / f"{name}.txt"
    lines = path.read_text("utf-8").splitlines()
    notes = dict(line.removeprefix("# ").split(": ", 1) for line in lines if line.startswith("#"))
    rules, side = name.split("-")
    assert notes["rules"] == f"{rules} {side}x{side}"
    assert notes["made by"].startswith(f"tengen openings --rules {rules} --size {side} --count 120 ")
    assert notes["seed"].isdigit()
    assert f" --judge {notes['judge']} " in notes["made by"]
    # Every program of Tengen that reads games reads it, too.
    games = format_of(path).read(path.read_bytes())
    assert [tuple(game.board().moves) for game in games.records] == list(read_book(path, rules_of(name)))
    assert games.problems == []


def test_shipped_for_the_same_rules_otherwise_enforced():
    assert shipped(Rules.named("renju", fouls="claimed", passing=True)) == shipped(RENJU)
    assert shipped(Rules.mnk(15, 15, 5)) == shipped(FREESTYLE)


@pytest.mark.parametrize(
    "rules",
    [
        Rules.named("freestyle", 19),
        Rules.named("freestyle", (15, 20)),
        Rules.named("tictactoe"),
        Rules.mnk(15, 15, 6),
        Rules.named("renju", double_four=False),
        Rules.named("renju", 20),
    ],
)
def test_nothing_is_shipped_for_other_rules(rules):
    assert shipped(rules) is None


# -- openings for any rules


@pytest.mark.long
@given(any_rules(st.integers(1, 9)), st.integers(1, 30), st.integers())
def test_default_openings_can_be_played_under_any_rules(rules, count, seed):
    book = default_openings(rules, count, seed)
    assert 1 <= len(book) <= count
    assert duplicates(book, rules) == []
    for opening in book:
        board = Board(rules)
        for point in opening:
            assert board.turn == 2 or board.foul(point) is None
            board.push(point)
        assert board.outcome() is None


def test_on_a_tiny_board_all_starts_are_listed():
    book = default_openings(Rules.named("tictactoe"), 100)
    # The empty board; corner, edge, centre; and 2 answers to the centre, 5 each to the others.
    assert Counter(map(len, book)) == {0: 1, 1: 3, 2: 12}
    assert book[0] == ()
    assert default_openings(Rules.named("tictactoe"), 4) == book[:4]
    assert default_openings(Rules.mnk(3, 3, 1), 100) == ((),)


def test_default_openings_depend_on_the_seed():
    rules = Rules.named("standard", 19)
    book = default_openings(rules, 40, seed=1)
    assert len(book) == 40
    assert book == default_openings(rules, 40, seed=1)
    assert book[:10] == default_openings(rules, 10, seed=1)
    assert book != default_openings(rules, 40, seed=2)
    assert all(is_quiet(Board.from_moves(opening, rules)) for opening in book)


def test_where_hardly_a_position_is_quiet_the_others_come_last():
    rules = Rules.mnk(15, 15, 3)
    book = default_openings(rules, 50)
    assert len(book) == 50
    quiet = [is_quiet(Board.from_moves(opening, rules)) for opening in book]
    assert quiet == sorted(quiet, reverse=True)
    assert not all(quiet)


# -- choosing

BOOK = tuple((point,) for point in range(7))


@given(st.integers(0, 40), st.sampled_from(("random", "sequential")), st.integers())
def test_each_opening_is_chosen_as_often_as_any_other(count, order, seed):
    chosen = choose(BOOK, count, order, seed)
    assert len(chosen) == count
    for start in range(0, count - 6, 7):
        assert sorted(chosen[start : start + 7]) == list(BOOK)
    assert len(set(chosen)) == min(count, 7)


@given(st.integers(0, 30), st.integers(0, 30), st.sampled_from(("random", "sequential")), st.integers())
def test_more_openings_begin_with_the_same_ones(few, more, order, seed):
    assert choose(BOOK, few + more, order, seed)[:few] == choose(BOOK, few, order, seed)


def test_order():
    assert choose(BOOK, 9, "sequential", seed=3) == [*BOOK, *BOOK[:2]]
    shuffled = choose(BOOK, 14, seed=3)
    assert shuffled[:7] != list(BOOK)
    assert shuffled[7:] != shuffled[:7]
    assert choose(BOOK, 14, seed=4) != shuffled


def test_what_cannot_be_chosen():
    assert key_of(choose, (), 3) == "error.arena.book.empty"
    assert key_of(choose, BOOK, 3, "backwards") == "error.arena.book.order"


@given(st.integers(0, 7), st.integers(0, 7), st.integers(0, 5))
def test_a_turned_opening_is_a_duplicate(which, other, place):
    book = [opening for opening in islice(shapes(FREESTYLE, 4, (3, 8)), 40) if opening][:6]
    for symmetry in (symmetries(15, 15)[which], symmetries(15, 15)[other]):
        book.append(transform(Board.from_moves(book[place], FREESTYLE), symmetry).moves)
    assert duplicates(book, FREESTYLE) == [6, 7]


# -- files


def test_one_opening_a_line(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(
        """# Openings of my own
# rules: renju 15x15

h8i9g7
h8 i9 g7 j10  # with a name
1. H8 2. I10
https://gomocalc.com/#/h8h9
;
"""
    )
    assert text(read_book(path, RENJU)) == ["h8i9g7", "h8i9g7j10", "h8i10", "h8h9", ""]
    assert text(read_book(path, RENJU, plies=2)) == ["h8i9", "h8i9", "h8i10", "h8h9", ""]
    assert text(read_book(path, RENJU, plies=0)) == [""] * 5


def test_the_rules_in_a_file_are_for_the_size(request):
    """What was made for one rule may be used for another one, where it is legal."""
    path = request.config.rootpath / "src/tengen/arena/sets/freestyle-15.txt"
    assert len(read_book(path, Rules.named("standard"))) >= 120


OFFSETS = "8,-3, 6,-4, 5,-4, 4,-3, 2,-8, -1,-5\n"


@pytest.mark.parametrize("form", ["auto", "offset"])
def test_offsets_count_from_the_centre_and_downwards(tmp_path, form: Form):
    path = tmp_path / "offset_freestyle_20x20.txt"
    path.write_text(OFFSETS + "0,0\n")
    twenty = Rules.named("freestyle", 20)
    # The centre is 10,10 from the top left, which is k10 here.
    assert text(read_book(path, twenty, form=form), twenty) == ["s13q14p14o13m18j15", "k10"]
    path.write_text("0,0, 1,-2")
    assert text(read_book(path, FREESTYLE, form=form)) == ["h8i10"]


def test_pos_counts_from_the_top(tmp_path):
    path = tmp_path / "pos_freestyle_20x20.txt"
    path.write_text("b7d6e6f7h2k5\n")
    twenty = Rules.named("freestyle", 20)
    assert text(read_book(path, twenty, form="pos"), twenty) == ["b14d15e15f14h19k16"]
    assert text(read_book(path, twenty), twenty) == ["b7d6e6f7h2k5"]
    book = *read_book(path, twenty, form="pos"), *read_book(path, twenty, form="moves")
    assert duplicates(book, twenty) == [1]


def test_passes(tmp_path):
    path = tmp_path / "book.txt"
    path.write_text("h8h9i8--i9")
    passing = Rules.named("renju", passing=True)
    for form in ("auto", "pos"):
        assert read_book(path, passing, form=form)[0][3] == PASS
    assert key_of(read_book, path, RENJU) == "error.format.file"


@pytest.mark.parametrize("extension", sorted(FORMATS.keys() - {".txt", ".board"}))
def test_games_of_any_format(tmp_path, extension):
    games = ["h8i9g7j10f6", "h8h9i8g8"]
    kind = format_of(f"x{extension}")
    rules = Rules.named("freestyle", 20 if extension == ".rec" else 15)  # which knows no other size
    records = [Record.from_board(Board.from_moves(moves, rules)) for moves in games]
    if not kind.many:
        del records[1:]
    path = tmp_path / f"games{extension.upper()}"
    path.write_bytes(kind.write(records))
    assert text(read_book(path, rules), rules) == games[: len(records)]
    assert text(read_book(path, rules, plies=3), rules) == ["h8i9g7", "h8h9i8"][: len(records)]


@given(st.integers(0, 2**32), st.sampled_from(("freestyle", "renju", "caro")), st.integers(8, 22))
def test_what_is_written_is_read(tmp_path_factory, seed, name, side):
    rules = Rules.named(name, (side, side + 1))
    book = default_openings(rules, 5, seed)
    path = tmp_path_factory.mktemp("book") / "book.txt"
    path.write_text(format_book(book, rules, {"made by": "hand", "seed": str(seed)}), "utf-8")
    assert read_book(path, rules) == book
    assert path.read_text("utf-8").splitlines()[1:3] == ["# made by: hand", f"# seed: {seed}"]
    assert movetext.read(path.read_bytes()).records[0].rules == rules


# -- what is wrong with a file


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("h8h8", "line 1: h8 is occupied"),
        ("# mine\n\nh8i9x", "line 3: character 5 of the moves: expected a point such as h8, found 'x'"),
        ("h8\nz3", "line 2: z3 is off the 15x15 board, whose points run from a1 to o15"),
        ("0,0, 9,9", "line 1: 16,16 is off the 15x15 board, whose points run from a1 to o15"),
        ("h8\n0,0 1", "line 2: character 5: expected an offset from the centre such as -1,2, found '1'"),
        (
            "h8\nh8a1i8b1j8c1k8d1l8\n",
            "line 2: after move 9 the game is over: "
            "expected an opening that leaves the game open, or fewer moves of it",
        ),
        ("h8a1i8b1j8c1k8d1l8e1", "line 1: the game is over: e1 cannot be played"),
        ("h8\nh8a1i8a2j9a3j10a15j8", "line 2: j8 is forbidden to Black: three-three"),
        ("# rules: renju 20x20\n", "line 1: the openings are for a board of 20x20: expected 15x15"),
        (
            "h8\n# rules: go",
            "line 2: 'go' is not the name of rules: "
            "expected one of tictactoe, freestyle, standard, renju, caro, or mnk:M,N,K",
        ),
        ("# nothing\n\n", "it contains no openings: expected one per line, such as h8i9g7"),
    ],
)
def test_an_error_names_the_file_and_the_line(tmp_path, content, reason):
    path = tmp_path / "book.txt"
    path.write_text(content)
    with pytest.raises(NotationError) as caught:
        read_book(path, RENJU)
    assert str(caught.value) == f"{path}: {reason}"


def test_fewer_moves_of_a_finished_game(tmp_path):
    path = tmp_path / "book.txt"
    path.write_text("h8a1i8b1j8c1k8d1l8")
    assert text(read_book(path, FREESTYLE, plies=8)) == ["h8a1i8b1j8c1k8d1"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("(;GM[4]SZ[15];B[hh];W[hh])", None),
        ("(;GM[4]SZ[19];B[hh])", "game 1: the openings are for a board of 19x19: expected 15x15"),
        ("(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15]AB[hh];W[ii])", "game 2: it begins from a set-up position"),
        ("(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[zz])", "game 2: "),
        ("nothing", "no SGF game begins in it"),
    ],
)
def test_an_error_names_the_game(tmp_path, content, reason):
    path = tmp_path / "games.sgf"
    path.write_text(content)
    with pytest.raises(TengenError) as caught:
        read_book(path, FREESTYLE)
    assert str(caught.value).startswith(f"{path}: {reason or ''}")
    assert "\n" not in str(caught.value)


def test_no_such_file_form_or_number(tmp_path):
    path = tmp_path / "book.txt"
    assert key_of(read_book, path, RENJU) == "error.file.read"
    assert key_of(read_book, tmp_path, RENJU) == "error.file.read"
    assert key_of(read_book, tmp_path / "book.sgf", RENJU) == "error.file.read"
    path.write_text("h8")
    assert key_of(read_book, path, RENJU, -1) == "error.arena.book.plies"
    assert key_of(read_book, path, RENJU, None, "chess") == "error.arena.book.form"
