"""The reading of queries: JSON text into positions to analyse, and actions."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from tengen.engine.board.playable import check_analysable
from tengen.engine.search.first_moves import FirstMoves
from tengen.game.arguments import MOST, MOST_NODES, MOST_SECONDS
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.player import Limit
from tengen.game.rules import Rules, Size
from tengen.plaintext.characters import clean
from tengen.queries.query_queue import Query
from tengen.schemas.points import SIDES
from tengen.schemas.queries import AnalysisQuery
from tengen.words import Message

LONGEST = 1 << 20
"""The maximum length of a query in bytes."""

_MOST = {"nodes": MOST_NODES - 1, "depth": MOST, "lines": MOST_NODES - 1} | dict.fromkeys(
    ("seconds", "report_every", "report_first"), int(MOST_SECONDS)
)
"""The greatest values of numbers, by their fields."""

_EXPECTED = {
    "id": "query.id",
    "moves": "query.moves",
    "rules": "query.rules",
    "size": "query.size",
    "setup": "query.setup",
    "turns": "query.turns",
    "allow": "query.moves",
    "avoid": "query.moves",
    "seconds": "query.seconds",
    "nodes": "query.whole",
    "depth": "query.whole",
    "lines": "query.whole",
    "report": "query.truth",
    "report_every": "query.seconds",
    "report_first": "query.seconds",
    "priority": "query.integer",
    "priorities": "query.priorities",
    "policy": "query.truth",
    "heat": "query.truth",
    "threats": "query.truth",
    "win": "query.win",
    "attacker": "query.colour",
}
"""The fields of a query, each with the sentence about its values."""

_ACTIONS = {
    "query_version": (),
    "query_running": (),
    "clear_cache": (),
    "terminate": ("terminateId",),
    "terminate_all": (),
}
"""The actions, with the fields that each requires."""


class QueryError(TengenError):
    """An error for an invalid query."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """Defaults for fields missing in a query, and bounds.

    Attributes:
        rules: the name of the rules.
        size: the board size; the default of the rules if None.
        limit: the limit of a query that sets no limit at all.
        lines: the number of moves to return.
        most: the greatest values of numbers by their fields, and of `turns` the most positions of a query.
    """

    rules: str = "freestyle"
    size: Size | None = None
    limit: Limit = field(default_factory=lambda: Limit(seconds=1.0))
    lines: int = 1
    most: Mapping[str, int] = field(default_factory=dict)


def read_object(line: str) -> dict[str, Any]:
    """Parse a text as a JSON object.

    Raises:
        QueryError: the text is too long, or not a JSON object.
    """
    if len(line) > LONGEST or len(line.encode("utf-8", "replace")) > LONGEST:
        raise QueryError("error.query.long", most=LONGEST)
    found = None
    with suppress(ValueError, RecursionError):
        found = json.loads(line, parse_constant=_refuse)
    if found is None:
        # Retry without whitespace that JSON does not allow and without invisible characters.
        with suppress(ValueError, RecursionError):
            found = json.loads(clean(line), parse_constant=_refuse)
    if not isinstance(found, dict):
        raise QueryError("error.query.json", text=shorten(line.strip()))
    return found


def _refuse(text: str) -> None:
    """Reject constants such as ``NaN``, which Python's parser accepts but JSON does not have."""
    raise ValueError(text)


def query_id(query: Mapping[str, Any]) -> str | int:
    """Return the id of a query.

    Raises:
        QueryError: the id is missing or invalid.
    """
    found = query.get("id")
    if isinstance(found, bool) or not isinstance(found, (str, int)):
        raise _wrong("id", found, Message("query.id"))
    return found


def read_action(query: Mapping[str, Any]) -> str:
    """Return the action of a query with an ``action``.

    Raises:
        QueryError: the action does not exist, or a field is missing or invalid.
    """
    action = query["action"]
    if not isinstance(action, str) or action not in _ACTIONS:
        raise QueryError("error.query.action", name=_shown(action), names=tuple(_ACTIONS))
    for name in _ACTIONS[action]:
        if name not in query:
            raise _wrong(name, None, Message("query.id"))
    turns = query.get("turns")
    if action == "terminate" and turns is not None and not _are_whole(turns):
        raise _wrong("turns", turns, Message("query.turns"))
    return action


def _are_whole(values: object) -> bool:
    return isinstance(values, list) and all(type(value) is int for value in values)


def is_terminated(query: Query, action: Mapping[str, Any]) -> bool:
    """Return whether ``terminate`` or ``terminate_all`` names a query."""
    if action["action"] == "terminate_all":
        return True
    turns = action.get("turns")
    return bool(query.id == action["terminateId"] and (turns is None or query.turn in turns))


def read_queries(query: Mapping[str, Any], defaults: Defaults) -> list[Query]:
    """Parse an analysis query; return one query for each of its positions, in order.

    Raises:
        QueryError: a field is unknown or has an invalid value, or a turn cannot be analysed.
        NotationError: the moves or points cannot be parsed.
        IllegalMove: a move is illegal.
        RulesError: the rules or the size do not exist, or the engine does not support them.
        GameOver: the game is over.
        TengenError: no move is left to consider.
    """
    try:
        asked = AnalysisQuery.model_validate(query)
    except ValidationError as error:
        raise _refusal(error, query, defaults) from error
    for name, most in defaults.most.items():
        value = getattr(asked, name)
        if isinstance(value, (int, float)) and value > most:
            raise _wrong(name, value, Message("query.most", {"most": most}))
    rules = Rules.parse(asked.rules or defaults.rules, defaults.size if asked.size is None else asked.size)
    setup = asked.setup
    start = Board(rules)
    if setup is not None:
        start = Board.from_stones(setup.black, setup.white, SIDES.get(setup.turn or ""), rules)
    found = list(_turns(asked, start, query))
    most = defaults.most.get("turns", len(found))
    if len(found) > most:
        raise _wrong("turns", len(found), Message("query.most", {"most": most}))
    return [
        query_of(asked, board, defaults, turn=turn, priority=priority) for turn, board, priority in found
    ]


def _turns(
    asked: AnalysisQuery, start: Board, query: Mapping[str, Any]
) -> Iterator[tuple[int | None, Board, int]]:
    """Yield the positions of a query, each with its turn and its priority."""
    moves, turns = start.parse_moves(asked.moves), asked.turns
    boards = [start]
    for move in moves:
        after = boards[-1].copy() if turns is not None else boards.pop()
        after.push(move)
        boards.append(after)
    if turns is None:
        if asked.priorities is not None:
            raise _wrong("priorities", query["priorities"], Message("query.priorities"))
        yield None, boards[-1], asked.priority
        return
    if turns == "all":
        # The position after the last move of a game that is over has no move to find.
        turns = tuple(turn for turn, board in enumerate(boards) if board.outcome() is None)
    if turns and max(turns) > len(moves):
        raise _wrong("turns", max(turns), Message("query.turn", {"most": len(moves)}))
    priorities = asked.priorities
    if priorities is None:
        priorities = (asked.priority,) * len(turns)
    if len(priorities) != len(turns):
        raise _wrong("priorities", query["priorities"], Message("query.priorities"))
    for turn, priority in zip(turns, priorities, strict=True):
        yield turn, boards[turn], priority


def query_of(
    asked: AnalysisQuery,
    board: Board,
    defaults: Defaults,
    *,
    turn: int | None = None,
    priority: int = 0,
) -> Query:
    """Return the query of one position.

    Args:
        asked: the query of the client.
        board: the position.
        defaults: defaults for missing fields.
        turn: the number of moves before the position; None unless the client has asked for turns.
        priority: queries of higher priority are processed first.

    Raises:
        TengenError: the position cannot be analysed.
    """
    try:
        check_analysable(board)
        allow = None if asked.allow is None else board.parse_moves(asked.allow)
        avoid = board.parse_moves(asked.avoid)
        first_moves = FirstMoves.of(board, allow, avoid)
    except TengenError as error:
        if turn is None:
            raise
        raise QueryError("error.query.turn", turn=turn, reason=error.message) from error
    choices = board.legal_points() if first_moves is None else first_moves.points
    limit = Limit(asked.seconds, asked.nodes, asked.depth)
    return Query(
        id=asked.id,
        turn=turn,
        board=board,
        limit=defaults.limit if limit == Limit() else limit,
        lines=max(min(asked.lines or defaults.lines, len(choices)), 1),
        allow=allow,
        avoid=avoid,
        report=asked.report,
        report_every=asked.report_every,
        report_first=asked.report_first or asked.report_every,
        priority=priority,
        policy=asked.policy,
        heat=asked.heat,
        threats=asked.threats,
        win=asked.win,
        attacker=SIDES.get(asked.attacker or "", board.turn),
    )


def _refusal(error: ValidationError, query: Mapping[str, Any], defaults: Defaults) -> QueryError:
    """Return the error about the first field of a query that is wrong."""
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    name = str(problem["loc"][0])
    if problem["type"] == "extra_forbidden" and len(problem["loc"]) == 1:
        return QueryError("error.query.field", field=shorten(name), names=tuple(_EXPECTED))
    value, expected = query.get(name), Message(_EXPECTED[name])
    most = defaults.most.get(name, _MOST.get(name, math.inf))
    if name in _MOST and isinstance(value, (int, float)) and value > most:
        expected = Message("query.within", {"expected": expected, "most": most})
    return _wrong(name, value, expected)


def _wrong(name: str, value: object, expected: Message) -> QueryError:
    return QueryError("error.query.value", field=name, value=_shown(value), expected=expected)


def _shown(value: object) -> str:
    return shorten(json.dumps(value, ensure_ascii=False))


def reason_of(error: Exception) -> Message:
    """Return the message of an error; an unexpected error must not end the other analyses."""
    if isinstance(error, TengenError):
        return error.message
    return Message("error.cli.bug", {"reason": shorten(f"{type(error).__name__}: {error}", 200)})
