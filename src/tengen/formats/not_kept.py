"""What a format cannot keep of the games that are written in it: found by reading them back.

Only `COMPLETE` formats keep all that a record holds. Of the others nobody has to be trusted to know: a game
is compared with what comes back, and what differs is told when it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tengen.formats.files import FORMATS
from tengen.game.errors import TengenError
from tengen.game.record import Node, Record
from tengen.game.rules import NAMES, Rules
from tengen.words import Message

COMPLETE = (".sgf", ".json", ".jsonl")
"""The formats that keep all."""

_ORDER = ("rules", "size", "moves", "variations", "comments", "marks", "scores", "times", "headers")


def not_kept(records: Sequence[Record], extension: str) -> Message | None:
    """Return a sentence about what a file of that extension does not keep of games; None if it keeps all.

    Games that the format cannot hold at all are left out: that is told where they are written.
    """
    if extension in COMPLETE:
        return None
    found: dict[str, Message] = {}
    for record in records:
        try:
            back = FORMATS[extension].read(FORMATS[extension].write([record])).records[0]
        except TengenError:
            continue
        for what in _differences(record, back, sized=FORMATS[extension].sized):
            found.setdefault(what.key.rpartition(".")[2], what)
    if not found:
        return None
    values = {
        "format": extension.removeprefix("."),
        "what": tuple(found[name] for name in _ORDER if name in found),
        "complete": tuple(name.removeprefix(".") for name in COMPLETE[:2]),
    }
    return Message("kept.not", values)


def _differences(record: Record, back: Record, *, sized: bool) -> Iterator[Message]:
    """What has not come back."""
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
    """What stands beside moves and has not come back."""
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
    """The rules but for the size, and for what a reader makes of fouls and passes in a game."""
    return {**rules.to_dict(), "width": 0, "height": 0, "fouls": "", "passing": False}


def _name(rules: Rules) -> Message:
    return Message(f"rules.{rules.name if rules.name in NAMES else 'custom'}")
