"""Analysis for programs: JSON queries, one per line, and JSON answers as they become available.

The shape is that of KataGo's analysis engine (docs/Analysis_Engine.md in
https://github.com/lightvector/KataGo). A query names positions and the limits of the search::

    {"id": "a", "moves": "h8i9g7", "rules": "renju", "seconds": 0.5, "lines": 3}

Only ``id`` is required; docs/queries.md describes every field. The answer repeats the id::

    {"id": "a", "final": true, "moves": ["h8", "i9", "g7"], "rules": "renju", "size": "15x15", "best": "g9",
     "infos": [{"point": "g9", "win_rate": 0.53, "value": 24, "mate": null, "depth": 9, "nodes": 402113,
                "nps": 804226, "seconds": 0.5, "line": ["g9", "h9"]}, ...]}

Each position of a query has exactly one answer with ``"final": true``; a query that cannot be answered has
one with an ``error`` instead. Several searches may run at once; the others wait, by descending
``priority``, then in the order of arrival. A query with an ``action`` is executed at once and echoed:
``query_version``, ``query_running``, ``clear_cache``, ``terminate`` (the query whose id is its
``terminateId``) and ``terminate_all``. A terminated query is answered with the results so far, or with
``"noResults": true``. At the end of the input the pending queries are still answered.
"""

from __future__ import annotations

import os
import queue
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

from tengen.engine.info import Info, Ranking
from tengen.executors.running_search import Search
from tengen.plaintext.streams import CHUNK, as_utf8
from tengen.queries.actions import echo, running_query
from tengen.queries.query_queue import Query, QueryQueue
from tengen.queries.reading import (
    LONGEST,
    Defaults,
    is_terminated,
    query_id,
    read_action,
    read_object,
    read_queries,
    reason_of,
)
from tengen.queries.search import QueryResult, answer_of, data_of, search_query
from tengen.schemas.base import Schema
from tengen.schemas.queries import NoResults, QueryRefused, RunningQueryData, StaticData
from tengen.words import say

if TYPE_CHECKING:
    from tengen.engine.engine import Engine

_BREAK = re.compile(rb"\r\n|\r|\n")


@dataclass(eq=False, slots=True)
class _RunningQuery:
    """A query in progress.

    Attributes:
        query: the query.
        engine: the engine that searches.
        ranking: the moves so far.
        static: what takes no search, once it is known.
        began: when the search has begun, as `time.perf_counter` counts.
        due: when the next report is due; None for never.
        search: the search.
        stopped: whether the query has been terminated.
    """

    query: Query
    engine: Engine
    ranking: Ranking
    static: StaticData = field(default_factory=StaticData)
    began: float = field(default_factory=time.perf_counter)
    due: float | None = None
    search: Search[QueryResult] = field(init=False)
    stopped: bool = False

    def stop(self) -> None:
        """End the search with the results so far."""
        self.stopped = True
        self.search.hurry()

    def data(self) -> RunningQueryData:
        """Return the state of the search as data."""
        infos = data_of(self.query, self.ranking.infos)
        return running_query(self.query, infos, time.perf_counter() - self.began)


class Analyst:
    """A server of analysis queries, which runs a number of searches at once and reads queries meanwhile.

    All state belongs to the thread that calls `serve`; the reading and the searching threads only put calls
    into its inbox.

    Args:
        write: sends an answer.
        new_engine: creates an engine: one for each worker at the start, others when memory is cleared.
        defaults: defaults for missing fields.
        lang: the language of error messages.
        workers: the number of searches that may run at once.
    """

    def __init__(
        self,
        write: Callable[[dict[str, Any]], None],
        new_engine: Callable[[], Engine],
        defaults: Defaults | None = None,
        lang: str = "en",
        workers: int = 1,
    ) -> None:
        self._write = write
        self._new_engine = new_engine
        self._workers = workers
        self._engines = [new_engine() for _ in range(workers)]
        """Those of idle workers; the one used last comes first, for what it remembers."""
        self._defaults = defaults or Defaults()
        self._lang = lang
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._waiting = QueryQueue()
        self._running: dict[Query, _RunningQuery] = {}
        self._open = True

    def serve(self, lines: Iterable[str]) -> None:
        """Answer all queries in `lines`, and return when all are answered.

        An error raised by `write`, or Ctrl-C, ends it at once.
        """
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        try:
            while self._open or self._running:
                self._run_next()
        finally:
            for running in self._running.values():
                running.stop()
            for running in self._running.values():
                running.search.join()

    def _run_next(self) -> None:
        """Run the next call of the inbox, or send the reports that are due before it comes."""
        due = min((run.due for run in self._running.values() if run.due is not None), default=None)
        try:
            call = self._inbox.get(timeout=None if due is None else max(due - time.perf_counter(), 0.0))
        except queue.Empty:
            self._report_due()
        else:
            call()

    def _read(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self._put(self._hear, line)
        finally:
            self._inbox.put(self._close)

    def _close(self) -> None:
        self._open = False

    # -- queries

    def _hear(self, line: str) -> None:
        """Handle a line of the input."""
        if not line.strip():
            return
        answer: dict[str, Any] = {}
        try:
            query = read_object(line)
            answer = {"id": query_id(query)}
            action = read_action(query) if "action" in query else None
            queries = [] if action else read_queries(query, self._defaults)
        except Exception as error:
            self._send(QueryRefused(**answer, error=say(reason_of(error), self._lang)))
            return
        if action:
            self._act(action, query)
        for each in queries:
            self._waiting.add(each)
        self._begin()

    def _act(self, action: str, query: dict[str, Any]) -> None:
        if action == "clear_cache":
            # Searches in progress keep their engines, which are not used again.
            self._engines = [self._new_engine() for _ in self._engines]
            for each in self._running.values():
                each.engine = self._new_engine()
        running = (each.data() for each in self._running.values())
        self._write(echo(query, running, self._waiting, self._workers))
        if action.startswith("terminate"):
            self._terminate(query)

    def _terminate(self, action: dict[str, Any]) -> None:
        for query, running in self._running.items():
            if is_terminated(query, action):
                running.stop()
        for query in self._waiting.remove(lambda query: is_terminated(query, action)):
            self._send(NoResults(id=query.id, turn=query.turn, final=True))

    # -- searches

    def _begin(self) -> None:
        """Start the next queries, as long as a worker is idle."""
        while self._engines and self._waiting:
            query = self._waiting.take()
            run = _RunningQuery(query, self._engines.pop(0), Ranking(query.lines))
            if query.report_first is not None:
                run.due = run.began + query.report_first
            self._running[query] = run
            found = partial(self._put, self._found, run)
            run.search = Search.start(search_query, run.engine, query, on_report=found)
            run.search.when_done(partial(self._put, self._finish, run))

    def _put(self, call: Callable[..., None], *arguments: object) -> None:
        """Put a call into the inbox; from any thread."""
        self._inbox.put(partial(call, *arguments))

    def _found(self, run: _RunningQuery, found: Info | StaticData) -> None:
        if isinstance(found, StaticData):
            run.static = found
            return
        run.ranking.add(found)
        if run.query.report and run.ranking.complete:
            self._report(run)

    def _report_due(self) -> None:
        """Send the reports that are due; one without a move found yet is left out."""
        now = time.perf_counter()
        for run in self._running.values():
            if run.due is not None and run.due <= now:
                run.due = None if run.query.report_every is None else now + run.query.report_every
                if run.ranking.infos:
                    self._report(run)

    def _report(self, run: _RunningQuery) -> None:
        infos = data_of(run.query, run.ranking.infos)
        self._send(answer_of(run.query, infos, run.static, final=False))

    def _finish(self, run: _RunningQuery) -> None:
        query = run.query
        del self._running[query]
        self._engines.insert(0, run.engine)
        try:
            found = run.search.result()
        except Exception as error:
            self._send(QueryRefused(id=query.id, turn=query.turn, error=say(reason_of(error), self._lang)))
        else:
            if run.stopped and not any(info.depth for info in found.infos):
                self._send(NoResults(id=query.id, turn=query.turn, final=True))
            else:
                infos = data_of(query, found.infos)
                self._send(answer_of(query, infos, found.static, final=True, win=found.win))
        self._begin()

    def _send(self, answer: Schema) -> None:
        self._write(answer.to_dict())


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
