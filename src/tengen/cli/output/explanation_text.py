"""A player's explanation in text and as data: its numbers on the board, their parts, its lines and tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tengen.game.board import Board
from tengen.game.diagram import STONES
from tengen.game.notation import column_name
from tengen.game.player import Branch, Choice, Explanation
from tengen.game.points import Point
from tengen.words import Message, say

_SHOWN_POINTS = 3
_SHOWN_BRANCHES = 6
_SHOWN_DEPTH = 4


def text(board: Board, choice: Choice, explanation: Explanation, lang: str) -> str:
    """The explanation as a page of text."""
    pages = [say("explain.choice", lang, point=board.name(choice.point))]
    pages.append(say(explanation.summary, lang))
    if explanation.weights:
        pages += ["", weights_board(board, explanation.weights, lang)]
        pages += [line for point in _best(explanation) for line in _parts(board, explanation, point, lang)]
    for number, line in enumerate(explanation.lines, 1):
        names = " ".join(board.name(point) for point in line)
        pages.append(say("explain.line", lang, number=number, line=names))
    if explanation.tree is not None:
        pages += ["", say("explain.tree", lang), *_tree(board, explanation.tree, lang, 0)]
    return "\n".join(pages)


def weights_board(board: Board, weights: Mapping[Point, float], lang: str) -> str:
    """The board with the weight of each point that has one.

    Numbers that do not fit, or are fractions, are given as a percentage of the largest. Zeros are shown
    only where they lie between other weights: among positive ones they say nothing.
    """
    largest = max(abs(weight) for weight in weights.values()) or 1.0
    whole = all(float(weight).is_integer() for weight in weights.values())
    plain = largest < 10_000 and (whole or largest >= 10)
    zeros = min(weights.values()) < 0
    cells = {
        point: str(round(weight if plain else weight / largest * 100))
        for point, weight in weights.items()
        if weight or zeros
    }
    columns = [column_name(x) for x in range(board.width)]
    cell = max(len(name) for name in [*columns, *cells.values()]) + 1
    margin = len(str(board.height))
    position = board.position
    rows = []
    for y in reversed(range(board.height)):
        points = range(y * board.width, (y + 1) * board.width)
        signs = (cells.get(point, STONES[position[point]]) for point in points)
        rows.append(f"{y + 1:>{margin}}" + "".join(f"{sign:>{cell}}" for sign in signs))
    rows.append(" " * margin + "".join(f"{name:>{cell}}" for name in columns))
    if not plain:
        rows.append(say("explain.percent", lang, largest=f"{largest:.4g}"))
    return "\n".join(rows)


def data(board: Board, player: str, choice: Choice, explanation: Explanation, lang: str) -> dict[str, Any]:
    """The explanation as JSON-ready data; points by name."""
    name = board.name
    return {
        "player": player,
        "choice": name(choice.point),
        "summary": say(explanation.summary, lang),
        "weights": {name(point): weight for point, weight in explanation.weights.items()},
        "parts": {
            name(point): [
                {"label": say(p.label, lang), "points": [name(q) for q in p.points], "value": p.value}
                for p in parts
            ]
            for point, parts in explanation.parts.items()
        },
        "lines": [[name(point) for point in line] for line in explanation.lines],
        "tree": None if explanation.tree is None else _branch_data(board, explanation.tree, lang),
    }


def _best(explanation: Explanation) -> list[Point]:
    weights = explanation.weights
    return sorted(weights, key=lambda point: (-weights[point], point))[:_SHOWN_POINTS]


def _parts(board: Board, explanation: Explanation, point: Point, lang: str) -> Iterator[str]:
    parts = [part for part in explanation.parts.get(point, ()) if part.value]
    if not parts:
        return
    weight = explanation.weights[point]
    yield say("explain.point", lang, point=board.name(point), weight=f"{_number(weight)}")
    for part in parts:
        names = " ".join(board.name(p) for p in part.points)
        yield f"  {_number(part.value):>8}  {say(part.label, lang)}" + (f"  ({names})" if names else "")


def _tree(board: Board, branch: Branch, lang: str, depth: int) -> Iterator[str]:
    for child in branch.children[:_SHOWN_BRANCHES]:
        note = "" if child.note is None else "  " + say(child.note, lang)
        yield f"{'  ' * depth}{board.name(child.point)}  {_number(child.value)}{note}"
        if depth + 1 < _SHOWN_DEPTH:
            yield from _tree(board, child, lang, depth + 1)
    more = len(branch.children) - _SHOWN_BRANCHES
    if more > 0:
        yield "  " * depth + say(Message("explain.more", {"count": more}), lang)


def _branch_data(board: Board, branch: Branch, lang: str) -> dict[str, Any]:
    return {
        "point": board.name(branch.point),
        "value": branch.value,
        "note": None if branch.note is None else say(branch.note, lang),
        "children": [_branch_data(board, child, lang) for child in branch.children],
    }


def _number(value: float) -> str:
    """A worth with as many digits as matter: 0.4861, 48.6, 29997."""
    return str(round(value)) if abs(value) >= 1000 else f"{value:.4g}"
