"""Tengen as tools of a language model, through the client of the official SDK and a real process."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError

from tengen import BLACK, WHITE, Board, Engine, Limit, Rules
from tengen.executors.running_search import Search
from tengen.protocol import mcp_server
from tengen.protocol.mcp_server import Tools, new_server
from tengen.schemas.position import PositionRequest
from tengen.solver.proofs.prove_exact import prove_win
from tengen.study.puzzle_set import shipped
from tests.console import environment

pytestmark = [pytest.mark.usefixtures("compiled"), pytest.mark.long]

WIN = "h8a1i8a3j8a5"
MIDGAME = "h8i9g7f6h10i8"


@asynccontextmanager
async def connected(*words: str) -> AsyncIterator[Client]:
    command = [*words, "mcp"] if words else ["mcp"]
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "tengen", *command], env=dict(environment())
    )
    async with asyncio.timeout(120), Client(server) as client:
        yield client


async def called(client: Client, tool: str, /, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """The text and the structured content of an answer; both have to be there."""
    answer = await client.call_tool(tool, arguments)
    (content,) = answer.content
    text = content.text  # type: ignore[union-attr]
    assert not answer.is_error, text
    assert text
    assert answer.structured_content is not None
    return text, answer.structured_content


async def refused(client: Client, tool: str, /, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    (content,) = answer.content
    text: str = content.text  # type: ignore[union-attr]
    return text


async def test_every_tool_is_described_with_its_input_and_output():
    async with connected() as client:
        assert client.server_info is not None
        assert client.server_info.name == "tengen"
        assert "h8i9g7" in (client.instructions or "")
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert tools.keys() == {
        "analyse",
        "explain",
        "forced_win",
        "fouls",
        "judge_puzzle",
        "play",
        "puzzle",
        "solve_exact",
        "verify_proof",
    }
    for tool in tools.values():
        assert tool.input_schema["additionalProperties"] is False
        assert len(tool.description or "") > 40
        assert tool.output_schema is not None
    properties = tools["analyse"].input_schema["properties"]
    assert {"position", "seconds", "nodes", "lines", "allow", "avoid", "policy"} <= properties.keys()
    position = tools["analyse"].input_schema["$defs"]["PositionRequest"]["properties"]
    assert position.keys() == {"rules", "size", "fouls", "setup", "moves"}


async def test_analysis():
    async with connected() as client:
        text, data = await called(
            client,
            "analyse",
            position={"moves": WIN, "rules": "renju"},
            nodes=20_000,
            lines=1,
            avoid="k8",
            policy=True,
            heat=True,
            threats=True,
        )
        assert data["best"] == data["infos"][0]["point"] == "g8"
        assert data["infos"][0]["mate"] == 3
        assert data["threats"]["black"][0]["kind"] == "open-three"
        assert abs(sum(data["policy"].values()) - 1) < 0.01
        lines = text.splitlines()
        assert lines[0] == "renju 15x15, Black to move"
        assert lines[1].startswith("1. g8: wins in 3 plies, line g8")
        setup = {"black": ["h8", "i8", "j8"], "white": ["a1"], "turn": "white"}
        _, data = await called(
            client, "analyse", position={"setup": setup}, nodes=500, allow="g8k8", lines=2
        )
        assert {info["point"] for info in data["infos"]} == {"g8", "k8"}
        assert "h8 is occupied" in await refused(client, "analyse", position={"moves": "h8h8"})
        assert "moves" in await refused(client, "analyse", position={"moves": 5})


async def test_explanations_fouls_and_forced_wins():
    async with connected() as client:
        text, data = await called(client, "explain", position={"moves": "h8i9"}, player="shapes")
        assert data["point"] in text
        assert data["weights"][data["point"]] == max(data["weights"].values())
        text, data = await called(client, "fouls", position={"moves": "f8i10g8j7h7e9h6g5"})
        assert data == {"fouls": {"h8": "double-three"}}
        assert text.startswith("h8: three-three")
        text, data = await called(client, "fouls", position={"rules": "freestyle"})
        assert (data, text.splitlines()[0]) == ({"fouls": {}}, "no point is forbidden")
        text, data = await called(client, "forced_win", position={"moves": WIN}, kind="vcf")
        assert (data["winner"], data["length"], data["threats"]) == ("black", 3, "fours")
        assert text.startswith("Black wins by force in 3 plies: ")
        text, data = await called(client, "forced_win", position={"moves": WIN}, attacker="white")
        assert (data["winner"], data["proven"]) == (None, True)
        assert text == "White has no such win: that is proven"


@pytest.mark.parametrize(
    ("player", "expected"),
    [
        ("cmd=ls", "'cmd=ls' is not a player: expected one of random, "),
        ("py:os:getcwd", "'py' is not a player: expected one of "),
        ("prover:file=/etc/passwd", "'prover' is not a player: expected one of "),
        ("nobody", "'nobody' is not a player: expected one of "),
        ("engine,weights=/nowhere", "the player has no parameter 'weights'"),
        ("level:4,weights=/nowhere", "the player has no parameter 'weights'"),
        ("mcts,playouts=999999999", "playouts is 999999999"),
        ("minimax,depth=40", "depth is 40"),
        ("engine,memory_mb=100000", "memory_mb is 100000"),
        ("lookup", "15x15"),
        ("x" * 2000, "expected text of at most 1,000 characters"),
    ],
)
async def test_players_that_open_files_run_programs_or_think_for_ever_are_refused(player, expected):
    server = new_server(Engine(memory_mb=1))
    with pytest.raises(ToolError) as refused:
        await server.call_tool("explain", {"position": {"moves": "h8"}, "player": player})
    said = str(refused.value)
    assert expected in said
    assert "\n" not in said
    assert not any(form in said for form in ("py:module", "cmd=.", "FILE", "explain"))


async def test_an_explanation_ends_in_time(monkeypatch):
    monkeypatch.setattr(mcp_server, "EXPLANATION_SECONDS", 0.5)
    tools = Tools(Engine(memory_mb=1), "en")
    position = PositionRequest(moves=MIDGAME)
    began = time.monotonic()
    answer = await tools.explain(Reported(), position, "mcts,playouts=200000")  # type: ignore[arg-type]
    assert time.monotonic() - began < 20
    assert answer.structured_content is not None
    assert answer.structured_content["weights"]


WRONG: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("analyse", {"foo": 1}, "there is no field foo here", "没有 foo 这个字段"),
    ("forced_win", {"threats": "foo"}, "there is no field threats here", "没有 threats 这个字段"),
    ("play", {"position": {"turn": 1}}, "there is no field position.turn here", "position.turn"),
    ("analyse", {"nodes": 0}, "nodes is 0: expected at least 1", "nodes"),
    ("analyse", {"nodes": 10**30}, "at most 1000000000", "1000000000"),
    ("analyse", {"seconds": "x"}, 'seconds is "x": expected a number', "seconds"),
    ("play", {"level": 11}, "level is 11: expected at most 10", "level"),
    ("forced_win", {"kind": "five"}, 'kind is "five": expected one of vcf, vct', "vcf"),
    ("verify_proof", {"position": None}, "file is missing", "file"),
    (
        "nothing",
        {},
        "there is no tool nothing: expected one of analyse",
        "没有名为“nothing”的工具",
    ),
    ("verify_proof", {"file": "~nobody-at-all/x", "position": None}, "cannot be read", "无法"),
    ("verify_proof", {"file": "a\0b", "position": None}, "cannot be read", "无法"),
)


@pytest.mark.parametrize(("tool", "arguments", "english", "chinese"), WRONG)
async def test_what_is_wrong_is_one_line_in_the_language(tool, arguments, english, chinese):
    given = {"position": {"moves": "h8"}} | arguments
    given = {name: value for name, value in given.items() if value is not None}
    for lang, expected in (("en", english), ("zh", chinese)):
        with pytest.raises(ToolError) as refused:
            await new_server(Engine(memory_mb=1), lang).call_tool(tool, given)
        said = str(refused.value)
        assert expected in said
        assert not any(words in said for words in ("\n", "pydantic", "Error executing", "validation"))


async def test_a_failure_of_its_own_is_one_line_too(monkeypatch):
    def fail(*_: object) -> None:
        raise RuntimeError("out of\nluck")

    monkeypatch.setattr(mcp_server, "_named_puzzle", fail)
    with pytest.raises(UnexpectedToolError) as refused:
        await new_server(Engine(memory_mb=1), "zh").call_tool("puzzle", {"name": "x"})
    assert "RuntimeError" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert "Error executing" not in str(refused.value)


async def test_a_puzzle_is_given_and_its_solution_judged():
    async with connected() as client:
        _, question = await called(client, "puzzle", kind="vcf", level=1)
        puzzle = shipped()[question["name"]]
        assert "turn" not in question or question["turn"] in ("black", "white")
        assert question["moves"] == [puzzle.board().name(point) for point in puzzle.moves]
        assert not question.keys() & {"right", "wrong", "difficulty", "solution"}
        board = puzzle.board()
        solution = puzzle.solution()
        own = "".join(board.name(point) for point in solution[::2])
        text, judged = await called(client, "judge_puzzle", name=puzzle.name, moves=own)
        assert (judged["right"], judged["solved"], judged["reason"]) == (True, True, None)
        assert text.startswith("solved")
        final = Board.from_moves(judged["moves"], puzzle.rules)
        assert final.outcome() is not None
        empty = next(point for point in board.legal_points() if point not in puzzle.turn.right)
        text, judged = await called(client, "judge_puzzle", name=puzzle.name, moves=board.name(empty))
        assert (judged["right"], judged["solved"]) == (False, False)
        assert judged["moves"] == question["moves"]
        assert judged["reason"]["key"].startswith("puzzle.")
        _, again = await called(client, "puzzle", name=puzzle.name)
        assert again == question
        assert "no puzzle" in await refused(client, "judge_puzzle", name="nothing", moves="h8")


async def test_proofs(tmp_path):
    board = Board(Rules.mnk(3, 4, 3))
    done = prove_win(board, tmp_path / "proof", Limit(seconds=60))
    assert done.winner == BLACK
    (tmp_path / "damaged").write_bytes((tmp_path / "proof").read_bytes()[:-3])
    async with connected() as client:
        text, data = await called(client, "solve_exact", position={"rules": "tictactoe", "moves": "b2b1"})
        assert (data["value"], data["complete"]) == (1, True)
        assert text.startswith("Black, to move, wins with best play")
        text, data = await called(client, "verify_proof", file=str(tmp_path / "proof"))
        assert (data["verdict"]["proven"], data["verdict"]["winner"]) == (True, "black")
        assert "proven: Black wins within" in text
        _, data = await called(client, "verify_proof", file=str(tmp_path / "damaged"))
        assert data["verdict"]["proven"] is False
        assert data["verdict"]["problem"]
        said = await refused(client, "verify_proof", file=str(tmp_path / "nothing"))
        assert "cannot be read" in said
        assert "5 to 22" not in await refused(client, "solve_exact", position={"rules": "renju"})


async def test_a_move_of_a_level():
    async with connected("--lang", "zh") as client:
        text, data = await called(client, "play", position={"moves": "h8a1i8a3j8a5k8a7"}, level=1)
        assert data["point"] in ("g8", "l8")
        assert (data["outcome"]["winner"], data["player"]) == ("black", "level:1")
        assert Board.from_moves(data["moves"]).turn == WHITE
        assert text.startswith(f"level:1 走 {data['point']}")
        said = await refused(client, "play", position={"moves": "".join(data["moves"])})
        assert "对局已结束" in said


async def test_long_work_reports_its_progress_and_ends_when_it_is_cancelled():
    reports: list[tuple[float, float | None, str | None]] = []

    async def receive(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, total, message))

    async with connected() as client:
        long = {"position": {"moves": MIDGAME}, "seconds": 500}
        call = asyncio.create_task(client.call_tool("analyse", long, progress_callback=receive))
        while len(reports) < 3 or reports[-1][2] is None:
            await asyncio.sleep(0.05)
        seconds = [report[0] for report in reports]
        assert seconds == sorted(seconds)
        assert reports[0][1] == 500
        assert "depth" in (reports[-1][2] or "")
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        count = len(reports)
        began = time.monotonic()
        await called(client, "fouls", position={})
        await asyncio.sleep(1.2)
        assert len(reports) == count, "no progress of a call that is cancelled"
        assert time.monotonic() - began < 30


class Reported:
    """A call that takes reports of progress."""

    async def report_progress(self, *_: object) -> None:
        pass


async def test_the_search_of_a_cancelled_call_ends():
    engine = Engine(memory_mb=1)
    search = Search.start(engine.analyse, Board.from_moves(MIDGAME), Limit(seconds=500))
    call = asyncio.create_task(Tools(engine, "en")._result(Reported(), search))  # type: ignore[arg-type]
    await asyncio.sleep(0.2)
    assert not search.done
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert search.join(20)


def test_the_end_of_the_input_ends_it():
    command = [sys.executable, "-m", "tengen", "mcp"]
    done = subprocess.run(
        command, env=environment(), input=b"", capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
