"""Points as people and programs write them: the words of a list of moves.

A list is parsed into `Stone`s, whose column and row are still numbers; `tengen.formats.move_lists` places
them on a board. Points may have any of the usual separators between them, move numbers, colours or both
before them, and annotation signs such as ``!`` after them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tengen.game.notation import column_number
from tengen.game.points import BLACK, WHITE, Colour
from tengen.plaintext.characters import plain

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("、،", ","),
        **dict.fromkeys("。·•‧・∙", "."),
        **dict.fromkeys("【〔「『《〈“‘«‹", "("),
        **dict.fromkeys("】〕」』》〉”’»›", ")"),
        **dict.fromkeys("→⇒➔➜➡►▶⟶", ">"),
        **dict.fromkeys("—―", " "),
        "×": "x",
    }
)
_CIRCLED = re.compile("[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u3251-\u325f\u32b1-\u32bf]")
_COUNTED = re.compile(r"第\s*([0-9]+|[一二三四五六七八九十百]+)\s*[手步着]\s*[:.,]?")

SEPARATORS = r"\s,;.:/|_()\[\]{}<>\"'`!?+#*=~^&\\$-"
_TOKEN = re.compile(
    r"(?P<colour>黑[方棋子]?|白[方棋子]?|先手|后手|後手|흑|백|[●⚫⬤⚪○◯〇])"
    r"|(?P<passed>(?<!-)(?:--)+(?![->])|停一手|停[着手]|[弃虚][着手权])"
    r"|(?P<word>[A-Za-zА-Яа-яЁё]+)|(?P<number>[0-9]+)|(?P<numeral>[零一二三四五六七八九十廿卅卌]+)"
    rf"|(?P<between>(?:(?!(?<!-)(?:--)+(?![->]))[手步着之の路{SEPARATORS}])+)"
)
_COLOURS: dict[str, Colour] = {
    **dict.fromkeys(("black", "noir", "schwarz", "b", "x"), BLACK),
    **dict.fromkeys(("黑", "黑方", "黑棋", "黑子", "先手", "흑", "●", "⚫", "⬤"), BLACK),
    **dict.fromkeys(("чёрные", "черные", "чёрный", "черный", "ч"), BLACK),
    **dict.fromkeys(("white", "blanc", "weiss", "w", "o"), WHITE),
    **dict.fromkeys(("白", "白方", "白棋", "白子", "后手", "後手", "백", "○", "⚪", "◯", "〇"), WHITE),
    **dict.fromkeys(("белые", "белый", "б"), WHITE),
}
_PASSES = frozenset(("pass", "passes", "passe"))
_SKIPPED = frozenset(
    ("move", "moves", "no", "nr", "step", "steps", "ply", "plays", "played", "position", "pos", "game")
)
_SHORT = frozenset("bwxoчб")
_X, _Y = frozenset(("x", "col", "column", "c")), frozenset(("y", "row", "r", "line"))
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")}
_TENS = {"廿": 20, "卅": 30, "卌": 40}
_TIGHT = re.compile(r"[-之の路,/ ]{0,2}")


@dataclass(frozen=True, slots=True)
class Stone:
    """A stone, or a pass, of a list.

    Attributes:
        x: its column, from 0 for letters, else the number written; None for a pass.
        y: its row; as `x`, but the number written where it is counted from the bottom.
        text: its text in the list.
        colour: its colour, if the list states it.
    """

    x: int | None
    y: int
    text: str
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a list of moves, with its place in the text."""

    kind: str
    text: str
    start: int
    end: int


class NotThisWayError(Exception):
    """A text that is not in the notation tried; `place` is the first offset that does not fit."""

    def __init__(self, place: int) -> None:
        self.place = place


@dataclass(slots=True)
class Numbering:
    """The numbers before moves: they count moves or pairs of moves, from any number on."""

    _starts: list[int | None] = field(default_factory=lambda: [None, None])
    _possible: list[bool] = field(default_factory=lambda: [True, True])

    def fits(self, number: int, plies: int) -> bool:
        """Add the number before the move after `plies` others; return whether the count continues."""
        for way, count in enumerate((plies, plies // 2)):
            start = self._starts[way]
            if start is None and plies == 0:
                self._starts[way] = number
            elif number - count != (1 if start is None else start):
                self._possible[way] = False
        return any(self._possible)


def prepared(text: str) -> str:
    """Normalise the signs of a text, and replace circled numbers by plain ones."""
    counted = _CIRCLED.sub(lambda sign: f" {plain(sign.group()).strip('().')}. ", text)
    return _COUNTED.sub(" ", plain(counted).translate(_SIGNS))


def tokens_of(text: str) -> list[Token]:
    """Return the words of a prepared text, without separators.

    Raises:
        NotThisWayError: there is a character that never occurs in a list of moves.
    """
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise NotThisWayError(place)
        kind, word = str(match.lastgroup), match.group()
        place = match.end()
        lower = word.lower()
        if kind == "between" or (kind == "word" and lower in _SKIPPED):
            continue
        if kind == "word" and lower in _PASSES:
            kind = "passed"
        elif kind == "word" and len(lower) > 1 and lower in _COLOURS:
            kind = "colour"
        elif kind == "word" and not word.isascii() and lower not in _SHORT:
            raise NotThisWayError(match.start())
        count = len(word) // 2 if word.startswith("--") else 1
        tokens += [Token(kind, word, match.start(), match.end())] * count
    if [token.kind for token in tokens[:3]] == ["colour", "colour", "word"]:
        tokens = tokens[2:]  # the heads of two columns
    return _with_short_colours(tokens, text)


def _with_short_colours(tokens: list[Token], text: str) -> list[Token]:
    """Distinguish the single letters that name a colour from those that name a column."""
    words = [token for token in tokens if token.kind == "word"]
    short = [token for token in words if token.text[0].lower() in _SHORT]
    if not short:
        return tokens
    only_colours = all(word.text.lower() in _SHORT for word in words) and all(
        [after.kind for after in tokens[at + 1 : at + 4]] in (["number"] * 2, ["number"] * 2 + ["word"])
        for at, token in enumerate(tokens)
        if token.kind == "word"
    )
    if len(words) > 1 and all(len(word.text) == 2 and word.text[0].lower() in _SHORT for word in words):
        tokens = [part for token in tokens for part in _colour_and_column(token)]
    marked = []
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.kind == "word" and token.text.lower() in _SHORT and following is not None:
            gap = text[token.end : following.start]
            if only_colours or (gap and following.kind in ("word", "numeral")):
                marked.append(replace(token, kind="colour"))
                continue
        marked.append(token)
    return marked


def _colour_and_column(token: Token) -> Iterator[Token]:
    """Split a word such as the ``Bh`` of ``Bh8`` into two tokens; yield any other token unchanged."""
    if token.kind == "word":
        middle = token.start + 1
        yield replace(token, kind="colour", text=token.text[0], end=middle)
        yield replace(token, text=token.text[1], start=middle)
    else:
        yield token


def colour_of(text: str) -> Colour | None:
    """Return the colour that a word or a sign names; None for any other."""
    return _COLOURS.get(text.strip().lower())


def letters_and_numbers(tokens: Sequence[Token], text: str) -> list[Stone]:
    """Parse a list such as ``h8 i9``, ``1. h-8``, ``(h, 8)`` or ``H八``.

    Raises:
        NotThisWayError: it is in another notation.
    """

    def stone(column: Token, row: Token) -> Stone | None:
        if not _is_column(column) or row.kind not in ("number", "numeral"):
            return None
        return Stone(column_number(column.text), _value(row) - 1, text[column.start : row.end])

    return _paired(tokens, text, stone)


def numbers_and_letters(tokens: Sequence[Token], text: str) -> list[Stone]:
    """Parse a list such as ``8h 9i``.

    Raises:
        NotThisWayError: it is in another notation.
    """

    def stone(row: Token, column: Token) -> Stone | None:
        if row.kind != "number" or not _is_column(column) or text[row.end : column.start].strip("-"):
            return None
        return Stone(column_number(column.text), _value(row) - 1, text[row.start : column.end])

    return _paired(tokens, text, stone)


def numerals(tokens: Sequence[Token], text: str) -> list[Stone]:
    """Parse a list with Chinese numerals for rows, such as ``8八``, ``八8`` or ``八八``.

    Raises:
        NotThisWayError: it is in another notation.
    """
    tokens = [part for token in tokens for part in _two_numerals(token)]

    def stone(first: Token, second: Token) -> Stone | None:
        kinds = {first.kind, second.kind}
        if (
            "numeral" not in kinds
            or kinds - {"numeral", "number"}
            or _TIGHT.fullmatch(text[first.end : second.start]) is None
        ):
            return None
        column, row = (second, first) if second.kind == "number" else (first, second)
        return Stone(_value(column), _value(row), text[first.start : second.end])

    return _paired(tokens, text, stone)


def pairs_of_letters(tokens: Sequence[Token]) -> list[Stone]:
    """Parse a list such as ``hhig`` or ``1. hh 2. ig``: column, and row from the top, from 0.

    Raises:
        NotThisWayError: it is in another notation.
    """
    stones: list[Stone] = []
    numbering, colour = Numbering(), None
    lengths = {len(token.text) for token in tokens if token.kind == "word"}
    if len(tokens) > 1 and lengths != {2}:
        raise NotThisWayError(tokens[0].start)  # words, rather
    for token in tokens:
        if token.kind == "colour":
            colour = colour_of(token.text)
        elif token.kind == "passed":
            stones.append(Stone(None, 0, token.text, colour))
        elif token.kind == "word" and token.text.isascii() and len(token.text) % 2 == 0:
            for place in range(0, len(token.text), 2):
                pair = token.text[place : place + 2]
                column, row = (ord(letter) - ord("a") for letter in pair.lower())
                stones.append(Stone(column, row, pair, colour))
        elif (
            token.kind != "number" or token is tokens[-1] or not numbering.fits(_value(token), len(stones))
        ):
            raise NotThisWayError(token.start)
    return stones


def named_numbers(tokens: Sequence[Token], text: str) -> list[Stone]:
    """Parse a list that names its numbers, ``x=7, y=7`` or ``row 8 column 8``.

    Raises:
        NotThisWayError: it is in another notation.
    """
    names, numbers = tokens[::2], tokens[1::2]
    if len(names) != len(numbers) or any(name.text.lower() not in _X | _Y for name in names):
        raise NotThisWayError(0)
    # A single r7c8 may be two points as well; no board is so large that x7y8 is.
    clear = any(
        len(name.text) > 1 or text[name.end : number.start].strip()
        for name, number in zip(names, numbers, strict=True)
    )
    if len(names) < 2 or not (
        clear or len(names) > 2 or [name.text.lower() for name in names] == ["x", "y"]
    ):
        raise NotThisWayError(0)
    stones: list[Stone] = []
    for one, first, two, second in zip(names[::2], numbers[::2], names[1::2], numbers[1::2], strict=False):
        x, y = (first, second) if one.text.lower() in _X else (second, first)
        if (one.text.lower() in _X) == (two.text.lower() in _X) or {x.kind, y.kind} != {"number"}:
            raise NotThisWayError(one.start)
        stones.append(Stone(_value(x), _value(y), text[one.start : second.end]))
    if len(names) % 2:
        raise NotThisWayError(names[-1].start)
    return stones


def _paired(
    tokens: Sequence[Token], text: str, stone_of: Callable[[Token, Token], Stone | None]
) -> list[Stone]:
    """Parse stones that two tokens name each, with numbers, colours and passes among them."""
    stones: list[Stone] = []
    numbering = Numbering()
    colour: Colour | None = None
    at = 0
    while at < len(tokens):
        token = tokens[at]
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        stone = None
        if following is not None and "\n" not in text[token.end : following.start]:
            stone = stone_of(token, following)
        if token.kind == "colour":
            colour = colour_of(token.text)
        elif token.kind == "passed":
            stones.append(Stone(None, 0, token.text, colour))
        elif stone is not None:
            stones.append(replace(stone, colour=colour))
            at += 1
        elif token.kind != "number" or following is None or not numbering.fits(_value(token), len(stones)):
            raise NotThisWayError(token.start)
        at += 1
    return stones


def _is_column(token: Token) -> bool:
    return token.kind == "word" and token.text.isascii() and len(token.text) <= 2


def _two_numerals(token: Token) -> Iterator[Token]:
    """Split two adjacent numerals into two tokens; yield any other token unchanged."""
    if token.kind == "numeral" and len(token.text) == 2 and set(token.text) <= _DIGITS.keys():
        middle = token.start + 1
        yield replace(token, text=token.text[0], end=middle)
        yield replace(token, text=token.text[1], start=middle)
    else:
        yield token


def _value(token: Token) -> int:
    """Return the number of a token; a long one becomes a number larger than any board's."""
    if token.kind == "number":
        return int(token.text[:9])
    total = 0
    for character in token.text:
        if character == "十":
            total = max(total, 1) * 10
        else:
            total += _TENS.get(character, _DIGITS.get(character, 0))
    return total
