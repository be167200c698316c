"""Explanations: a player's evaluation in its own numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from tengen.game.board import Board
from tengen.game.player import Branch, Choice, Explanation, Heatmap, Part
from tengen.game.rules import Rules
from tengen.schemas.analysis import ScoreData
from tengen.schemas.base import Schema
from tengen.schemas.points import named, point_names
from tengen.schemas.sentence import Sentence
from tengen.words import Message

_DIGITS = 6
"""The decimal places of the parts of a weight."""


def _sentence(message: Message | None) -> Sentence | None:
    return None if message is None else Sentence.of(message)


class PartData(Schema):
    """A part of a weight; the parts add up to it."""

    label: Sentence
    points: tuple[str, ...]
    """The points that it comes from."""
    value: float

    @classmethod
    def of(cls, rules: Rules, part: Part) -> PartData:
        """Return a part as data."""
        points = named(rules, part.points)
        return cls(label=Sentence.of(part.label), points=points, value=round(part.value, _DIGITS))


class BranchData(Schema):
    """A node of a search tree."""

    point: str
    """The move; `--` at the root."""
    value: float
    """For the side that moves there."""
    note: Sentence | None
    children: tuple[BranchData, ...]

    @classmethod
    def of(cls, rules: Rules, tree: Branch, most: int | None = None) -> BranchData:
        """Return a tree as data, limited to the `most` nodes nearest to the root; None for no limit."""
        nodes, children = [tree], []
        for node in nodes:  # which grows meanwhile: the nodes of a level come before those of the next
            begin = len(nodes)
            nodes += node.children[: None if most is None else max(most - begin, 0)]
            children.append(slice(begin, len(nodes)))
        names = point_names(rules)
        made: list[BranchData] = []  # from the last node to the first
        for node, inner in zip(reversed(nodes), reversed(children), strict=True):
            last = len(nodes) - inner.start
            below = tuple(reversed(made[len(nodes) - inner.stop : last]))
            made.append(
                cls(point=names[node.point], value=node.value, note=_sentence(node.note), children=below)
            )
        return made[-1]


class HeatmapData(Schema):
    """Other numbers of the same points."""

    name: str
    title: Sentence
    summary: Sentence
    note: Sentence
    """The way in which the numbers are computed."""
    weights: dict[str, float]
    """Below 0: against the side to move."""
    parts: dict[str, tuple[PartData, ...]]
    total: tuple[PartData, ...]
    """The parts of the number of the whole position."""

    @classmethod
    def of(cls, rules: Rules, heatmap: Heatmap) -> HeatmapData:
        """Return a heatmap as data."""
        names = point_names(rules)
        return cls(
            name=heatmap.name,
            title=Sentence.of(heatmap.title),
            summary=Sentence.of(heatmap.summary),
            note=Sentence.of(heatmap.note),
            weights={names[point]: round(weight, _DIGITS) for point, weight in heatmap.weights.items()},
            parts={names[point]: _parts(rules, parts) for point, parts in heatmap.parts.items()},
            total=_parts(rules, heatmap.total),
        )


def _parts(rules: Rules, parts: Iterable[Part]) -> tuple[PartData, ...]:
    return tuple(PartData.of(rules, part) for part in parts)


class ExplanationData(Schema):
    """An explanation, with points by name."""

    summary: Sentence
    weights: dict[str, float]
    parts: dict[str, tuple[PartData, ...]]
    lines: tuple[tuple[str, ...], ...]
    """Lines worth playing through."""
    tree: BranchData | None
    heatmaps: tuple[HeatmapData, ...]


def explanation_fields(rules: Rules, why: Explanation, most: int | None = None) -> dict[str, Any]:
    """Return the fields of `ExplanationData`; `most` is the most nodes of the tree, None for no limit."""
    names = point_names(rules)
    return {
        "summary": Sentence.of(why.summary),
        "weights": {names[point]: weight for point, weight in why.weights.items()},
        "parts": {names[point]: _parts(rules, parts) for point, parts in why.parts.items()},
        "lines": tuple(named(rules, line) for line in why.lines),
        "tree": None if why.tree is None else BranchData.of(rules, why.tree, most),
        "heatmaps": tuple(HeatmapData.of(rules, heatmap) for heatmap in why.heatmaps),
    }


class CounterData(Schema):
    """The stones on a line that can still win."""

    points: tuple[str, ...]
    value: int
    """Stones of Black less those of White."""


class ExplainedMove(ExplanationData):
    """The move of a player, and its explanation."""

    point: str | None
    """Null if the game is over, or the explanation took too long."""
    score: ScoreData | None
    counters: tuple[CounterData, ...] | None = Field(default=None, exclude_if=lambda found: found is None)
    """Of players that count stones on lines, on the smallest boards; else left out."""


class ChoiceData(ExplanationData):
    """The choice of a player, and its explanation."""

    player: str
    """The name of the player."""
    choice: str

    @classmethod
    def of(cls, board: Board, player: str, choice: Choice, why: Explanation) -> ChoiceData:
        """Return a choice with its explanation as data."""
        fields = explanation_fields(board.rules, why)
        return cls(player=player, choice=board.name(choice.point), **fields)
