"""Boards drawn in text, as `tengen.game.diagram` prints them and as people type them.

The top row comes first. Empty points are ``.``, ``+``, ``-``, ``_``, ``·`` or the crossings of box-drawing
characters; Black is ``X``, ``x``, ``●``, ``@``, ``#`` or ``B``, White ``O``, ``o``, ``○`` or ``W``. A ``*``
is a black stone, unless other signs stand for Black in the same drawing: then it is an empty star point.
Blanks between the points, numbers beside the rows, a row of letters or numbers above or below, a frame,
and brackets around a stone may be there or not. Cells may also stand between bars, and then be blank:

     X | O |
    ---+---+---
       | X | O

Where a board printed by Tengen has letters below, its points are read straight above them, so that
whatever marks the last move, a winning row or a foul does no harm.

A file of drawings, ``.board``, holds one position a drawing, with blank lines between. Lines that begin
with ``#`` and a blank say what the drawings below are: ``# rules: renju`` and ``# turn: white``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tengen.formats.common import FormatError, ReadResult
from tengen.formats.encodings import decode
from tengen.formats.rules_text import format_rules, parse_rules
from tengen.formats.text import FileLimits, at_line, check_size, list_problem, require_games
from tengen.game.board import Board
from tengen.game.diagram import diagram
from tengen.game.errors import TengenError
from tengen.game.notation import column_name, shorten
from tengen.game.points import BLACK, EMPTY, WHITE, Colour, opponent
from tengen.game.record import Record
from tengen.game.rules import MAX_SIDE, Rules
from tengen.plaintext.characters import plain
from tengen.words import Message

EXTENSIONS = (".board",)

_SIGNS: dict[str, Colour] = {
    **dict.fromkeys(".+-_·•∙⋅・,!┼┬┴├┤┌┐└┘╋┳┻┣┫┏┓┗┛╬╦╩╠╣╔╗╚╝", EMPTY),
    **dict.fromkeys("Xx●⚫⬤@#Bb", BLACK),
    **dict.fromkeys("Oo○⚪◯〇Ww", WHITE),
}
_STAR = "*"
_FRAME = frozenset("|[](){}<>─━═│┃║ ")
_BESIDE = _FRAME | {_STAR, "!"}
"""Characters between the points of a printed board: blanks, brackets, signs of a win or a foul."""

_RULE = frozenset("-+=|─━═┼╋ ")
_DASHES = ("--", "==", "──", "━━", "══", "-+-", "─┼─")
_LABEL = re.compile(r"\s*[0-9]{1,2}(?![0-9])")
_LABEL_RIGHT = re.compile(r"(?<![0-9])[0-9]{1,2}\s*$")
_LABELS = re.compile(
    r"\s*(?:a(?:\s+[A-Za-z]{1,2})*|A(?:\s+[A-Za-z]{1,2})*|abc?[a-z]*|ABC?[A-Z]*|[0-9]{1,2}(?:\s+[0-9]{1,2})*"
    r"|0?123[0-9]*)\s*"
)
_COORDINATES = re.compile(
    r"\s*(?:[0-9]{1,2}(?:[._]|\s*[-,:;/]\s*)[0-9]{1,2}|[0-9]{1,2}[!+]|[!+][0-9]{1,2})\s*"
)
"""A line of coordinates, rather than a row of one point with its number beside it."""

_LAST = re.compile(r"[\[(]\s*(\S)\s*[\])]")
_STATED = re.compile(r"#\s+(rules|turn)\s*:(.*)", re.IGNORECASE)
_TURNS = {"black": BLACK, "white": WHITE}

_Line = tuple[int, str]
"""A line of a file, after its number, counted from 1."""


def parse_board(text: str, rules: Rules | str | None = None, turn: Colour | None = None) -> Board:
    """Parse the position of a drawing.

    Args:
        text: the drawing; blank lines and comments are ignored.
        rules: the rules of the game, with the size of the drawing in place of their own; if None as a
            comment says, or freestyle, or tic-tac-toe if the drawing is 3x3.
        turn: the side to move; if None as a comment says, or, if one stone is in brackets, the side that
            did not place it, or else Black, unless Black has more stones than White.

    Raises:
        FormatError: no drawing of a board; the sentence names line and column.
        RulesError: there are no such rules.
    """
    lines, stated_rules, stated_turn = _sorted_out(enumerate(_normal(text).split("\n"), 1))
    chosen = stated_rules if rules is None else rules
    return _TextDrawing(lines).board(chosen, stated_turn if turn is None else turn)


def looks_like_board(text: str) -> bool:
    """Return whether a text is a drawing of a board, rows of signs, rather than move text.

    A drawing has empty points, or as many rows as columns; one without stones is at least 3x3.
    """
    lines = [line for line in _normal(text).split("\n") if line.strip() and not _is_comment(line)]
    if any(_COORDINATES.fullmatch(line) for line in lines):
        return False
    rows = [_without_labels(line) for line in lines if not _LABELS.fullmatch(line)]
    points = [[sign for sign in row if sign not in _FRAME] for row in rows]
    signs = {sign for row in points for sign in row}
    if not signs or not signs <= {*_SIGNS, _STAR}:
        return False
    if all(_SIGNS.get(sign, EMPTY) == EMPTY for sign in signs):
        even = len({len(row) for row in points if row}) == 1
        return even and len(rows) > 2 and len(points[0]) > 2 and not signs <= set("-,!+*")
    if not signs.isdisjoint(".·_┼"):
        return True
    width = max(map(len, points))
    return len(rows) > 1 and (
        "|" in text or width == len(rows) or any(_SIGNS.get(s) == EMPTY for s in signs)
    )


def read(data: bytes, rules: Rules | None = None) -> ReadResult:
    """Read the positions of a file, each as a record that begins from it.

    Args:
        data: the file.
        rules: the rules of positions before the file states any.

    Raises:
        FormatError: no position can be read.
    """
    check_size(data)
    games, failed = ReadResult(), 0
    limits = FileLimits(len(data), points=64)
    for block in _blocks(_normal(decode(data))):
        try:
            lines, stated, turn = _sorted_out(block)
            rules = stated or rules
            if lines:
                board = _TextDrawing(lines).board(rules, turn)
                limits.game(board.rules.points)
                games.records.append(Record(board.rules, board.setup))
        except TengenError as error:
            failed += 1
            if not list_problem(games, error.message, len(games.records) + failed):
                break
    return require_games(games)


def write(records: Sequence[Record]) -> bytes:
    """Draw the position at the end of each game's main line; the moves are not kept.

    Raises:
        IllegalMove: a main line that cannot be played.
    """
    drawings = []
    rules = None
    for record in records:
        board = record.board()
        lines = []
        if board.rules != rules:
            rules = board.rules
            lines.append(f"# rules: {format_rules(rules)}")
        lines.append(f"# turn: {'black' if board.turn == BLACK else 'white'}")
        lines.append(diagram(board.position, board.width))
        drawings.append("\n".join(lines) + "\n")
    return "\n".join(drawings).encode()


class _TextDrawing:
    """The rows of one drawing, given as its lines that are neither blank nor comments."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        rows = [(number, line) for number, line in lines if not _LABELS.fullmatch(line)]
        self.columns = _printed_columns(lines[-1][1] if lines else "")
        self.printed = self.columns != [] and all(
            self.is_printed(_without_labels(line)) for _, line in rows
        )
        self.bars = not self.printed and _has_bars([line for _, line in rows])
        framed = self.bars or any(line.lstrip(" 0123456789").startswith("|") for _, line in rows)
        if framed and not self.printed:
            rows = [(number, line) for number, line in rows if not _is_rule(line)]
        self.rows = rows if self.bars else [row for row in rows if set(row[1]) - _FRAME]
        signs = {sign for _, line in self.rows for sign in _without_labels(line)}
        self.star = EMPTY if any(_SIGNS.get(sign) == BLACK for sign in signs) else BLACK

    def board(self, rules: Rules | str | None, turn: Colour | None) -> Board:
        """The position drawn."""
        rows = self.from_cells() if self.bars else [self.row(number, line) for number, line in self.rows]
        if not rows:
            raise FormatError("error.format.empty")
        width = len(rows[0])
        for (number, _), row in zip(self.rows, rows, strict=True):
            if len(row) != width:
                reason = Message("error.format.board.width", {"found": len(row), "expected": width})
                raise at_line(number, reason)
        cells = [colour for row in reversed(rows) for colour in row]
        black, white = ([p for p, c in enumerate(cells) if c == colour] for colour in (BLACK, WHITE))
        if turn is None:
            turn = self.after_last()
        return Board.from_stones(black, white, turn, _sized(rules, width, len(rows)))

    def row(self, number: int, line: str) -> list[Colour]:
        """The colours of one row, from the left."""
        bare = _without_labels(line)
        if self.printed:
            return [self.colour(number, column, bare[column]) for column in self.columns]
        if _COORDINATES.fullmatch(line):
            reason = Message("error.format.board.sign", {"found": shorten(line.strip())})
            raise at_line(number, reason)
        signs = ((column, sign) for column, sign in enumerate(bare) if sign not in _FRAME)
        return [self.colour(number, column, sign) for column, sign in signs]

    def is_printed(self, row: str) -> bool:
        """Return whether a row has its points exactly above the letters below the board."""
        if len(row) <= self.columns[-1] or any(row[column] in _FRAME for column in self.columns):
            return False
        beside = set(row)
        if not beside <= _BESIDE:
            places = set(self.columns)
            beside = {sign for column, sign in enumerate(row) if column not in places}
        return beside <= _BESIDE

    def from_cells(self) -> list[list[Colour]]:
        """The rows of a drawing with bars between the points."""
        split = [_without_labels(line).split("|") for _, line in self.rows]
        if not split:
            return []
        framed = all(len(cells) > 2 and not (cells[0] + cells[-1]).strip() for cells in split)
        # With blank cells at both ends of every row, a square is likelier than a frame.
        framed = framed and any(len(cells) != len(split) for cells in split)
        return [
            self.cells(number, cells, framed) for (number, _), cells in zip(self.rows, split, strict=True)
        ]

    def cells(self, number: int, cells: list[str], framed: bool) -> list[Colour]:
        """The colours of one row between bars, from the left."""
        row = []
        column = 0
        for cell in cells:
            sign = cell.strip(" [](){}<>")
            place = column + (cell.index(sign) if sign else 0)
            row.append(self.colour(number, place, sign) if sign else EMPTY)
            column += len(cell) + 1
        return row[1:-1] if framed else row

    def colour(self, number: int, column: int, sign: str) -> Colour:
        """Return the colour of a sign; `column` counts from 0."""
        if sign == _STAR:
            return self.star
        if sign not in _SIGNS:
            reason = Message("error.format.board.sign", {"found": shorten(sign)})
            raise FormatError("error.format.place", line=number, column=column + 1, reason=reason)
        return _SIGNS[sign]

    def after_last(self) -> Colour | None:
        """The side to move after the stone in brackets, where there is one such stone."""
        stones = [sign for _, line in self.rows for sign in _LAST.findall(line) if _SIGNS.get(sign)]
        return opponent(_SIGNS[stones[0]]) if len(stones) == 1 else None


def _normal(text: str) -> str:
    """Normalise line breaks, blanks and full-width characters."""
    return plain(text).expandtabs()


def _blocks(text: str) -> Iterable[list[_Line]]:
    """Runs of lines that are not blank."""
    block: list[_Line] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _sorted_out(lines: Iterable[_Line]) -> tuple[list[_Line], Rules | None, Colour | None]:
    """The lines that are drawn, and the rules and the side to move that comments among them state."""
    drawn, rules, turn = [], None, None
    for number, line in lines:
        stated = _STATED.fullmatch(line)
        if stated is None:
            if line.strip() and not _is_comment(line):
                drawn.append((number, line.rstrip()))
        elif stated.group(1).lower() == "rules":
            rules = _stated_rules(stated.group(2).strip(), number)
        else:
            turn = _stated_turn(stated.group(2).strip(), number)
    return drawn, rules, turn


def _has_bars(lines: Sequence[str]) -> bool:
    """Return whether there are bars between the points of rows, not only beside them."""
    if any("|" in _without_labels(line).strip().removeprefix("|").removesuffix("|") for line in lines):
        return True
    rules = [line for line in lines if _is_rule(line)]
    crossed = any("+" in line.strip("+ ") for line in rules)
    return crossed and all("|" in line for line in lines if line not in rules)


def _is_rule(line: str) -> bool:
    """Return whether a line is a rule, drawn between or around rows."""
    framed_row = "|" in line and "|" not in line.strip(" |")
    return not framed_row and _RULE.issuperset(line) and any(dashes in line for dashes in _DASHES)


def _is_comment(line: str) -> bool:
    """Return whether a line is a comment, not a row that begins with ``#`` for a black stone."""
    return line.startswith("#") and not set(line) <= {*_SIGNS, _STAR, *_FRAME}


def _without_labels(line: str) -> str:
    """A row with blanks in place of the numbers beside it."""
    match = _LABEL.match(line)
    if match is not None:
        line = " " * match.end() + line[match.end() :]
    match = _LABEL_RIGHT.search(line)
    return line if match is None else line[: match.start()]


def _printed_columns(line: str) -> list[int]:
    """Return the columns of the points of a printed board, from the letters below it; empty without any."""
    names = list(re.finditer(r"\S+", line))
    if [name.group() for name in names] != [column_name(x) for x in range(len(names))]:
        return []
    return [name.end() - 1 for name in names]


def _sized(rules: Rules | str | None, width: int, height: int) -> Rules:
    if max(width, height) > MAX_SIDE:
        raise FormatError("error.format.board.size", width=width, height=height, most=MAX_SIDE)
    if rules is None:
        rules = "tictactoe" if width == height == 3 else "freestyle"
    if isinstance(rules, str):
        rules = parse_rules(rules, (width, height))
    return replace(rules, width=width, height=height)


def _stated_rules(text: str, number: int) -> Rules:
    try:
        return parse_rules(text)
    except TengenError as error:
        raise at_line(number, error.message) from error


def _stated_turn(text: str, number: int) -> Colour:
    if text.lower() not in _TURNS:
        raise at_line(number, Message("error.format.board.turn", {"text": shorten(text)}))
    return _TURNS[text.lower()]
