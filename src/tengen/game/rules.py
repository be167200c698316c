"""The rules of a game as a value: board size, stones in a row, and which rows win.

Five presets (tic-tac-toe, and gomoku's freestyle, standard, renju and caro) and any m,n,k game; every
field can be overridden.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, TypeAlias

from tengen.game.arguments import check_colour, is_whole, shown
from tengen.game.errors import RulesError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, WHITE, Colour

MAX_SIDE = 50
"""Longest side of a board."""

Size: TypeAlias = "int | tuple[int, int] | str"
Overline: TypeAlias = Literal["wins", "no_win", "foul"]
BlockedFive: TypeAlias = Literal["wins", "no_win"]
Fouls: TypeAlias = Literal["forbidden", "loses", "claimed"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "overline": ("wins", "no_win", "foul"),
    "blocked_five": ("wins", "no_win"),
    "fouls": ("forbidden", "loses", "claimed"),
}
_FLAGS = ("double_three", "double_four", "passing")

_PRESETS: dict[str, dict[str, Any]] = {
    "tictactoe": {"k": 3},
    "freestyle": {"k": 5},
    "standard": {"k": 5, "overline": "no_win"},
    "renju": {"k": 5, "overline": "foul", "double_three": True, "double_four": True},
    "caro": {"k": 5, "overline": "no_win", "blocked_five": "no_win"},
}
_DEFAULT_SIDE = {"tictactoe": 3}

NAMES = tuple(_PRESETS)
"""Names of the presets."""

_MNK = re.compile(r"mnk:([0-9]{1,9}),([0-9]{1,9}),([0-9]{1,9})")


@dataclass(frozen=True)
class Rules:
    """The rules of a game. Hashable and immutable; see `named` and `mnk`.

    Attributes:
        width: columns, 1 to 50.
        height: rows, 1 to 50.
        k: stones in an unbroken row that win, from 1 up; if no row of the board is that long, every
            game is a draw.
        overline: the effect of a longer row: it ``"wins"``, does not win (``"no_win"``), or is a
            ``"foul"`` for Black and wins for White.
        double_three: Black may not make two threes with one stone (renju; see `tengen.game.fouls`).
        double_four: Black may not make two fours with one stone.
        blocked_five: the effect of k stones with an enemy stone at *both* ends: ``"wins"``, or
            ``"no_win"`` as in caro. The edge of the board is no enemy.
        passing: True if a side may pass once three stones are on the board; two passes in a row draw.
        fouls: the enforcement of fouls: not legal at all (``"forbidden"``), legal but losing at once
            (``"loses"``), or losing if White claims in time (``"claimed"``).

    Examples:
        >>> import tengen
        >>> tengen.Rules(width=9, height=9, k=4).name
        'mnk:9,9,4'
        >>> rules = tengen.Rules.named("renju", fouls="loses")
        >>> rules.name, rules.size_text, rules.overline, rules.has_fouls
        ('renju', '15x15', 'foul', True)
        >>> rules == tengen.Rules.named("renju")
        False
        >>> tengen.Rules(width=51)
        Traceback (most recent call last):
            ...
        tengen.game.errors.RulesError: rules field width is 51: expected at most 50
    """

    width: int = 15
    height: int = 15
    k: int = 5
    overline: Overline = "wins"
    double_three: bool = False
    double_four: bool = False
    blocked_five: BlockedFive = "wins"
    passing: bool = False
    fouls: Fouls = "forbidden"

    def __post_init__(self) -> None:
        for side in ("width", "height"):
            _check_int(side, getattr(self, side), 1, MAX_SIDE)
        _check_int("k", self.k, 1, None)
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if not (isinstance(value, str) and value in choices):
                raise RulesError("error.rules.choice", field=name, value=shown(value), choices=choices)
        for name in _FLAGS:
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise RulesError("error.rules.flag", field=name, value=shown(value))
        # With three in a row every stone is a "three", and the recursion of rule 9.3 does not end in time.
        if (self.double_three or self.double_four) and self.k < 4:
            raise RulesError("error.rules.fouls_k", k=self.k)

    @classmethod
    def named(cls, name: str, size: Size | None = None, **overrides: Any) -> Rules:
        """Return a preset: ``tictactoe``, ``freestyle``, ``standard``, ``renju`` or ``caro``.

        Args:
            name: one of `NAMES`.
            size: side of a square board, ``(width, height)``, or text such as ``"20x15"``; 15, for
                tic-tac-toe 3, if None.
            overrides: fields that differ from the preset.

        Raises:
            RulesError: an unknown name or field, or a value out of range.

        Examples:
            >>> import tengen
            >>> tengen.Rules.named("tictactoe").size_text, tengen.Rules.named("caro", 20).size_text
            ('3x3', '20x20')
            >>> tengen.Rules.named("freestyle", "20x15", k=6).k
            6
            >>> tengen.Rules.named("caro", passing="yes")
            Traceback (most recent call last):
                ...
            tengen.game.errors.RulesError: rules field passing is 'yes': expected true or false
        """
        _check_preset(name, "error.rules.preset")
        side = _DEFAULT_SIDE.get(name, 15)
        return cls.from_dict({"width": side, "height": side, **_PRESETS[name], **_sides(size), **overrides})

    @classmethod
    def mnk(cls, m: int, n: int, k: int) -> Rules:
        """Return the m,n,k game: m columns, n rows, k or more in a row win.

        Raises:
            RulesError: a number out of range.

        Examples:
            >>> import tengen
            >>> rules = tengen.Rules.mnk(4, 3, 3)
            >>> rules.name, rules.points
            ('mnk:4,3,3', 12)
            >>> print(tengen.Board.from_moves("a1b1a2b2a3", rules))
            3 [X]. . .
            2  X O . .
            1  X O . .
               a b c d
        """
        return cls(width=m, height=n, k=k)

    @classmethod
    def parse(cls, text: str, size: Size | None = None, **overrides: Any) -> Rules:
        """Parse rules as the command line writes them: a preset's name, or ``mnk:M,N,K``.

        Raises:
            RulesError: as `named`, or a size given besides ``mnk:M,N,K``.

        Examples:
            >>> import tengen
            >>> tengen.Rules.parse("mnk:5,5,4") == tengen.Rules.mnk(5, 5, 4)
            True
            >>> tengen.Rules.parse("renju", 12).size_text
            '12x12'
            >>> tengen.Rules.parse("mnk:5,5,4", 9)
            Traceback (most recent call last):
                ...
            tengen.game.errors.RulesError: mnk:5,5,4 already gives the size of the board: leave out the size
        """
        match = _MNK.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            if isinstance(text, str) and text.startswith("mnk"):
                raise RulesError("error.rules.mnk", text=shorten(text))
            _check_preset(text, "error.rules.name")
            return cls.named(text, size, **overrides)
        if size is not None:
            raise RulesError("error.rules.mnk_size", text=text)
        m, n, k = (int(number) for number in match.groups())
        if not (1 <= m <= MAX_SIDE and 1 <= n <= MAX_SIDE and k >= 1):
            raise RulesError("error.rules.mnk_range", text=shorten(text), most=MAX_SIDE)
        return cls.from_dict({"width": m, "height": n, "k": k, **overrides})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Rules:
        """Return rules with these fields, as `to_dict` gives them; the others have their defaults.

        Raises:
            RulesError: an unknown field, or a value out of range.

        Examples:
            >>> import tengen
            >>> tengen.Rules.from_dict({"width": 7, "height": 6, "k": 4}).name
            'mnk:7,6,4'
            >>> tengen.Rules.from_dict({"width": "7"})
            Traceback (most recent call last):
                ...
            tengen.game.errors.RulesError: rules field width is '7': expected a whole number
        """
        known = [f.name for f in fields(cls)]
        if not isinstance(data, Mapping):
            raise RulesError("error.rules.fields", value=shown(data), fields=known)
        for name in data:
            if name not in known:
                raise RulesError("error.rules.field", field=shorten(str(name)), fields=known)
        return cls(**data)

    def to_dict(self) -> dict[str, Any]:
        """Return all fields by name, ready for JSON.

        Examples:
            >>> import tengen
            >>> fields = tengen.Rules.mnk(4, 3, 3).to_dict()
            >>> fields["width"], fields["height"], fields["k"], fields["overline"]
            (4, 3, 3, 'wins')
            >>> rules = tengen.Rules.named("renju")
            >>> tengen.Rules.from_dict(rules.to_dict()) == rules
            True
        """
        return asdict(self)

    @property
    def name(self) -> str:
        """The preset's name (any size and enforcement of fouls), ``mnk:M,N,K``, or ``custom``.

        Examples:
            >>> import tengen
            >>> tengen.Board("renju").rules.name, tengen.Rules(5, 5, 4).name
            ('renju', 'mnk:5,5,4')
            >>> tengen.Rules.named("renju", double_four=False).name
            'custom'
        """
        for name in NAMES:
            side = _DEFAULT_SIDE.get(name)
            size = (side, side) if side else (self.width, self.height)
            if self == Rules.named(name, size, fouls=self.fouls, passing=self.passing):
                return name
        plain = Rules.mnk(self.width, self.height, self.k)
        if self == replace(plain, fouls=self.fouls, passing=self.passing):
            return f"mnk:{self.width},{self.height},{self.k}"
        return "custom"

    @property
    def size_text(self) -> str:
        """The size as ``WxH``."""
        return f"{self.width}x{self.height}"

    @property
    def points(self) -> int:
        """Number of points on the board."""
        return self.width * self.height

    @property
    def has_fouls(self) -> bool:
        """True if any move can be a foul."""
        return self.overline == "foul" or self.double_three or self.double_four

    def overline_wins(self, colour: Colour) -> bool:
        """Return whether more than k in a row win for `colour`.

        Raises:
            TengenError: no colour.

        Examples:
            >>> import tengen
            >>> rules = tengen.Rules.named("renju")
            >>> rules.overline_wins(tengen.BLACK), rules.overline_wins(tengen.WHITE)
            (False, True)
        """
        if type(colour) is not int or colour not in (BLACK, WHITE):  # a hot path: checked quickly first
            check_colour("colour", colour)
        return self.overline == "wins" or (self.overline == "foul" and colour != BLACK)


def as_rules(rules: Rules | str) -> Rules:
    """Return rules that are given as such, or as `Rules.parse` takes them.

    Raises:
        RulesError: `rules` is neither.
    """
    return rules if isinstance(rules, Rules) else Rules.parse(rules)


def parse_size(text: str) -> tuple[int, int]:
    """Parse a board size written ``15`` or ``20x15``.

    Raises:
        RulesError: anything else, or a side out of range.
    """
    if not isinstance(text, str):
        raise RulesError("error.rules.size", text=shown(text), most=MAX_SIDE)
    plain = unicodedata.normalize("NFKC", text).strip()
    match = re.fullmatch(r"([0-9]{1,9})(?:[xX×]([0-9]{1,9}))?", plain)
    width, height = (int(match.group(1)), int(match.group(2) or match.group(1))) if match else (0, 0)
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise RulesError("error.rules.size", text=shorten(text), most=MAX_SIDE)
    return width, height


def _check_preset(name: object, key: str) -> None:
    """Require the name of a preset; `key` is the sentence of the error."""
    if not (isinstance(name, str) and name in _PRESETS):
        raise RulesError(key, name=shorten(name) if isinstance(name, str) else shown(name), names=NAMES)


def _sides(size: Size | None) -> dict[str, Any]:
    if size is None:
        return {}
    if isinstance(size, str):
        size = parse_size(size)
    if isinstance(size, (tuple, list)):
        if len(size) != 2:
            raise RulesError("error.rules.size", text=shown(size), most=MAX_SIDE)
        return {"width": size[0], "height": size[1]}
    return {"width": size, "height": size}


def _check_int(name: str, value: object, least: int, most: int | None) -> None:
    if not (isinstance(value, int) and is_whole(value)):
        raise RulesError("error.rules.integer", field=name, value=shown(value))
    if value < least:
        raise RulesError("error.rules.least", field=name, value=shown(value), least=least)
    if most is not None and value > most:
        raise RulesError("error.rules.most", field=name, value=shown(value), most=most)
