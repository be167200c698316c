"""Books of openings: the shipped ones, one for any other rules, and files of one's own.

A book is written as text, one opening a line, as a game is written elsewhere (`tengen.formats.movetext`):
``h8i9g7``, ``h8 i9 g7``, or offsets from the centre. What follows a ``#`` at the beginning or after a blank
is a comment, and ``# rules: renju 15x15`` says which board the openings are for; ``;`` alone is the empty
board.

Match runners know two such forms without comments. *Offset*, in which Gomocup publishes its openings, is
``0,0, 1,-1``: x and y counted from the centre, y downwards; the centre is half the size, rounded down, from
the top left. It is recognised by itself. *Pos* is ``h8i7``, a letter from the left and a number from the
*top*. It looks like move text and has to be asked for; read as move text it gives the same openings
upside down, which are worth the same.

From: the README of c-gomoku-cli, section "Openings File Format".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias, get_args

from tengen.arena.opening_generator import Opening, default_plies, shapes
from tengen.arena.opening_judge import is_quiet
from tengen.formats import movetext
from tengen.formats.common import MAX_BYTES, FormatError
from tengen.formats.encodings import decode
from tengen.formats.files import FORMATS, read_error, read_file, shown
from tengen.formats.rules_text import format_rules, parse_rules
from tengen.formats.text import at_line, check_size
from tengen.game import notation
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.points import BLACK, PASS, Point
from tengen.game.record import Record
from tengen.game.rules import Rules
from tengen.game.symmetry import canonical
from tengen.words import Message

Book: TypeAlias = tuple[Opening, ...]
"""Openings for some rules, in order."""

Form: TypeAlias = Literal["auto", "moves", "offset", "pos"]
"""The notation of a text file; ``"auto"`` is any but pos."""

Order: TypeAlias = Literal["random", "sequential"]
"""In which order openings are taken from a book."""

SHIPPED = ("freestyle-15", "freestyle-20", "standard-15", "renju-15", "caro-15")
"""The books that come with Tengen: name of the rules, side of the board."""

FORMS: tuple[str, ...] = get_args(Form)
ORDERS: tuple[str, ...] = get_args(Order)

_SETS = Path(__file__).with_name("sets")
# A # inside a URL has no blank before it, and begins no comment.
_COMMENT = re.compile(r"(?:^|\s)#(.*)")
_RULES = re.compile(r"\s*rules\s*:\s*(.*)", re.IGNORECASE)

MOST_OPENINGS = 5_000
"""The most openings that are drawn or generated before the first game; then they repeat."""

_TINY = 36
"""The most points of a board on which all openings of two stones are listed."""


def shipped(rules: Rules) -> Book | None:
    """The openings that come with Tengen for these rules, or None where there are none.

    How fouls are enforced, and whether moves may be passed, makes no difference.
    """
    name = f"{rules.name}-{rules.width}"
    if rules.width != rules.height or name not in SHIPPED:
        return None
    return _shipped(name)


@lru_cache(maxsize=len(SHIPPED))
def _shipped(name: str) -> Book:
    rules, _, side = name.partition("-")
    return read_book(_SETS / f"{name}.txt", Rules.named(rules, int(side)))


def default_openings(rules: Rules, count: int, seed: int = 0) -> Book:
    """Openings for any rules, generated without evaluation.

    On a tiny board all positions of up to two stones, no two of them symmetric, the empty board first.
    Elsewhere random shapes; those from which a side wins by fours alone come last, and only if there are
    not enough others.

    Args:
        rules: the rules.
        count: the most to return; there may be fewer, but one at least.
        seed: any whole number.
    """
    count = max(count, 1)
    if rules.points <= _TINY:
        return tuple(islice(_starts(rules, seed), count))
    undecided: list[Opening] = []
    decided: list[Opening] = []
    for opening in islice(shapes(rules, seed, default_plies(rules)), 4 * count + 100):
        if opening is not None:
            (undecided if is_quiet(Board.from_moves(opening, rules)) else decided).append(opening)
        if len(undecided) == count:
            break
    return tuple((undecided + decided)[:count]) or ((),)


def _starts(rules: Rules, seed: int) -> Iterator[Opening]:
    """All positions of up to two stones that are not over, but for symmetric ones: fewer stones first."""
    random = Random(f"{seed}")
    openings: list[Opening] = [()]
    for _ in range(3):
        yield from openings
        seen: dict[bytes, Opening] = {}
        for opening in openings:
            board = Board.from_moves(opening, rules)
            for point in board.legal_points():
                if board.turn == BLACK and board.foul(point) is not None:
                    continue
                board.push(point)
                if board.outcome() is None:
                    seen.setdefault(canonical(board)[0], board.moves)
                board.pop()
        openings = list(seen.values())
        random.shuffle(openings)


def openings_for(
    rules: Rules,
    count: int,
    seed: int = 0,
    *,
    file: str | Path | None = None,
    order: Order = "random",
    order_seed: int | None = None,
    plies: int | None = None,
) -> list[Opening]:
    """Return a number of openings in the order of use, `MOST_OPENINGS` at most.

    Args:
        rules: the rules.
        count: the number of openings.
        seed: of generated openings.
        file: the file of openings; None for the book that comes with Tengen, or generated openings if there
            is none.
        order: the order in which they are taken from the book.
        order_seed: of a random order; `seed` if None.
        plies: the number of moves to take of each opening in the file; None for all.

    Raises:
        TengenError: the file cannot be read, or its openings are illegal.
    """
    count = min(count, MOST_OPENINGS)
    if file is not None:
        book = read_book(file, rules, plies)
    else:
        book = shipped(rules) or default_openings(rules, count, seed)
    return choose(book, count, order, seed if order_seed is None else order_seed)


def choose(book: Sequence[Opening], count: int, order: Order = "random", seed: int = 0) -> list[Opening]:
    """Return `count` openings of a book, which repeats once all have been taken.

    Args:
        book: the openings.
        count: the number of openings.
        order: ``"sequential"`` as they stand, ``"random"`` shuffled, each time through anew.
        seed: of the shuffling. The first openings do not depend on `count`.

    Raises:
        TengenError: an empty book, or an order that is none.
    """
    if order not in ORDERS:
        raise TengenError("error.arena.book.order", order=notation.shorten(str(order)), orders=ORDERS)
    if not book:
        raise TengenError("error.arena.book.empty")
    chosen: list[Opening] = []
    while len(chosen) < count:
        again = list(book)
        if order == "random":
            Random(f"{seed} {len(chosen) // len(book)}").shuffle(again)
        chosen += again
    return chosen[: max(count, 0)]


def format_book(
    book: Sequence[Opening], rules: Rules, notes: Mapping[str, str] | None = None, command: str = ""
) -> str:
    """A book as the text of a file that `read_book` reads.

    Args:
        book: the openings.
        rules: the rules of the openings.
        notes: more comment lines ``# key: value`` at the top.
        command: the command that made the book, for another comment line; empty for none.
    """
    header = {"rules": format_rules(rules)} | ({"made by": command} if command else {})
    lines = [f"# {key}: {value}" for key, value in {**header, **(notes or {})}.items()]
    lines += [notation.format_moves(opening, rules.width) or movetext.EMPTY_GAME for opening in book]
    return "".join(f"{line}\n" for line in lines)


def read_book(path: str | Path, rules: Rules, plies: int | None = None, form: Form = "auto") -> Book:
    """The openings of a file: text, one a line, or the main lines of any games that Tengen reads.

    Args:
        path: the file. Where its name ends as that of another format of games does, it is read as one.
        rules: the rules of play; the board has to have the size that the file gives.
        plies: the number of moves to take of each; all if None.
        form: the notation of the lines of a text.

    Raises:
        FileError: the file cannot be read.
        FormatError: an opening that cannot be read, or is none under these rules; the sentence names the
            file and the line, or the number of the game.
        TengenError: fewer than no plies, or a form that is none.
    """
    if form not in FORMS:
        raise TengenError("error.arena.book.form", form=notation.shorten(str(form)), forms=FORMS)
    if plies is not None and plies < 0:
        raise TengenError("error.arena.book.plies", plies=plies)
    path = Path(path).expanduser()
    if path.suffix.lower() in FORMATS and path.suffix.lower() not in movetext.EXTENSIONS:
        book = _read_games(path, rules, plies)
    else:
        book = _read_lines(path, rules, plies, form)
    if not book:
        raise FormatError("error.format.file", file=shown(path), reason=Message("error.arena.book.empty"))
    return book


def _read_lines(path: Path, rules: Rules, plies: int | None, form: Form) -> Book:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        check_size(data)
    except FormatError as error:
        raise FormatError("error.format.file", file=shown(path), reason=error.message) from error
    except (OSError, ValueError) as error:
        raise read_error(path, error) from error
    book = []
    for number, line in enumerate(decode(data).splitlines(), 1):
        comment = _COMMENT.search(line)
        text = line[: comment.start()] if comment else line
        try:
            if comment:
                _check_header(comment.group(1), rules)
            if text.strip():
                book.append(_opening(_parsed(text, rules, form), rules, plies))
        except TengenError as error:
            why = at_line(number, error.message).message
            raise FormatError("error.format.file", file=shown(path), reason=why) from error
    return tuple(book)


def _read_games(path: Path, rules: Rules, plies: int | None) -> Book:
    games = read_file(path)
    for problem in games.problems:
        if problem.main_line_lost:
            raise _in_game(path, problem.game, problem.message)
    book = []
    for number, record in enumerate(games.records, 1):
        try:
            setup = record.setup
            _check_size(record.rules, rules)
            if setup.turn != BLACK or any(setup.position):
                raise FormatError("error.arena.book.setup")
            book.append(_opening(_main_line(record), rules, plies))
        except TengenError as error:
            raise _in_game(path, number, error.message) from error
    return tuple(book)


def _in_game(path: Path, number: int, why: Message) -> FormatError:
    return FormatError(
        "error.format.file",
        file=shown(path),
        reason=Message("error.arena.book.game", {"number": number, "reason": why}),
    )


def _check_header(comment: str, rules: Rules) -> None:
    """Refuse a book for another board than the one that is to be played on.

    Raises:
        TengenError: the book's board has another size, or its rules cannot be read.
    """
    match = _RULES.fullmatch(comment)
    if match is not None:
        _check_size(parse_rules(match.group(1), (rules.width, rules.height)), rules)


def _check_size(stated: Rules, rules: Rules) -> None:
    if (stated.width, stated.height) != (rules.width, rules.height):
        raise FormatError("error.arena.book.size", size=stated.size_text, expected=rules.size_text)


def _parsed(text: str, rules: Rules, form: Form) -> list[Point]:
    """The moves of a line."""
    if form == "offset":
        return _main_line(movetext.from_offsets(text, rules))
    if form == "auto":
        return _main_line(movetext.opening_line(text, rules))
    points = notation.parse_moves(text, rules.width, rules.height)
    return points if form == "moves" else [_upside_down(point, rules) for point in points]


def _main_line(record: Record) -> list[Point]:
    return [node.point for node in record.main_line() if node.point is not None]


def _upside_down(point: Point, rules: Rules) -> Point:
    if point == PASS:
        return PASS
    y, x = divmod(point, rules.width)
    return (rules.height - 1 - y) * rules.width + x


def _opening(moves: Sequence[Point], rules: Rules, plies: int | None) -> Opening:
    """The first moves, which have to be legal and leave the game open.

    Raises:
        TengenError: a move is illegal, or the game is over after them.
    """
    board = Board.from_moves(moves[:plies], rules)
    if board.outcome() is not None:
        raise FormatError("error.arena.book.over", ply=board.ply)
    return board.moves
