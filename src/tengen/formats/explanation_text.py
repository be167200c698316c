"""Explanations of players as text and as data: weights on the board, lines, trees and heatmaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tengen.game.board import Board
from tengen.game.diagram import STONES
from tengen.game.notation import column_name
from tengen.game.player import Branch, Choice, Explanation, Heatmap, Part
from tengen.game.points import Point
from tengen.plaintext.wrapping import wrapped
from tengen.words import Message, say

_SHOWN_POINTS = 3
_SHOWN_BRANCHES = 6
_SHOWN_DEPTH = 4
_IN_ALL = Message("explain.total")


def text(
    board: Board, choice: Choice, explanation: Explanation, lang: str, width: int | None = None
) -> str:
    """Return the explanation as a page of text.

    Args:
        board: the position in which the move was chosen.
        choice: the chosen move.
        explanation: the explanation.
        lang: the language of the text.
        width: the columns of the page; None for no limit. A board is wider if its numbers would be
            illegible otherwise.
    """
    pages = [say("explain.choice", lang, point=board.name(choice.point))]
    pages.append(say(explanation.summary, lang))
    if explanation.weights:
        pages += ["", weights_board(board, explanation.weights, lang, width)]
        for point in _largest(explanation.weights):
            pages += _parts(board, explanation.weights, explanation.parts, point, lang)
    for number, line in enumerate(explanation.lines, 1):
        names = " ".join(board.name(point) for point in line)
        pages.append(say("explain.line", lang, number=number, line=names))
    if explanation.tree is not None:
        pages += ["", say("explain.tree", lang), *_tree(board, explanation.tree, lang, 0)]
    for heatmap in explanation.heatmaps:
        pages += ["", *_heatmap(board, heatmap, lang, width)]
    if width is None:
        return "\n".join(pages)
    # Boards are multi-line texts and are not wrapped.
    fitted = ([page] if "\n" in page else wrapped(page, width) for page in pages)
    return "\n".join(line for lines in fitted for line in lines)


def weights_board(board: Board, weights: Mapping[Point, float], lang: str, width: int | None = None) -> str:
    """Return the board with the weight of each point that has one.

    Weights are shown as percentages of the largest if it is 10,000 or more, if they are fractions below 10,
    or if numbers of three or more digits would make a row wider than `width` columns. Zeros are shown only
    if there are negative weights: among positive weights they carry no information.
    """
    largest = max(abs(weight) for weight in weights.values()) or 1.0
    whole = all(float(weight).is_integer() for weight in weights.values())
    margin = len(str(board.height))
    zeros = min(weights.values()) < 0
    digits = max(len(str(round(weight))) for weight in weights.values())
    narrow = width is None or margin + board.width * (digits + 1) <= width
    plain = largest < 10_000 and (whole or largest >= 10) and (narrow or largest < 100)
    cells = {
        point: str(round(weight if plain else weight / largest * 100))
        for point, weight in weights.items()
        if weight or zeros
    }
    columns = [column_name(x) for x in range(board.width)]
    cell = max(len(name) for name in [*columns, *cells.values()]) + 1
    position = board.position
    rows = []
    for y in reversed(range(board.height)):
        points = range(y * board.width, (y + 1) * board.width)
        signs = (cells.get(point, STONES[position[point]]) for point in points)
        rows.append(f"{y + 1:>{margin}}" + "".join(f"{sign:>{cell}}" for sign in signs))
    rows.append(" " * margin + "".join(f"{name:>{cell}}" for name in columns))
    if not plain:
        percent = say("explain.percent", lang, largest=f"{largest:.4g}")
        rows += [percent] if width is None else wrapped(percent, width)
    return "\n".join(rows)


def _largest(weights: Mapping[Point, float]) -> list[Point]:
    return sorted(weights, key=lambda point: (-weights[point], point))[:_SHOWN_POINTS]


def _parts(
    board: Board,
    weights: Mapping[Point, float],
    parts_of: Mapping[Point, tuple[Part, ...]],
    point: Point,
    lang: str,
) -> Iterator[str]:
    parts = [part for part in parts_of.get(point, ()) if part.value]
    if not parts:
        return
    yield say("explain.point", lang, point=board.name(point), weight=f"{_number(weights[point])}")
    yield from (_part(board, part, lang) for part in parts)


def _part(board: Board, part: Part, lang: str) -> str:
    names = " ".join(board.name(p) for p in part.points)
    return f"  {_number(part.value):>8}  {say(part.label, lang)}" + (f"  ({names})" if names else "")


def _heatmap(board: Board, heatmap: Heatmap, lang: str, width: int | None) -> Iterator[str]:
    yield say("explain.heatmap", lang, title=heatmap.title, summary=heatmap.summary)
    yield say(heatmap.note, lang)
    if heatmap.total:
        whole = sum(part.value for part in heatmap.total)
        yield from (_part(board, part, lang) for part in (*heatmap.total, Part(_IN_ALL, (), whole)))
    # Weights that round to zero would hide the stones.
    weights = {point: weight for point, weight in heatmap.weights.items() if abs(weight) >= 0.5}
    if not weights:
        return
    yield weights_board(board, weights, lang, width)
    size = {point: abs(weight) for point, weight in weights.items()}
    for point in _largest(size):
        yield from _parts(board, weights, heatmap.parts, point, lang)


def _tree(board: Board, branch: Branch, lang: str, depth: int) -> Iterator[str]:
    for child in branch.children[:_SHOWN_BRANCHES]:
        note = "" if child.note is None else "  " + say(child.note, lang)
        yield f"{'  ' * depth}{board.name(child.point)}  {_number(child.value)}{note}"
        if depth + 1 < _SHOWN_DEPTH:
            yield from _tree(board, child, lang, depth + 1)
    more = len(branch.children) - _SHOWN_BRANCHES
    if more > 0:
        yield "  " * depth + say(Message("explain.more", {"count": more}), lang)


def _number(value: float) -> str:
    """Format a value with its significant digits: 0.4861, 48.6, 29997."""
    return str(round(value)) if abs(value) >= 1000 else f"{value:.4g}"
