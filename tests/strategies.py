"""Hypothesis strategies that several test modules share."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tengen import BLACK, EMPTY, PASS, WHITE, Board, Rules
from tengen.game.points import Colour
from tengen.game.rules import NAMES, Fouls

SIDES = st.integers(1, 9)
ENFORCED: st.SearchStrategy[Fouls] = st.sampled_from(("forbidden", "loses", "claimed"))

SPARSE: Sequence[Colour] = (EMPTY,) * 6 + (BLACK,) * 2 + (WHITE,)
"""Colours to draw from where fouls should be frequent and fives rare."""


@st.composite
def rules(draw: st.DrawFn, sides: st.SearchStrategy[int] = SIDES) -> Rules:
    """Rules of every kind: presets, m,n,k games, and fields combined at will."""
    kind = draw(st.sampled_from(("preset", "mnk", "custom")))
    width, height = draw(sides), draw(sides)
    if kind == "preset":
        name = draw(st.sampled_from(NAMES))
        return Rules.named(name, size=(width, height), fouls=draw(ENFORCED), passing=draw(st.booleans()))
    k = draw(st.integers(1, 6))
    if kind == "mnk":
        return Rules.mnk(width, height, k)
    # Three-three and four-four are fouls only from four in a row upward.
    fouls = st.booleans() if k > 3 else st.just(False)
    return Rules(
        width=width,
        height=height,
        k=k,
        overline=draw(st.sampled_from(("wins", "no_win", "foul"))),
        double_three=draw(fouls),
        double_four=draw(fouls),
        blocked_five=draw(st.sampled_from(("wins", "no_win"))),
        passing=draw(st.booleans()),
        fouls=draw(ENFORCED),
    )


@st.composite
def fouled_rules(draw: st.DrawFn, sides: st.SearchStrategy[int] = SIDES) -> Rules:
    """Rules with fouls: mostly renju, else others that forbid three-threes and four-fours."""
    size = draw(sides), draw(sides)
    if draw(st.integers(0, 2)):
        return Rules.named("renju", size=size, fouls=draw(ENFORCED))
    return Rules(
        *size,
        k=draw(st.sampled_from((4, 5, 6))),
        overline=draw(st.sampled_from(("wins", "no_win", "foul"))),
        double_three=draw(st.booleans()),
        double_four=True,
        blocked_five=draw(st.sampled_from(("wins", "no_win"))),
        fouls=draw(ENFORCED),
    )


def engine_rules(sizes: st.SearchStrategy[int] = st.integers(5, 12)) -> st.SearchStrategy[Rules]:  # noqa: B008
    """Rules that the engine plays: five in a row without passing on square boards, of every kind."""
    names = st.sampled_from(("freestyle", "standard", "renju", "caro"))
    return st.builds(
        lambda name, size, enforced: Rules.named(name, size, fouls=enforced), names, sizes, ENFORCED
    )


@st.composite
def cells(draw: st.DrawFn, rules: Rules, colours: Sequence[Colour] = SPARSE) -> bytes:
    """The colour of every point, each drawn from `colours`."""
    size = rules.points
    return bytes(draw(st.lists(st.sampled_from(colours), min_size=size, max_size=size)))


@st.composite
def played(draw: st.DrawFn, rules: st.SearchStrategy[Rules] = rules(), most: int = 50) -> Board:  # noqa: B008
    """A board reached by random legal play, passes and the end of the game included."""
    board = Board(draw(rules))
    tries = draw(st.integers(0, most))
    for move in draw(st.lists(st.integers(PASS, board.rules.points - 1), min_size=tries, max_size=tries)):
        if board.is_legal(move):
            board.push(move)
    return board


@st.composite
def set_up(
    draw: st.DrawFn,
    rules: st.SearchStrategy[Rules] = rules(),  # noqa: B008
    colours: Sequence[Colour] = SPARSE,
) -> Board:
    """A set-up position with any stones, either side to move, and perhaps a few moves more."""
    chosen = draw(rules)
    stones = draw(cells(chosen, colours))
    black, white = ([p for p, c in enumerate(stones) if c == colour] for colour in (BLACK, WHITE))
    board = Board.from_stones(black, white, draw(st.sampled_from((BLACK, WHITE))), chosen)
    for move in draw(st.lists(st.integers(PASS, chosen.points - 1), max_size=6)):
        if board.is_legal(move):
            board.push(move)
    return board


def boards() -> st.SearchStrategy[Board]:
    """Boards of every kind, played or set up, over or not."""
    return played() | set_up()
