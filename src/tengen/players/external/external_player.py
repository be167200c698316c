"""Any program that speaks the Gomocup protocol as a player: ``cmd=./pbrain-x,settle=20``.

The program is started by the first `External.choose`, runs on from game to game, and is ended by
`External.close`, when the player is garbage collected, and when this process ends. The conversation with it
is in `tengen.players.external.gomocup_client`, its process in `tengen.players.external.program`.

A program may break one promise of a `Player`: its answers need not repeat, and with a clock they seldom do.
The others are kept. Any board may come, and a program that has failed is restarted by the next `choose`.
"""

from __future__ import annotations

import os
import shlex
import shutil
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

from tengen.formats.files import reason
from tengen.game.arguments import check_kind, shown, wrong
from tengen.game.board import Board
from tengen.game.errors import GameOver, TengenError
from tengen.game.notation import shorten
from tengen.game.player import Choice, Explanation, Limit, check_search, player_repr
from tengen.game.points import PASS, Point
from tengen.gomocup.search_reports import last_report
from tengen.players.budget import whole
from tengen.players.candidates import near, pick
from tengen.players.external.gomocup_client import GomocupClient, StopIgnored
from tengen.players.external.gomocup_game import (
    GomocupGame,
    MoveTime,
    ProgramError,
    ProgramErrorKind,
    ProgramSettings,
)
from tengen.players.external.program import GRACE, Program
from tengen.players.registry import player
from tengen.players.spec import PlayerSpec, SpecError
from tengen.words import Message

__all__ = ["External", "ProgramError", "ProgramErrorKind", "external"]

_MOST = 1_000_000
"""The largest number of a spec."""

_QUOTED = 3
"""Lines of chatter that an explanation quotes."""


class External:
    """A player that is a Gomocup program.

    Args:
        cmd: the program and its arguments: words, or a text that is quoted as in a shell (no shell reads
            it), or the path of the program. No comma may stand in it: a script can hold such a command.
        settle: milliseconds that the program is left alone after its move. Some print a move before they
            read again, and miss a command that comes at once.
        start: milliseconds that it is left alone after its start.
        seconds: the time for a move that it is sent where there is no `Limit`.
        patience: seconds to wait for a move where there is no limit of time.
        ready: seconds to wait for the OK after START or RESTART. Here and with `patience` every line of the
            program, of whatever kind, restarts the wait, for ten minutes in all.
        tolerance: seconds beyond a limit of time, or `patience`, after which a silent program is given up.
            A match has less patience.
        memory: its bound in megabytes (of 2^20 bytes); 0 for none.
        threads: the number of its threads, for programs that know ``INFO thread_num``; 0 sends nothing.
        folder: the folder for its files; empty sends nothing.
        name: its name in sentences; that of the file if empty.

    Attributes:
        name: the spec.
        label: its name in sentences.
        traffic: called with each line that passes: ``">"`` and a line to the program, ``"<"`` and an
            answer, ``"!"`` and a line of its stderr. One call at a time, in several threads. An exception
            of it ends the program, and is raised by `choose`.

    Raises:
        SpecError: `cmd` is no command.
        TengenError: a number out of range.

    Examples:
        Tengen's own engine is such a program:

        >>> import sys
        >>> import tengen
        >>> board = tengen.Board.from_moves("h8i9h9i8h10i10h11")
        >>> with tengen.External([sys.executable, "-m", "tengen", "engine"], name="Tengen") as program:
        ...     choice = program.choose(board, tengen.Limit(nodes=1000))
        >>> board.name(choice.point) in ("h7", "h12"), program.label, program.running
        (True, 'Tengen', False)
    """

    def __init__(
        self,
        cmd: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        settle: float = 10,
        start: float = 0,
        seconds: float = 5,
        patience: float = 60,
        ready: float = 30,
        tolerance: float = 1,
        memory: float = 0,
        threads: int = 0,
        folder: str = "",
        name: str = "",
    ) -> None:
        command = _command(cmd)
        self._words = _words(command)
        numbers = {
            "settle": settle,
            "start": start,
            "seconds": seconds,
            "patience": patience,
            "ready": ready,
            "tolerance": tolerance,
            "memory": memory,
        }
        for key, value in (*numbers.items(), ("threads", threads)):
            _check(key, value)
        for key, text in (("folder", folder), ("name", name)):
            # The value of a spec may look like a number.
            check_kind(key, text, (str, int, float, os.PathLike), "argument.text")
        self._settings = ProgramSettings(
            **numbers, threads=whole("threads", threads, 0), folder=str(folder), name=str(name)
        )
        self.name = _spec(command, self._settings)
        self.label = self._settings.name or Path(self._words[0]).name
        self.traffic: Callable[[str, str], object] | None = None
        self._lock = threading.RLock()
        self._client: GomocupClient | None = None
        self._last: Program | None = None
        self._finalizer: weakref.finalize[..., External] | None = None
        self._asked: tuple[GomocupGame, tuple[Point, ...]] | None = None
        self._noise = 0
        _players.add(self)

    __repr__ = player_repr

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """Return the program's move, with the score and the count of nodes that it names in a MESSAGE.

        Where it does not answer within a second after `stop` was set, it is killed, and the answer is the
        point nearest to the centre among those next to a stone. The time that `Choice` names is from the
        command to the answer, without what starts the program or the game; see `prepare`.

        Raises:
            GameOver: the game is over.
            TengenError: the program cannot be started or refuses the game; the protocol cannot express
                the rules, or a pass that was played.
            ProgramError: it ends, hangs, or answers with no move or an impossible one. A foul is for the
                game to judge.
        """
        check_search(board, limit, stop)
        game, moves = self._game(board)
        if board.rules.passing and not board.legal_points():
            return Choice(PASS)  # nothing but fouls is left
        began = time.perf_counter()
        move_time = MoveTime.of(limit or Limit(), self._settings)
        with self._lock:
            try:
                client = self._ready(game, moves, move_time, stop)
                self._asked = game, moves
                answer = client.move(board, move_time, stop)
            except StopIgnored:
                self._end(0)
                point = pick(board, dict.fromkeys(near(board), 0.0))
                return Choice(point, line=(point,), seconds=time.perf_counter() - began)
            except BaseException:
                # Also Ctrl-C: a program that thinks on would answer the next request with this move.
                self._end(0)
                raise
            score, nodes = last_report(client.program.messages)
        return Choice(answer.point, score, (answer.point,), nodes, answer.seconds)

    def prepare(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> None:
        """Start the program, and the game, so that a clock need not run while `choose` does.

        Raises:
            TengenError, ProgramError: as `choose`.
        """
        check_search(board, limit, stop)
        game, moves = self._game(board)
        move_time = MoveTime.of(limit or Limit(), self._settings)
        with self._lock:
            try:
                self._ready(game, moves, move_time, stop)
            except StopIgnored:
                self._end(0)
            except BaseException:
                self._end(0)
                raise

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Explain that a program gives no reasons, with its last messages if they were about this board."""
        check_search(board, limit, stop)
        quoted = self.messages[-_QUOTED:] if self._asked == self._position(board) else ()
        if not quoted:
            return Explanation(Message("explain.program", {"program": self.label}))
        lines = tuple(shorten(text, 200) for text in quoted)
        return Explanation(Message("explain.program.said", {"program": self.label, "lines": lines}))

    def clear(self) -> None:
        """End the game: the program is sent a new one before its next move."""
        with self._lock:
            if self._client is not None:
                self._client.forget()

    def close(self) -> None:
        """End the program; another `choose` starts it again."""
        self._end(GRACE)

    def __enter__(self) -> External:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return player, (self.name,)

    @property
    def running(self) -> bool:
        """True if the program has been started and not been ended; it may have ended by itself."""
        return self._client is not None

    @property
    def messages(self) -> tuple[str, ...]:
        """The MESSAGE lines since the program was last asked, 50 at most."""
        return () if self._last is None else tuple(self._last.messages)

    @property
    def debug(self) -> tuple[str, ...]:
        """The last 50 DEBUG lines."""
        return () if self._last is None else tuple(self._last.debug)

    @property
    def stderr(self) -> tuple[str, ...]:
        """The last 50 lines of stderr, those of a program that has ended included."""
        return () if self._last is None else tuple(self._last.stderr)

    @property
    def noise(self) -> int:
        """Lines that the program has written without being asked, against the protocol."""
        return self._noise + (0 if self._client is None else self._client.noise)

    def _game(self, board: Board) -> tuple[GomocupGame, tuple[Point, ...]]:
        """The game and the moves of a position, as a program is sent them.

        Raises:
            GameOver: the game is over.
            TengenError: the protocol cannot express it.
        """
        if board.outcome() is not None:
            raise GameOver("error.game_over.choose")
        if PASS in board.moves:
            raise TengenError("error.program.passed", program=self.label)
        return self._position(board)

    @staticmethod
    def _position(board: Board) -> tuple[GomocupGame, tuple[Point, ...]]:
        return GomocupGame.of(board), board.moves

    def _ready(
        self, game: GomocupGame, moves: tuple[Point, ...], move_time: MoveTime, stop: threading.Event | None
    ) -> GomocupClient:
        """Return the client of the running program, in this game."""
        client = self._client
        if client is not None and not client.fits(move_time):
            self._end(GRACE)
            client = None
        if client is not None:
            knows = client.knows(game, moves)
            try:
                client.discard_unexpected()
                if not client.expects(game, moves):
                    client.begin(game, move_time, stop)
            except ProgramError as error:
                # One that ends between two games is started for the next.
                if knows or error.kind != "crash":
                    raise
                self._end(0)
            else:
                return client
        client = self._started()
        client.begin(game, move_time, stop)
        return client

    def _started(self) -> GomocupClient:
        """Start the program, and return its client."""
        program = self._words[0]
        if shutil.which(program) is None and not Path(program).exists():
            raise TengenError("error.program.missing", program=shorten(program, 80))
        # The threads of the program hold a weak reference: the player can be collected while they run.
        report = weakref.WeakMethod(self._report)
        try:
            running = Program(self._words, lambda way, text: (call := report()) and call(way, text))
        except OSError as error:
            raise TengenError(
                "error.program.unstartable", program=shorten(program, 80), reason=reason(error)
            ) from error
        self._finalizer = weakref.finalize(self, running.end)
        self._last = running
        self._client = GomocupClient(running, self._settings, self.label)
        return self._client

    def _report(self, way: str, text: str) -> None:
        if self.traffic is not None:
            self.traffic(way, text)

    def _end(self, grace: float) -> None:
        client, self._client = self._client, None
        if client is not None:
            self._noise += client.noise
            client.program.end(grace)
        if self._finalizer is not None:
            self._finalizer.detach()
            self._finalizer = None

    def _forked(self) -> None:
        """In a copy of the process made by fork: leave the program to the original."""
        self._lock = threading.RLock()
        if self._client is not None:
            self._client.program.abandon()
            self._client = self._last = None
        if self._finalizer is not None:
            self._finalizer.detach()
            self._finalizer = None


external = External
"""A program as a player: `tengen.external`, for ``with tengen.external("./pbrain-x") as opponent:``.

Examples:
    >>> import tengen
    >>> program = tengen.external("./pbrain-x --quiet", seconds=2)
    >>> program.name, program.label, program.running
    ('cmd=./pbrain-x --quiet,seconds=2', 'pbrain-x', False)
    >>> tengen.external("")
    Traceback (most recent call last):
        ...
    tengen.players.spec.SpecError: cmd= names no program: expected one such as cmd=./pbrain-x
    >>> tengen.external is tengen.External
    True
"""

_players: weakref.WeakSet[External] = weakref.WeakSet()


def _leave_to_parent() -> None:
    for each in list(_players):
        each._forked()  # noqa: SLF001 - of the class above


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)


def _command(given: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> str:
    """Return a command as one text, quoted as in a shell."""
    if isinstance(given, str):
        return given.strip()
    words: Any = [given] if isinstance(given, os.PathLike) else given
    if isinstance(words, bytes) or not isinstance(words, Sequence):
        raise wrong("cmd", given, "argument.command")
    if not all(isinstance(word, (str, os.PathLike)) for word in words):
        raise wrong("cmd", given, "argument.command")
    quote = shlex.quote if os.name == "posix" else _quoted
    return " ".join(quote(os.fspath(word)) for word in words)


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


def _words(command: str) -> list[str]:
    """The words of a command."""
    if "," in command or not command.isprintable():
        raise SpecError("error.program.command.comma", command=shorten(command, 40))
    posix = os.name == "posix"
    try:
        words = shlex.split(command, posix=posix)
    except ValueError as error:
        raise SpecError("error.program.command", command=shorten(command, 40), reason=str(error)) from error
    if not posix:  # where a backslash parts folders and cannot quote
        words = [word[1:-1] if word[:1] == word[-1:] == '"' else word for word in words]
    if not (words and words[0]):
        raise SpecError("error.program.command.empty")
    return words


def _check(key: str, value: object) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (number and 0 <= value <= _MOST):  # type: ignore[operator]
        raise TengenError("error.parameter.value", name=key, value=shown(value), least=0, most=_MOST)


def _spec(command: str, settings: ProgramSettings) -> str:
    """The spec that makes a player again."""
    changed = {
        field.name: str(value)
        for field, value in zip(fields(settings), astuple(settings), strict=True)
        if value != field.default
    }
    return str(PlayerSpec("cmd", command, changed, "program"))
