"""A server of the Model Context Protocol (MCP): analysis, solvers, puzzles and players as tools.

It speaks the protocol on standard input and output, by the official SDK. Every tool takes models of
`tengen.schemas`, and answers with readable text and with the same as structured content. Long work runs in
a thread, reports its progress, and ends when the client cancels the call.
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import new_class
from typing import Annotated, Any, TypeVar

from pydantic import Field, ValidationError

from tengen import __version__
from tengen.engine.board.playable import check_analysable
from tengen.engine.engine import Engine
from tengen.engine.info import Info
from tengen.executors.running_search import Search
from tengen.extras import importing
from tengen.formats import describe, explanation_text, files
from tengen.game.board import Board
from tengen.game.errors import GameOver, TengenError
from tengen.game.notation import shorten
from tengen.game.player import Limit
from tengen.game.rules import Rules
from tengen.players.allowed import EXPLANATION_SECONDS, canonical_spec
from tengen.players.calls import explained, make_player
from tengen.players.suitable import check_suitable
from tengen.protocol import mcp_texts
from tengen.queries.query_queue import Query
from tengen.queries.reading import Defaults, query_of, reason_of
from tengen.queries.search import answer_of, data_of, search_query, solver_of
from tengen.schemas.analysis import ScoreData
from tengen.schemas.base import Schema
from tengen.schemas.explanation import ExplainedMove, explanation_fields
from tengen.schemas.field_errors import field_message
from tengen.schemas.game import SpecText
from tengen.schemas.points import SIDES, ColourName
from tengen.schemas.position import PositionRequest
from tengen.schemas.proof import ProofRefused, VerdictData
from tengen.schemas.queries import AnalysisAnswer, AnalysisQuery, WinKind
from tengen.schemas.shown import FoulKinds
from tengen.schemas.solution import ExactData, SolutionData
from tengen.schemas.tools import PlayedMoveData, ProofJudgementData, PuzzleJudgementData, PuzzleQuestionData
from tengen.solver.exact.solve import solve_exact
from tengen.solver.proofs.file import ProofError, Unproven
from tengen.solver.proofs.verify import Verdict, verify
from tengen.study.puzzle import LEVELS, Puzzle, PuzzleError, PuzzleKind
from tengen.study.puzzle_attempt import PuzzleAttempt
from tengen.study.puzzle_set import select, shipped
from tengen.words import Message, say

with importing("mcp"):
    from mcp import types
    from mcp.server.mcpserver import Context, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
    from mcp.server.mcpserver.tools import Tool

T = TypeVar("T")

_PACE = 0.5
"""Seconds between two reports of progress."""

_BRANCHES = 100
"""The most nodes of a tree of moves in an answer."""

Seconds = Annotated[float, Field(gt=0, le=600)]
Nodes = Annotated[int, Field(ge=1, le=1_000_000_000)]


class Tools:
    """The tools of the server; the docstring of each is in the catalogue.

    Args:
        engine: the engine that analyses.
        lang: the language of all texts.
    """

    def __init__(self, engine: Engine, lang: str) -> None:
        self._engine = engine
        self._lang = lang

    async def analyse(
        self,
        context: Context[Any, Any],
        position: PositionRequest,
        seconds: Seconds = 1.0,
        nodes: Nodes | None = None,
        lines: Annotated[int, Field(ge=1, le=20)] = 3,
        allow: str | None = None,
        avoid: str = "",
        policy: bool = False,
        heat: bool = False,
        threats: bool = False,
    ) -> Annotated[types.CallToolResult, AnalysisAnswer]:
        """Search for the best moves of a position."""
        with self._refusals():
            asked = AnalysisQuery(
                id=0,
                seconds=float(seconds),
                nodes=nodes,
                lines=lines,
                allow=allow,
                avoid=avoid,
                policy=policy,
                heat=heat,
                threats=threats,
            )
            query = query_of(asked, position.board(), Defaults())
            search = Search.start(
                search_query, self._engine, query, on_report=(latest := _LatestInfo(query)).receive
            )
            found = await self._result(context, search, seconds, latest.message)
            answer = answer_of(query, data_of(query, found.infos), found.static, final=True)
            return self._answer(mcp_texts.analysis(query, found), answer)

    async def explain(
        self, context: Context[Any, Any], position: PositionRequest, player: SpecText = "level:10"
    ) -> Annotated[types.CallToolResult, ExplainedMove]:
        """Explain the move of a player."""
        with self._refusals():
            board = _unfinished(position)
            # No program and no code of this machine is run for a client, and no file is opened.
            spec = canonical_spec(player.strip())
            check_suitable(spec, board.rules)
            search = Search.start(explained, make_player(spec), board)
            choice, why = await self._result(context, search, hurry_after=EXPLANATION_SECONDS)
            why = replace(why, heatmaps=())
            answer = ExplainedMove(
                point=board.name(choice.point),
                score=None if choice.score is None else ScoreData.of(choice.score),
                **explanation_fields(board.rules, why, _BRANCHES),
            )
            return self._answer([], answer, explanation_text.text(board, choice, why, self._lang))

    async def forced_win(
        self,
        context: Context[Any, Any],
        position: PositionRequest,
        kind: WinKind = "vct",
        attacker: ColourName | None = None,
        seconds: Seconds = 10.0,
        nodes: Nodes | None = None,
    ) -> Annotated[types.CallToolResult, SolutionData]:
        """Search for a forced win."""
        with self._refusals():
            board = position.board()
            check_analysable(board)
            side, limit = SIDES.get(attacker or "", board.turn), Limit(seconds, nodes)
            solve, threats = solver_of(kind)
            search = Search.start(solve, board, limit, side)
            found = await self._result(context, search, seconds)
            answer = SolutionData.of(board, found, side, threats)
            return self._answer(mcp_texts.forced_win(board, found, side), answer)

    async def fouls(self, position: PositionRequest) -> Annotated[types.CallToolResult, FoulKinds]:
        """List the fouls of a position."""
        with self._refusals():
            if "rules" not in position.model_fields_set:
                position = position.model_copy(update={"rules": "renju"})
            board = position.board()
            return self._answer(mcp_texts.fouls(board), FoulKinds.of(board), describe.drawing(board))

    async def puzzle(
        self,
        name: str | None = None,
        rules: str | None = None,
        kind: PuzzleKind | None = None,
        level: Annotated[int, Field(ge=1, le=LEVELS)] | None = None,
    ) -> Annotated[types.CallToolResult, PuzzleQuestionData]:
        """Give a puzzle."""
        with self._refusals():
            wanted = None if rules is None else Rules.parse(rules)
            if name is not None:
                chosen = _named_puzzle(name)
            else:
                found = list(select(shipped().values(), wanted, kind, level))
                if not found:
                    raise PuzzleError("error.puzzle.none", count=len(shipped()))
                chosen = random.choice(found)
            attempt = PuzzleAttempt(chosen)
            answer = PuzzleQuestionData.of_question(chosen)
            return self._answer(mcp_texts.puzzle(attempt), answer, describe.drawing(attempt.board))

    async def judge_puzzle(
        self, name: str, moves: str
    ) -> Annotated[types.CallToolResult, PuzzleJudgementData]:
        """Judge an answer to a puzzle."""
        with self._refusals():
            attempt, reason = PuzzleAttempt(_named_puzzle(name)), None
            for point in attempt.board.parse_moves(moves):
                if attempt.solved or reason is not None:
                    break
                reason = attempt.play(point)
            answer = PuzzleJudgementData.of(name, attempt.board, reason, solved=attempt.solved)
            drawing = describe.drawing(attempt.board)
            return self._answer(mcp_texts.judgement(attempt, reason), answer, drawing)

    async def solve_exact(
        self,
        context: Context[Any, Any],
        position: PositionRequest,
        seconds: Seconds = 10.0,
        value_only: bool = False,
    ) -> Annotated[types.CallToolResult, ExactData]:
        """Prove the value of a position of a small game."""
        with self._refusals():
            board = position.board()
            search = Search.start(solve_exact, board, Limit(seconds), value_only=value_only)
            found = await self._result(context, search, seconds)
            return self._answer(mcp_texts.exact(board, found), ExactData.of(board, found))

    async def verify_proof(
        self, context: Context[Any, Any], file: str
    ) -> Annotated[types.CallToolResult, ProofJudgementData]:
        """Verify a proof file."""
        with self._refusals():
            try:
                path = Path(file).expanduser()
                found = await self._result(context, Search.start(_verified, path))
            except ProofError as error:
                line = tuple(error.line.split()) if isinstance(error, Unproven) else ()
                problem = say(error.message, self._lang)
                refused = ProofRefused(proven=False, problem=problem, line=line)
                return self._answer([error.message], ProofJudgementData(verdict=refused))
            except TengenError:
                raise
            except (OSError, RuntimeError, ValueError) as error:
                raise files.read_error(file, error) from error
            answer = ProofJudgementData(verdict=VerdictData.of(found))
            return self._answer(mcp_texts.verdict(found), answer)

    async def play(
        self,
        context: Context[Any, Any],
        position: PositionRequest,
        level: Annotated[int, Field(ge=1, le=10)] = 5,
        seconds: Seconds = 2.0,
    ) -> Annotated[types.CallToolResult, PlayedMoveData]:
        """Play a move of a level."""
        with self._refusals():
            after = _unfinished(position)
            player = make_player(f"level:{level}")
            search = Search.start(player.choose, after.copy(), Limit(seconds))
            choice = await self._result(context, search, seconds)
            after.push(choice.point)
            answer = PlayedMoveData.of(player.name, after, choice)
            messages = mcp_texts.played(after, player.name, choice)
            return self._answer(messages, answer, describe.drawing(after))

    # -- searches and answers

    async def _result(
        self,
        context: Context[Any, Any],
        search: Search[T],
        total: float | None = None,
        message: Callable[[], Message | None] = lambda: None,
        hurry_after: float = math.inf,
    ) -> T:
        """Return the result of a search; report its progress, and end it if the call is cancelled.

        Args:
            context: of the call.
            search: the search.
            total: the seconds that it may take; None if nobody knows.
            message: returns what it has found so far.
            hurry_after: seconds after which it is to end with that.
        """
        began = time.monotonic()
        try:
            while not await search.wait(_PACE):
                found = message()
                text = None if found is None else say(found, self._lang)
                seconds = round(time.monotonic() - began, 1)
                if seconds >= hurry_after:
                    search.hurry()
                await context.report_progress(
                    seconds if total is None else min(seconds, total), total, text
                )
            return search.result()
        finally:
            search.hurry()

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Turn errors of users into errors of tools, with one sentence."""
        try:
            yield
        except TengenError as error:
            raise ToolError(say(error.message, self._lang)) from error

    def _answer(self, messages: Iterable[Message], data: Schema, drawing: str = "") -> types.CallToolResult:
        """Return an answer as text, sentence by sentence and then a drawing, and as structured content."""
        lines = [say(message, self._lang) for message in messages]
        text = "\n".join([*lines, *([drawing] if drawing else [])])
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=data.to_dict()
        )


class _LatestInfo:
    """The best move that a search has reported last."""

    def __init__(self, query: Query) -> None:
        self._query = query
        self._best: Info | None = None

    def receive(self, reported: object) -> None:
        """Take a report of the search, in any thread."""
        if isinstance(reported, Info) and reported.number == 0:
            self._best = reported

    def message(self) -> Message | None:
        """Return the move as a sentence."""
        best = self._best
        if best is None:
            return None
        chance = f"{100 * best.score.win_rate:.0f}"
        point = self._query.board.name(best.point)
        return Message("mcp.progress", {"point": point, "chance": chance, "depth": best.depth})


def _unfinished(position: PositionRequest) -> Board:
    """Return a position in which a move can be chosen.

    Raises:
        GameOver: the game is over.
    """
    board = position.board()
    if board.outcome() is not None:
        raise GameOver("error.game_over.choose")
    return board


def _named_puzzle(name: str) -> Puzzle:
    """Return a puzzle that comes with Tengen.

    Raises:
        PuzzleError: there is none of this name.
    """
    found = shipped().get(name)
    if found is None:
        raise PuzzleError("error.puzzle.name", name=shorten(name))
    return found


def _verified(path: Path, *, stop: threading.Event) -> Verdict:
    """Verify a proof; a work function of a search."""

    def check(_: int) -> None:
        if stop.is_set():
            raise CancelledError

    return verify(path, check)


_TOOLS: dict[str, str] = {
    "analyse": "mcp.tool.analyse",
    "explain": "mcp.tool.explain",
    "forced_win": "mcp.tool.forced_win",
    "fouls": "mcp.tool.fouls",
    "puzzle": "mcp.tool.puzzle",
    "judge_puzzle": "mcp.tool.judge_puzzle",
    "solve_exact": "mcp.tool.solve_exact",
    "verify_proof": "mcp.tool.verify_proof",
    "play": "mcp.tool.play",
}
"""The tools, each with its description."""


class ToolServer(MCPServer[Any]):
    """A server whose errors are single sentences in one language.

    Args:
        tools: the tools.
        lang: the language of all texts.
    """

    def __init__(self, tools: list[Tool], lang: str) -> None:
        super().__init__(
            "tengen",
            title="Tengen",
            instructions=say("mcp.instructions", lang),
            version=__version__,
            log_level="ERROR",
            tools=tools,
        )
        self._by_name = {tool.name: tool for tool in tools}
        self._lang = lang

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> Any:
        """Call a tool.

        Raises:
            ToolError: there is no such tool, it does not take these arguments, or it refuses them.
            UnexpectedToolError: it has failed otherwise.
        """
        tool = self._by_name.get(name)
        if tool is None:
            values = {"name": shorten(name), "names": tuple(self._by_name)}
            raise ToolError(say("mcp.error.tool", self._lang, **values))
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError as error:
            cause = error.__cause__
            reason = reason_of(cause if isinstance(cause, Exception) else error)
            raise UnexpectedToolError(say(reason, self._lang)) from error
        except ToolError as error:
            raise ToolError(self._sentence(error, tool, arguments)) from error

    def _sentence(self, error: ToolError, tool: Tool, arguments: dict[str, Any]) -> str:
        """Return the sentence of an error that the SDK has wrapped."""
        cause = error.__cause__
        if isinstance(cause, ValidationError):
            sent = tool.fn_metadata.pre_parse_json(arguments)
            return say(field_message(cause.errors(include_url=False), sent), self._lang)
        return str(cause or error)


def _strict(tool: Tool) -> Tool:
    """Return a tool that refuses arguments that it does not have."""
    model = tool.fn_metadata.arg_model
    strict: Any = new_class(model.__name__, (model,), {"extra": "forbid"})
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema(by_alias=True)
    return tool


def new_server(engine: Engine, lang: str = "en") -> ToolServer:
    """Return the server with all tools.

    Args:
        engine: the engine that analyses.
        lang: the language of all texts.
    """
    tools = Tools(engine, lang)
    return ToolServer(
        [
            _strict(Tool.from_function(getattr(tools, name), name=name, description=say(key, lang)))
            for name, key in _TOOLS.items()
        ],
        lang,
    )
