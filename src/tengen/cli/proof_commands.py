"""The commands that write and verify proofs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from tengen.cli.arena_options import WorkerOptions
from tengen.cli.declaration import argument, command, option
from tengen.cli.errors import CliError, CommandExit
from tengen.cli.option_values import (
    at_most,
    file_path,
    node_count,
    one_of,
    positive,
    record_file,
    results_file,
    seconds,
)
from tengen.cli.options import Json, Moves, PositionOptions
from tengen.cli.printing import LANGUAGE, print_json, print_line
from tengen.game.points import BLACK, WHITE, Colour
from tengen.schemas.points import SIDES
from tengen.solver.limits import (
    EXACT_MEMORY,
    MOST_CANDIDATES,
    MOST_MEMORY,
    NEVER,
    THREAT_MEMORY,
    THREATS,
    solves,
)
from tengen.words import Message, say

if TYPE_CHECKING:
    from tengen.executors import Workers
    from tengen.game.board import Board
    from tengen.solver.proofs.builder import ProofProgress, ProofResult

T = TypeVar("T")


@command
def prove(
    *moves: Moves,
    rules: PositionOptions = PositionOptions(),
    out: Annotated[Path | None, option("cli.prove.out", results_file, name=("--out", "-o"))] = None,
    limit_seconds: Annotated[float | None, option("cli.prove.seconds", seconds, name="--seconds")] = None,
    nodes: Annotated[int | None, option("cli.prove.nodes", node_count)] = None,
    threats: Annotated[str | None, option("cli.prove.threats", one_of(*THREATS))] = None,
    memory: Annotated[int | None, option("cli.prove.memory", at_most(MOST_MEMORY), "MB")] = None,
    claim: Annotated[str, option("cli.prove.claim", one_of("win", "hold", "draw"))] = "win",
    colour: Annotated[str | None, option("cli.prove.colour", one_of(*SIDES))] = None,
    candidates: Annotated[int, option("cli.prove.candidates", at_most(MOST_CANDIDATES))] = 0,
    unthreatening: Annotated[
        int | None, option("cli.prove.unthreatening", at_most(MOST_CANDIDATES))
    ] = None,
    resume: Annotated[Path | None, option("cli.prove.resume", file_path)] = None,
    concurrency: Annotated[int | None, option("cli.prove.concurrency", positive)] = None,
    workers: Annotated[str | None, option("cli.prove.workers", metavar="tcp://HOST:PORT")] = None,
    as_json: Json = False,
) -> None:
    if out is None:
        raise CliError("error.cli.missing", name="--out")
    if not candidates:
        options: dict[str, object] = {"--unthreatening": unthreatening, "--resume": resume}
        options |= {"--concurrency": concurrency, "--workers": workers}
        _refuse("error.prove.needs", options)
    if claim == "draw" and colour is not None:
        raise CliError("error.cli.together", option="--colour", other=f"--claim {claim}")
    board = rules.board(moves)
    side = board.turn if colour is None else SIDES[colour]
    request = _ProofRequest(board, claim, side, threats, candidates, unthreatening or 0, resume, memory)
    if not request.win_to_move:
        _refuse("error.prove.threats", {"--threats": threats, "--candidates": candidates or None})
    from tengen.cli.output import proof_text
    from tengen.cli.output.search_progress import EndReason, watched
    from tengen.executors.running_search import Search
    from tengen.formats import files
    from tengen.game.player import Limit
    from tengen.solver.proofs.builder import ProofProgress

    language, progress, why = LANGUAGE.get(), ProofProgress(), EndReason()

    def stage() -> Message:
        return Message(f"prove.{progress.stage}", asdict(progress))

    worker_options = WorkerOptions(concurrency=concurrency, workers=workers or "processes")
    try:
        with worker_options.open() if candidates else nullcontext() as pool:
            work = partial(request.work(pool), progress=progress)
            limit = Limit(limit_seconds, nodes)
            search = Search.start(work, board, out, limit)
            done = watched(search, stage, language, why.stopped)
    except OSError as error:
        raise files.write_error(out, error) from error
    if as_json:
        from tengen.schemas.proof import ProofData

        print_json(ProofData.of(done, str(out)).to_dict())
    elif done.verdict is not None:
        _print(proof_text.written_message(done.verdict, files.shown(out), done.size))
    else:
        _print(request.unwritten_message(done, progress, why.message))
    if done.verdict is None:
        raise CommandExit(1)


@dataclass(frozen=True)
class _ProofRequest:
    """The claim to be proven, with its settings."""

    board: Board
    claim: str
    side: Colour
    threats: str | None
    candidates: int
    unthreatening: int
    resume: Path | None
    memory: int | None

    @property
    def win_to_move(self) -> bool:
        """Return whether the claim is a win of the side to move."""
        return self.claim == "win" and self.side == self.board.turn

    @property
    def by_threats(self) -> bool:
        """Return whether only threats are searched.

        They prove a win of the side to move if threats or candidates are given, or if the exact solver does
        not support the rules.
        """
        named = self.threats is not None or self.candidates > 0
        return self.win_to_move and (named or not solves(self.board.rules))

    def work(self, pool: Workers | None) -> Callable[..., ProofResult]:
        """Return the work function that searches and writes the proof.

        See `tengen.solver.proofs.prove.prove`.
        """
        from tengen.solver.proofs.file import HOLDS, WINS, Claim
        from tengen.solver.proofs.prove import prove as prove_by_threats
        from tengen.solver.proofs.prove_exact import prove_exact, prove_win

        if not self.win_to_move:
            sides = (BLACK, WHITE) if self.claim == "draw" else (self.side,)
            claims = [Claim(side, WINS if self.claim == "win" else HOLDS) for side in sides]
            return partial(prove_exact, claims=claims, memory_mb=self.memory or EXACT_MEMORY)
        if not self.by_threats:
            return partial(prove_win, memory_mb=self.memory)
        return partial(
            prove_by_threats,
            threats=self.threats or "threes",
            memory_mb=self.memory or THREAT_MEMORY,
            candidates=self.candidates,
            unthreatening=self.unthreatening,
            resume=self.resume,
            workers=pool,
        )

    def unwritten_message(self, done: ProofResult, progress: ProofProgress, why: Message) -> Message:
        """Return the message that no file was written; `why` is the reason for the end of the search."""
        from tengen.cli.output import proof_text
        from tengen.cli.output.win_text import none_key
        from tengen.formats import describe

        if not self.by_threats or done.winner is not None:
            return proof_text.unwritten_message(done, self.claim, self.side, why)
        colour = describe.colour(self.side)
        if self.candidates:
            key = "prove.quiet.none" if progress.open >= NEVER else "prove.quiet.open"
            return Message(key, {"colour": colour, "count": self.candidates, "why": why})
        key = none_key(self.threats or "threes", done.proven)
        return Message(key, {"colour": colour, "nodes": done.nodes, "why": why})


def _refuse(key: str, options: Mapping[str, object]) -> None:
    """Reject options that cannot be combined with the request."""
    for name, value in options.items():
        if value is not None:
            raise CliError(key, option=name)


@command
def verify(
    file: Annotated[Path, argument("cli.verify.file", "FILE", file_path)],
    /,
    *,
    sgf: Annotated[Path | None, option("cli.verify.sgf", record_file, "FILE.sgf")] = None,
    as_json: Json = False,
) -> None:
    from tengen.cli.output import proof_text
    from tengen.formats import files
    from tengen.solver.proofs import verify as checking
    from tengen.solver.proofs.file import ProofError, Unproven

    language = LANGUAGE.get()
    try:
        verdict = _watched(partial(checking.verify, file))
    except OSError as error:
        raise files.read_error(file, error) from error
    except ProofError as error:
        if as_json:
            from tengen.schemas.proof import ProofRefused

            line = tuple(error.line.split()) if isinstance(error, Unproven) else ()
            problem = say(error.message, language)
            print_json(ProofRefused(proven=False, problem=problem, line=line).to_dict())
        else:
            print_line(say("verify.failed", language, reason=error.message))
        raise CommandExit(1) from None
    if sgf is not None:
        from tengen.solver.proofs.record import record_of

        records = [
            _watched(partial(record_of, file, language, claim=claim)) for claim in range(verdict.claims)
        ]
        files.write_files(records, sgf)
    if as_json:
        from tengen.schemas.proof import VerdictData

        print_json(VerdictData.of(verdict).to_dict())
        return
    for sentence in proof_text.verdict_messages(verdict):
        _print(sentence)
    if sgf is not None:
        print_line(say("verify.written", language, file=files.shown(sgf)))


def _print(message: Message) -> None:
    print_line(say(message, LANGUAGE.get()))


def _watched(check: Callable[..., T]) -> T:
    """Return the result of a check, with a count on stderr after one second."""
    from tengen.cli.output.progress import Pace, ProgressLine

    language, reached = LANGUAGE.get(), 0
    pace = Pace(language)
    line = ProgressLine(
        lambda: say("verify.checking", language, positions=reached, time=pace.time), sys.stderr
    )

    def on_position(positions: int) -> None:
        nonlocal reached
        reached = positions
        if positions % 256 == 0 and pace.seconds > 1:
            line()

    try:
        return check(on_position=on_position)
    finally:
        line.clear()
