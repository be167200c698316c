"""A review written into its game: comments, marks, evaluations, and better lines as variations."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import reduce

from tengen.formats.describe import colour, row
from tengen.formats.pictures.svg import check_language
from tengen.game.arguments import check_kind
from tengen.game.board import Board
from tengen.game.errors import NotAllowed
from tengen.game.player import Score
from tengen.game.points import opponent
from tengen.game.record import Mark, Node, Record
from tengen.study.judgement import Judgement
from tengen.study.review import Mistake, Review, ReviewedPosition
from tengen.words import Message, say

SIGNS: Mapping[Judgement, str] = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""The signs of the judgements."""


def annotate(record: Record, review: Review, lang: str = "en") -> Record:
    """Return a copy of a game with its review in it.

    Each mistake gets a comment, a mark on its stone (``?!``, ``?`` or ``??``) and one on the better point,
    and the better line as a variation; every move gets an evaluation. The summary is the comment on the
    first position. Comments, marks and evaluations of the record stay.

    Args:
        record: the game.
        review: its review by `tengen.review`.
        lang: the language of the comments.

    Raises:
        NotAllowed: the review is of another game.
        PictureError: the language does not exist.
        ArgumentError: an argument has the wrong type.

    Examples:
        >>> import tengen
        >>> record = tengen.Record.from_board(tengen.Board.from_moves("a1b2c3a3b1c1", "tictactoe"))
        >>> annotated = tengen.annotate(record, tengen.review(record))
        >>> print(annotated.main_line()[3].comment)
        ?? a3: blunder
        It leaves Black's threat unanswered. It lowers the chance of winning by 50%. Better: b1
        >>> print(annotated.root.comment)
        Black: 0 inaccuracies, 0 mistakes, 1 blunder. Accuracy 67%.
        White: 0 inaccuracies, 0 mistakes, 1 blunder. Accuracy 70%.
        Turning point: move 5
        >>> [len(node.children) for node in annotated.main_line()], record.root.comment
        ([1, 1, 2, 2, 1, 0], '')
    """
    check_kind("record", record, Record, "argument.record")
    check_kind("review", review, Review, "argument.review")
    check_language(lang)
    annotated = copy.copy(record)
    line, board = annotated.main_line(), annotated.board()
    if not _is_of(review, board):
        raise NotAllowed("error.review.record")
    for position in review.positions:
        if position.ply and line[position.ply - 1].score is None:
            line[position.ply - 1].score = _score(position)
    for mistake in review.mistakes:
        node = line[mistake.ply - 1]
        sentences = judged(board, mistake, lang)
        _comment(node, f"{SIGNS[mistake.judgement]} {say(title(board, mistake), lang)}\n{sentences}")
        sign = Mark(mistake.point, "label", SIGNS[mistake.judgement])
        node.marks = (*node.marks, Mark(mistake.better[0], "triangle"), sign)
        annotated.add(mistake.better, node.parent)
    _comment(annotated.root, "\n".join(say(message, lang) for message in totals(review)))
    return annotated


def title(board: Board, mistake: Mistake) -> Message:
    """Return the move of a mistake with its judgement."""
    judgement = Message(f"review.{mistake.judgement}")
    return Message("review.judged_at", {"move": board.name(mistake.point), "judgement": judgement})


def reasons(board: Board, mistake: Mistake) -> Iterator[Message]:
    """Yield why a move is a mistake, how much it lost, and the better line."""
    if mistake.reason != "win_rate":
        sides = {"colour": colour(mistake.colour), "other": colour(opponent(mistake.colour))}
        yield Message(f"review.reason.{mistake.reason}", sides)
    if percent := round(100 * mistake.loss):
        yield Message("review.lowers", {"percent": percent})
    yield Message("review.better", {"move": row(board, mistake.better)})


def judged(board: Board, mistake: Mistake, lang: str) -> str:
    """Return the reasons for a mistake as text."""
    sentences = [say(message, lang) for message in reasons(board, mistake)]
    return reduce(lambda text, more: say("review.sentences", lang, first=text, second=more), sentences)


def totals(review: Review) -> Iterator[Message]:
    """Yield the mistakes and the accuracy of each side that has moved, and the turning point.

    Of an interrupted review, that it is one: its counts would be those of a part of the game.
    """
    if not review.complete:
        key = "review.interrupted" if review.positions else "review.interrupted.none"
        yield Message(key, {"done": len(review.positions), "total": review.total})
    for side, percent in review.accuracy.items():
        counts = Counter(mistake.judgement for mistake in review.mistakes if mistake.colour == side)
        values = {
            "colour": colour(side),
            "inaccuracies": counts["inaccuracy"],
            "mistakes": counts["mistake"],
            "blunders": counts["blunder"],
        }
        reached = Message("review.accuracy", {"percent": round(percent)})
        yield Message("review.total", {"counts": Message("review.sum", values), "accuracy": reached})
    if review.turning_point:
        yield Message("review.turning_point", {"ply": review.turning_point})


def _is_of(review: Review, board: Board) -> bool:
    """Return whether a review is of the game that led to a board."""
    plies = {mistake.ply: mistake.point for mistake in review.mistakes}
    ends = {position.ply for position in review.positions[-1:]}
    return ends <= {board.ply} and all(board.moves[ply - 1] == point for ply, point in plies.items())


def _score(position: ReviewedPosition) -> Score:
    """Return the evaluation of the move that led to a position, for the side that made it."""
    if position.mate is not None and position.win_rate in (0.0, 1.0):
        plies = abs(position.mate) + 1
        return Score.win_in(plies) if position.win_rate == 0.0 else Score.loss_in(plies)
    return Score.from_win_rate(1 - position.win_rate)


def _comment(node: Node, text: str) -> None:
    """Add a text to a node's comment."""
    node.comment = "\n".join(filter(None, (node.comment, text)))
