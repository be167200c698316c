"""Generated records, and ways to damage a file, for the tests of all formats."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from tengen import BLACK, PASS, WHITE, Board, Record, Rules
from tengen.game.player import Score
from tengen.game.record import Mark, MarkKind, Node
from tests import strategies

RULES = strategies.rules()
FIFTEEN = st.sampled_from(("freestyle", "standard", "renju", "caro")).map(Rules.named)
"""The rules that formats for 15x15 know, with the fields of the presets."""

LINE = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20).filter(
    lambda text: text == " ".join(text.split())
)
"""One line of text in any script, without blanks at either end or two in a row."""

TEXT = st.lists(LINE, min_size=1, max_size=3).map("\n".join)
"""One line or more."""

SECONDS = st.integers(0, 3_600_000).map(lambda milliseconds: milliseconds / 1000)
SCORES = st.builds(Score, st.integers(-29_000, 29_000)) | st.one_of(
    st.integers(1, 225).map(Score.win_in), st.integers(1, 225).map(Score.loss_in)
)

KINDS: tuple[MarkKind, ...] = get_args(MarkKind)

HEADERS: dict[str, st.SearchStrategy[str]] = {
    "event": LINE,
    "site": LINE,
    "date": st.sampled_from(("2024-05-17", "2024-05", "2024")),
    "round": st.integers(1, 30).map(str),
    "black": LINE,
    "white": LINE,
    "result": st.sampled_from(("black", "white", "draw")),
    "opening": LINE,
    "time": st.integers(1, 100_000).map(str),
    "annotator": LINE,
    "source": LINE,
    "name": LINE,
    "comment": TEXT,
}
"""The headers that `tengen.formats.common` names, with values that every format should be able to hold.

``reason`` is left out: which reasons a file can tell apart differs, and depends on the result.
"""


def headers(*names: str) -> st.SearchStrategy[dict[str, str]]:
    """Any of the headers of these names, or of all."""
    return st.fixed_dictionaries({}, optional={name: HEADERS[name] for name in names or HEADERS})


@st.composite
def marks(draw: st.DrawFn, points: int, labels: st.SearchStrategy[str] = LINE) -> tuple[Mark, ...]:
    """A few marks, at most one of a kind on a point."""
    found: dict[tuple[int, str], Mark] = {}
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(KINDS))
        point = draw(st.integers(0, points - 1))
        found[point, kind] = Mark(point, kind, draw(labels) if kind == "label" else "")
    return tuple(found.values())


@st.composite
def records(
    draw: st.DrawFn,
    rules: st.SearchStrategy[Rules] = RULES,
    *,
    headers: st.SearchStrategy[dict[str, str]] = headers(),  # noqa: B008
    setups: bool = True,
    variations: bool = True,
    comments: st.SearchStrategy[str] | None = TEXT,
    labels: st.SearchStrategy[str] | None = LINE,
    scores: st.SearchStrategy[Score] | None = SCORES,
    seconds: st.SearchStrategy[float] | None = SECONDS,
    most: int = 30,
) -> Record:
    """A record of legal play under any rules, ended or not, with as much on it as asked for.

    Args:
        draw: hypothesis'.
        rules: under which to play.
        headers: of the whole game.
        setups: whether it may begin from a set-up position, either side to move.
        variations: whether it may branch; without, it is one line.
        comments: for some nodes, the root among them; None for no comments.
        labels: for the texts of marks, on some nodes; None for no marks of any kind.
        scores: for some moves, or None.
        seconds: for some moves, or None.
        most: the most moves to try.
    """
    chosen = draw(rules)
    board = Board(chosen)
    if setups and draw(st.integers(0, 3)) == 0:
        stones = draw(strategies.cells(chosen))
        black, white = ([p for p, c in enumerate(stones) if c == colour] for colour in (BLACK, WHITE))
        board = Board.from_stones(black, white, draw(st.sampled_from((BLACK, WHITE))), chosen)
    record = Record(chosen, board.setup, draw(headers))
    node = record.root
    _decorate(draw, node, chosen, comments, labels, None, None)
    for move in draw(st.lists(st.integers(PASS, chosen.points - 1), max_size=most)):
        if variations and draw(st.integers(0, 7)) == 0:
            for _ in range(draw(st.integers(1, 6))):
                if node.parent is not None:
                    board.pop()
                    node = node.parent
        if board.is_legal(move):
            board.push(move)
            fresh = node.child(move) is None
            node = node.add(move)
            if fresh:
                _decorate(draw, node, chosen, comments, labels, scores, seconds)
    return record


def main_lines(
    rules: st.SearchStrategy[Rules] = RULES,
    headers: st.SearchStrategy[dict[str, str]] = st.just({}),  # noqa: B008
) -> st.SearchStrategy[Record]:
    """Records of one line of moves from the empty board, with nothing on it; arguments as of `records`."""
    return records(
        rules,
        headers=headers,
        setups=False,
        variations=False,
        comments=None,
        labels=None,
        scores=None,
        seconds=None,
    )


def _decorate(
    draw: st.DrawFn,
    node: Node,
    rules: Rules,
    comments: st.SearchStrategy[str] | None,
    labels: st.SearchStrategy[str] | None,
    scores: st.SearchStrategy[Score] | None,
    seconds: st.SearchStrategy[float] | None,
) -> None:
    what = draw(st.integers(0, 31))
    if comments is not None and what & 3 == 1:
        node.comment = draw(comments)
    if labels is not None and what & 7 == 2:
        node.marks = draw(marks(rules.points, labels))
    if scores is not None and what & 12 == 4:
        node.score = draw(scores)
    if seconds is not None and what & 16:
        node.seconds = draw(seconds)


@st.composite
def damaged(draw: st.DrawFn, files: st.SearchStrategy[bytes]) -> bytes:
    """A file cut short, with bits flipped, bytes put in or taken out, or spliced with another."""
    data = bytearray(draw(files))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(data)))
        kind = draw(st.sampled_from(("cut", "flip", "insert", "remove", "splice", "repeat")))
        if kind == "cut":
            del data[place:]
        elif kind == "flip" and place < len(data):
            data[place] ^= 1 << draw(st.integers(0, 7))
        elif kind == "insert":
            data[place:place] = draw(st.binary(min_size=1, max_size=8))
        elif kind == "remove":
            del data[place : place + draw(st.integers(1, 16))]
        elif kind == "splice":
            data[place:] = draw(files)[place:]
        else:
            data[place:place] = data[place : place + 32] * 2
    return bytes(data)


def hostile(files: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """Damaged files, and bytes that were never a file."""
    return damaged(files) | st.binary(max_size=200)
