r"""Analysis for programs: JSON queries, one per line, and JSON answers as they become available.

The shape is that of KataGo's analysis engine (docs/Analysis_Engine.md in
https://github.com/lightvector/KataGo). A query names a position and the limits of the search::

    {"id": "a", "moves": "h8i9g7", "rules": "renju", "seconds": 0.5, "lines": 3}

``moves`` is move text or a list of points; ``rules`` and ``size`` are as on the command line, and a size
may also be a number or ``[width, height]``; ``seconds``, ``nodes`` and ``depth`` limit the search, and
``lines`` is the number of moves to return. With ``"report": true`` each depth is reported as well. Queries
are processed by descending ``priority``, then in the order of arrival. Only ``id`` is required. The answer
repeats it::

    {"id": "a", "final": true, "moves": ["h8", "i9", "g7"], "rules": "renju", "size": "15x15", "best": "g9",
     "infos": [{"point": "g9", "win_rate": 0.53, "value": 24, "mate": null, "depth": 9, "nodes": 402113,
                "nps": 804226, "seconds": 0.5, "line": ["g9", "h9"]}, ...]}

Each query has exactly one answer with ``"final": true``, or else one with an ``error``. A query with an
``action`` is executed at once and echoed: ``query_version``, ``clear_cache``, ``terminate`` (the query
whose id is its ``terminateId``) and ``terminate_all``. A terminated query is answered with the results so
far, or with ``"noResults": true``. At the end of the input the pending queries are still answered.
"""

from __future__ import annotations

import json
import os
import queue
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

from pydantic import ValidationError

from tengen.engine.board.playable import check_analysable
from tengen.engine.info import Info, Ranking
from tengen.executors.running_search import Search
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.player import Limit
from tengen.game.rules import Rules, Size
from tengen.plaintext.characters import clean
from tengen.plaintext.streams import CHUNK, as_utf8
from tengen.schemas.analysis import AnalysisAnswer, AnalysisData, AnalysisQuery, NoResults, QueryRefused
from tengen.words import Message, say

if TYPE_CHECKING:
    from tengen.engine.engine import Engine

LONGEST = 1 << 20
"""The maximum length of a line in bytes."""

_BREAK = re.compile(rb"\r\n|\r|\n")

_EXPECTED = {
    "id": "query.id",
    "moves": "query.moves",
    "rules": "query.rules",
    "size": "query.size",
    "seconds": "query.seconds",
    "nodes": "query.whole",
    "depth": "query.whole",
    "lines": "query.whole",
    "report": "query.truth",
    "priority": "query.integer",
}
"""The fields of a query, each with the sentence about its values."""

_ACTIONS = {
    "query_version": (),
    "clear_cache": (),
    "terminate": ("terminateId",),
    "terminate_all": (),
}
"""The actions, with the fields that each requires."""


class QueryError(TengenError):
    """An error for an invalid query."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """Defaults for fields missing in a query.

    Attributes:
        rules: the name of the rules.
        size: the board size; the default of the rules if None.
        limit: the limit of a query that sets no limit at all.
        lines: the number of moves to return.
    """

    rules: str = "freestyle"
    size: Size | None = None
    limit: Limit = field(default_factory=lambda: Limit(seconds=1.0))
    lines: int = 1


@dataclass(eq=False, slots=True)
class Query:
    """A query that is queued or in progress.

    Attributes:
        id: the identifier given by the client.
        board: the position.
        limit: the limit of the search.
        ranking: the results so far.
        report: whether to report each depth.
        priority: queries of higher priority are processed first.
        search: the search, once it has started.
        stopped: whether the query has been terminated.
    """

    id: str | int
    board: Board
    limit: Limit
    ranking: Ranking
    report: bool = False
    priority: int = 0
    search: Search[list[Info]] = field(init=False)
    stopped: bool = False

    def stop(self) -> None:
        """End the search with the results so far."""
        self.stopped = True
        self.search.hurry()


class Analyst:
    """A server of analysis queries, which runs one search at a time and reads queries meanwhile.

    All state belongs to the thread that calls `serve`; the reading and the searching threads only put calls
    into its inbox.

    Args:
        write: sends an answer.
        new_engine: creates the engine, at the start and whenever its memory is cleared.
        defaults: defaults for missing fields.
        lang: the language of error messages.
    """

    def __init__(
        self,
        write: Callable[[dict[str, Any]], None],
        new_engine: Callable[[], Engine],
        defaults: Defaults | None = None,
        lang: str = "en",
    ) -> None:
        self._write = write
        self._new_engine = new_engine
        self._engine = new_engine()
        self._defaults = defaults or Defaults()
        self._lang = lang
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._waiting: list[Query] = []
        self._current: Query | None = None
        self._open = True

    def serve(self, lines: Iterable[str]) -> None:
        """Answer all queries in `lines`, and return when all are answered.

        An error raised by `write`, or Ctrl-C, ends it at once.
        """
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        try:
            while self._open or self._current is not None:
                self._inbox.get()()
        finally:
            if self._current is not None:
                self._current.stop()
                self._current.search.join()

    def _read(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self._inbox.put(partial(self._hear, line))
        finally:
            self._inbox.put(self._close)

    def _close(self) -> None:
        self._open = False

    def _hear(self, line: str) -> None:
        """Handle a line of the input."""
        if not line.strip():
            return
        answer: dict[str, Any] = {}
        try:
            query = read_object(line)
            answer = {"id": query_id(query)}
            asked = read_action(query) if "action" in query else read_query(query, self._defaults)
        except Exception as error:
            self._write(QueryRefused(**answer, error=say(_reason(error), self._lang)).to_dict())
            return
        if isinstance(asked, Query):
            self._waiting.append(asked)
            self._begin()
        else:
            self._act(asked, query)

    def _act(self, action: str, query: dict[str, Any]) -> None:
        answer = query
        if action == "query_version":
            from tengen import __version__

            answer = {**query, "version": __version__}
        elif action == "clear_cache":
            # A search in progress keeps the old engine.
            self._engine = self._new_engine()
        self._write(answer)
        if action.startswith("terminate"):
            one = query.get("terminateId")
            self._terminate(lambda query: action == "terminate_all" or query.id == one)

    def _terminate(self, wanted: Callable[[Query], bool]) -> None:
        if self._current is not None and wanted(self._current):
            self._current.stop()
        for query in [query for query in self._waiting if wanted(query)]:
            self._waiting.remove(query)
            self._write(NoResults(id=query.id, final=True).to_dict())

    def _begin(self) -> None:
        """Start the next query, unless one is in progress."""
        if self._current is not None or not self._waiting:
            return
        query = max(self._waiting, key=lambda query: query.priority)  # the first of equals
        self._waiting.remove(query)
        self._current = query
        query.search = Search.start(
            self._engine.analyse,
            query.board,
            query.limit,
            query.ranking.lines,
            on_report=lambda info: self._inbox.put(partial(self._found, query, info)),
        )
        query.search.when_done(lambda: self._inbox.put(partial(self._finish, query)))

    def _found(self, query: Query, info: Info) -> None:
        query.ranking.add(info)
        if query.report and query.ranking.complete:
            self._answer(query, query.ranking.infos, final=False)

    def _finish(self, query: Query) -> None:
        self._current = None
        try:
            infos = query.search.result()
        except Exception as error:
            self._write(QueryRefused(id=query.id, error=say(_reason(error), self._lang)).to_dict())
        else:
            if query.stopped and not any(info.depth for info in infos):
                self._write(NoResults(id=query.id, final=True).to_dict())
            else:
                self._answer(query, infos, final=True)
        self._begin()

    def _answer(self, query: Query, infos: list[Info], *, final: bool) -> None:
        found = dict(AnalysisData.of(query.board, infos))
        self._write(AnalysisAnswer(id=query.id, final=final, **found).to_dict())


def _reason(error: Exception) -> Message:
    """Return the message of an error; an unexpected error must not end the other analyses."""
    if isinstance(error, TengenError):
        return error.message
    return Message("error.cli.bug", {"reason": shorten(f"{type(error).__name__}: {error}", 200)})


def lines_of(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream, each as soon as it is complete.

    A file is read without Python's buffers: a thread blocked in a buffered read would block the exit of the
    program.
    """
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):  # not backed by a file
        yield from stream
        return
    kept = b""
    read = as_utf8(lambda: os.read(descriptor, CHUNK))
    while chunk := read():
        *whole, kept = _BREAK.split(kept + chunk)
        yield from (line.decode("utf-8", "replace") for line in whole)
        if len(kept) > LONGEST:
            # The line will be rejected, so only its length has to be kept.
            kept = bytes(LONGEST + 1)
    if kept:
        yield kept.decode("utf-8", "replace")


def read_object(line: str) -> dict[str, Any]:
    """Parse a line as a JSON object.

    Raises:
        QueryError: the line is not a JSON object.
    """
    found = None
    if len(line) <= LONGEST:
        with suppress(ValueError, RecursionError):
            found = json.loads(line, parse_constant=_refuse)
    if found is None and len(line) <= LONGEST:
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
        QueryError: the action does not exist, or a field is missing.
    """
    action = query["action"]
    if not isinstance(action, str) or action not in _ACTIONS:
        raise QueryError("error.query.action", name=_shown(action), names=tuple(_ACTIONS))
    for name in _ACTIONS[action]:
        if name not in query:
            raise _wrong(name, None, Message("query.id"))
    return action


def read_query(query: Mapping[str, Any], defaults: Defaults) -> Query:
    """Parse an analysis query.

    Raises:
        QueryError: a field is unknown or has an invalid value.
        NotationError: the moves cannot be parsed.
        IllegalMove: a move is illegal.
        RulesError: the rules or the size do not exist, or the engine does not support them.
        GameOver: the game is over.
    """
    try:
        asked = AnalysisQuery.model_validate(query)
    except ValidationError as error:
        raise _refusal(error, query) from error
    rules = Rules.parse(asked.rules or defaults.rules, defaults.size if asked.size is None else asked.size)
    board = Board.from_moves(asked.moves, rules)
    check_analysable(board)
    limit = Limit(asked.seconds, asked.nodes, asked.depth)
    lines = max(min(asked.lines or defaults.lines, len(board.legal_points())), 1)
    return Query(
        asked.id,
        board,
        defaults.limit if limit == Limit() else limit,
        Ranking(lines),
        asked.report,
        asked.priority,
    )


def _refusal(error: ValidationError, query: Mapping[str, Any]) -> QueryError:
    """Return the error about the first field of a query that is wrong."""
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    name = str(problem["loc"][0])
    if problem["type"] == "extra_forbidden":
        return QueryError("error.query.field", field=shorten(name), names=tuple(_EXPECTED))
    return _wrong(name, query.get(name), Message(_EXPECTED[name]))


def _wrong(name: str, value: object, expected: Message) -> QueryError:
    return QueryError("error.query.value", field=name, value=_shown(value), expected=expected)


def _shown(value: object) -> str:
    return shorten(json.dumps(value, ensure_ascii=False))
