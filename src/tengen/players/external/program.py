"""A Gomocup program as a process: lines to it, lines from it, and an end that it cannot escape.

Three threads serve a program, so that it never blocks its caller: one writes to its stdin, one reads its
stdout, one its stderr. The caller waits on a queue, for as long as it likes. On POSIX systems the program
runs under a guard (`tengen.players.external.guard`), which ends it when this process is gone, even by
SIGKILL.
"""

from __future__ import annotations

import errno
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import IO, Any

from tengen.gomocup.answers import parse_answer
from tengen.gomocup.command_names import CommandName
from tengen.gomocup.protocol_lines import LONGEST, ProtocolLine, pieces

KEPT = 50
"""The number of lines of stderr, and of chatter, that are kept."""

LINES = 100_000
"""Lines that a program may write between two commands."""

GRACE = 1.0
"""Seconds that a program has to end after END; half as long after SIGTERM."""

_GUARD = Path(__file__).with_name("guard.py")
_GUARD_STARTS = 30.0
"""Seconds in which the guard has surely started, on the slowest of machines."""

_KILLED = 10.0
"""Seconds in which a program that was killed has surely ended."""

_SHOWN = 2_000
"""The most bytes of a line that are shown."""


class ProgramEnded(Exception):
    """The program's output has ended."""


class TooMuchOutput(Exception):
    """The program writes without end: a line too long, or too many of them."""


class Program:
    """A running program.

    It is ended by `end`, and on POSIX systems whenever this process ends.

    Args:
        words: the program and its arguments; no shell reads them.
        on_line: called with each line that passes, one at a time, from several threads: first ``">"`` for
            lines to the program, ``"<"`` for its answers, or ``"!"`` for its stderr; then the line. An
            exception of it is raised by the next `receive`.

    Attributes:
        messages: the last MESSAGE lines without that word; whoever sends a command may clear them.
        debug: the last DEBUG lines likewise.
        stderr: the last lines of stderr.
        last_line: the time of the last line of any kind, by `time.perf_counter`.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, words: Sequence[str], on_line: Callable[[str, str], object]) -> None:
        self.messages: deque[str] = deque(maxlen=KEPT)
        self.debug: deque[str] = deque(maxlen=KEPT)
        self.stderr: deque[str] = deque(maxlen=KEPT)
        self.last_line = time.perf_counter()
        self._on_line: Callable[[str, str], object] | None = on_line
        self._reporting = threading.RLock()  # `on_line` may end the program, and that reports END
        self._ending = threading.Lock()
        self._owner = os.getpid()
        self._lines: queue.SimpleQueue[ProtocolLine | Exception] = queue.SimpleQueue()
        self._out: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._control: socket.socket | None = None
        self._number = 0
        self._counts = {"<": 0, "!": 0}
        self._process = self._guarded(words) if _guards() else self._alone(words)
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._threads = [
            threading.Thread(target=work, args=(stream,), name=f"{words[0]} {name}", daemon=True)
            for name, work, stream in (
                ("stdin", self._write, stdin),
                ("stdout", self._read, stdout),
                ("stderr", self._read_stderr, stderr),
            )
        ]
        for thread in self._threads:
            thread.start()

    def send(self, *lines: str) -> None:
        """Send lines; returns at once, whether the program listens or not."""
        self._counts = {"<": 0, "!": 0}
        for line in lines:
            self._report(">", line)
        self._out.put("".join(f"{line}\r\n" for line in lines).encode())

    def receive(self, seconds: float) -> ProtocolLine | None:
        """Return the next line that is no chatter; None if none comes within `seconds`.

        Raises:
            ProgramEnded: the program's output has ended.
            TooMuchOutput: it writes without end.
            Exception: what `on_line` has raised.
        """
        try:
            found = self._lines.get(timeout=max(seconds, 0.0)) if seconds > 0 else self._lines.get_nowait()
        except queue.Empty:
            return None
        if isinstance(found, Exception):
            self._lines.put(found)  # it stays so
            raise found
        return found

    def wait(self, seconds: float) -> int | None:
        """Return the exit status, negative for a signal; None if the program still runs after `seconds`."""
        try:
            return self._process.wait(max(seconds, 0.0))
        except subprocess.TimeoutExpired:
            return None

    def end(self, grace: float = GRACE, after_sigterm: float | None = None) -> None:
        """End the program: by END, then by SIGTERM, then by SIGKILL, each if the one before has not.

        Args:
            grace: seconds that it has to end after END; 0 kills it at once.
            after_sigterm: seconds that it has after SIGTERM; half as many if None.
        """
        if os.getpid() != self._owner:
            return  # a forked copy of this process, which does not own the program
        with self._ending:
            if self._process.returncode is None:
                if grace > 0:
                    self.send(CommandName.END)
                self._out.put(None)
                if grace <= 0 or self.wait(grace) is None:
                    self._terminate(grace / 2 if after_sigterm is None else after_sigterm)
            self._out.put(None)
            self._bury()

    def abandon(self) -> None:
        """Let go of a program that belongs to the process this one was forked from."""
        if self._control is not None:
            self._control.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._process.returncode = 0  # not ours to wait for

    def _guarded(self, words: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start the program under its guard."""
        self._control, theirs = socket.socketpair()
        with theirs:
            guard = [sys.executable, "-I", "-S", str(_GUARD), str(theirs.fileno())]
            try:
                process = _started([*guard, *words], pass_fds=(theirs.fileno(),), start_new_session=True)
            except BaseException:
                self._control.close()
                raise
        self._process = process
        self._control.settimeout(_GUARD_STARTS)
        try:
            report = self._control.recv(64).split()[:2]
        except OSError:
            report = []
        if report[:1] == [b"started"]:
            self._number = int(report[1])
            return process
        self._control.close()
        process.kill()
        process.communicate()
        number = int(report[1]) if len(report) == 2 else errno.ECHILD
        raise OSError(number, os.strerror(number), words[0])

    def _alone(self, words: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start the program without a guard."""
        flags = ("CREATE_NEW_PROCESS_GROUP", "CREATE_NO_WINDOW")  # Windows: no Ctrl-C, no black window
        return _started(words, creationflags=sum(getattr(subprocess, flag, 0) for flag in flags))

    def _terminate(self, grace: float) -> None:
        if self._control is None:
            self._process.kill()
            return
        if grace > 0:
            with suppress(OSError):
                self._control.send(b"t")
            if self.wait(grace) is not None:
                return
        with suppress(
            OSError
        ):  # a forked copy of this process may hold the socket, so closing it is not enough
            self._control.shutdown(socket.SHUT_WR)

    def _bury(self) -> None:
        """Wait for what has been ended, and see that nothing is left of it."""
        if self.wait(_KILLED) is None:
            self._process.kill()
            self._process.wait()
        if self._control is not None and self._number:
            last = b""
            with suppress(OSError):
                last = self._control.recv(1)
            if last != b".":  # the guard was killed, so the program is still there
                import signal

                with suppress(OSError):
                    os.killpg(self._number, signal.SIGKILL)
            self._control.close()
            self._number = 0
        for thread in self._threads:
            # Somebody may have fled from the process group and hold the streams open; and what collects
            # garbage, so that a program is ended, may be one of the threads.
            if thread is not threading.current_thread():
                thread.join(GRACE)

    def _report(self, way: str, text: str) -> None:
        with self._reporting:
            try:
                if self._on_line is not None:
                    self._on_line(way, text)
            except Exception as error:  # raised again where it can be caught; no more lines are reported
                self._on_line = None
                self._lines.put(error)

    def _write(self, stream: IO[bytes]) -> None:
        with suppress(OSError), stream:  # who does not listen any more will be seen not to answer
            while (data := self._out.get()) is not None:
                while data:
                    data = data[stream.write(data) :]

    def _read(self, stream: IO[bytes]) -> None:
        end: Exception = ProgramEnded()
        with stream:
            for piece in _whole_lines(stream):
                if len(piece) > LONGEST or self._counts["<"] >= LINES:
                    end = TooMuchOutput()
                    break
                self._take(piece)
        self._lines.put(end)

    def _take(self, piece: bytes) -> None:
        text = _text(piece)
        if not text:
            return
        line = ProtocolLine(text, time.perf_counter())
        self.last_line = line.at
        self._counts["<"] += 1
        self._report("<", text)
        answer = parse_answer(text)
        if answer.kind == "message":
            self.messages.append(answer.text)
        elif answer.kind == "debug":
            self.debug.append(answer.text)
        else:
            self._lines.put(line)

    def _read_stderr(self, stream: IO[bytes]) -> None:
        with stream:
            for piece in _whole_lines(stream):
                text = _text(piece)
                if not text:
                    continue
                self.last_line = time.perf_counter()
                self.stderr.append(text)
                self._counts["!"] += 1
                if self._counts["!"] <= LINES:  # a log need not hold it all
                    self._report("!", text)


def _guards() -> bool:
    """Return whether the guard can run: on POSIX, with a Python interpreter."""
    return os.name == "posix" and bool(sys.executable) and not getattr(sys, "frozen", False)


def _started(words: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, **options)


def _whole_lines(stream: IO[bytes]) -> Iterator[bytes]:
    return chain.from_iterable(lines for lines, _ in pieces(lambda: stream.read(LONGEST)))


def _text(piece: bytes) -> str:
    return piece[:_SHOWN].decode(errors="replace").strip()
