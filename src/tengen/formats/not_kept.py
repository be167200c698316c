"""Losses of a format, found by reading back the games written in it.

Only `COMPLETE` formats keep everything a record holds. For the others no list has to be kept up to date: a
game is compared with its copy read back, and the differences are reported when it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tengen.formats.files import FORMATS
from tengen.game.errors import TengenError
from tengen.game.record import Node, Record
from tengen.game.rules import NAMES, Rules
from tengen.words import Message

COMPLETE = (".sgf", ".json", ".jsonl")
"""The formats that keep everything."""

_ORDER = ("rules", "size", "moves", "variations", "comments", "marks", "scores", "times", "headers")


def not_kept(records: Sequence[Record], extension: str) -> Message | None:
    """Return a sentence about the losses of games in a file of that extension; None if there are none.

    Games that the format cannot hold at all are left out: writing them reports that.
    """
    if extension in COMPLETE:
        return None
    losses: dict[str, Message] = {}
    for record in records:
        try:
            back = FORMATS[extension].read(FORMATS[extension].write([record])).records[0]
        except TengenError:
            continue
        for loss in _differences(record, back, sized=FORMATS[extension].sized):
            losses.setdefault(loss.key.rpartition(".")[2], loss)
    if not losses:
        return None
    values = {
        "format": extension.removeprefix("."),
        "what": tuple(losses[name] for name in _ORDER if name in losses),
        "complete": tuple(name.removeprefix(".") for name in COMPLETE[:2]),
    }
    return Message("kept.not", values)


def _differences(record: Record, back: Record, *, sized: bool) -> Iterator[Message]:
    """Yield the losses of a record read back."""
    rules, read = record.rules, back.rules
    if (rules.width, rules.height) != (read.width, read.height) or not sized:
        yield Message("kept.size", {"size": rules.size_text})
    if _fields(rules) != _fields(read):
        yield Message("kept.rules", {"rules": _name(rules), "read": _name(read)})
    kept = [node.point for node in back.main_line()] == [node.point for node in record.main_line()]
    if not kept and record.main_line():
        yield Message("kept.moves")
    ours, theirs = list(record.nodes()), list(back.nodes())
    whole = [(node.point, len(node.children)) for node in ours] == [
        (node.point, len(node.children)) for node in theirs
    ]
    if kept and not whole:
        yield Message("kept.variations")
    if not whole:
        ours = [record.root, *record.main_line()]
        theirs = [back.root, *back.main_line()] if kept else []
    yield from _lost_details(ours, theirs)
    if any(back.headers.get(key) != value for key, value in record.headers.items()):
        yield Message("kept.headers")


def _lost_details(ours: Sequence[Node], theirs: Sequence[Node]) -> Iterator[Message]:
    """Yield the losses among the details of moves."""
    pairs = list(zip(ours, theirs, strict=False)) if theirs else [(node, Node()) for node in ours]
    if any(one.comment and one.comment != two.comment for one, two in pairs):
        yield Message("kept.comments")
    if any(set(one.marks) != set(two.marks) for one, two in pairs):
        yield Message("kept.marks")
    if any(one.score is not None and one.score != two.score for one, two in pairs):
        yield Message("kept.scores")
    if any(one.seconds and two.seconds is None for one, two in pairs):
        yield Message("kept.times")


def _fields(rules: Rules) -> dict[str, object]:
    """The fields of rules, except the size and those that a reader adapts to a game's fouls and passes."""
    return {**rules.to_dict(), "width": 0, "height": 0, "fouls": "", "passing": False}


def _name(rules: Rules) -> Message:
    return Message(f"rules.{rules.name if rules.name in NAMES else 'custom'}")
