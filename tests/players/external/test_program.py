from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path

import pytest

from tengen.gomocup.protocol_lines import LONGEST
from tengen.players.external import program
from tengen.players.external.program import KEPT, Program, ProgramEnded, TooMuchOutput
from tests.console import until
from tests.programs import bad, good

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are watched through a FIFO")

ROOT = Path(__file__).parents[3]

PATIENCE = 60.0
"""Seconds in which a program has surely done what it does at once: the machine may be busy."""


class Watched:
    """Watches processes through a FIFO that they hold open: they are gone when nobody holds it any more."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "held"
        os.mkfifo(self.path)
        self._end = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)

    def came(self, count: int) -> None:
        """Wait until so many processes have said that they are there."""
        deadline = time.monotonic() + PATIENCE
        while count:
            assert time.monotonic() < deadline
            with suppress(BlockingIOError):
                count -= len(os.read(self._end, count))
            time.sleep(0.002)

    def gone(self) -> bool:
        """Whether all of them end within some seconds."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                if not os.read(self._end, 1):
                    return True
            except BlockingIOError:
                pass
            time.sleep(0.005)
        return False

    def close(self) -> None:
        os.close(self._end)


@pytest.fixture
def watched(tmp_path):
    made = Watched(tmp_path)
    yield made
    made.close()


class Talk:
    """What passes between us and a program."""

    def __init__(self):
        self.lines: list[tuple[str, str]] = []

    def __call__(self, way, text):
        self.lines.append((way, text))


_TIMES = 8
"""How often something is done to see whether each time leaves a file open; other tests' threads open some
now and then."""


def open_files() -> int:
    """How many files this process has open."""
    return len(list(Path("/dev/fd").iterdir()))


def drain(made: Program) -> None:
    """Read all that a program says."""
    while made.receive(PATIENCE):
        pass


def run(command: str, tell=lambda _way, _text: None) -> Program:
    return Program(command.split(), tell)


def test_lines_go_in_and_come_out():
    talk = Talk()
    made = run(good(), talk)
    made.send("INFO rule 0", "START 15")
    line = made.receive(PATIENCE)
    assert line is not None
    assert line.text == "OK"
    assert line.at <= time.perf_counter()
    assert made.receive(0) is None
    assert made.receive(0.001) is None
    made.send("TURN 7,7")
    assert made.receive(PATIENCE) is not None
    assert made.wait(0) is None
    made.end(PATIENCE)
    assert made.wait(0) == 0
    assert [line for line in talk.lines if line[0] == ">"] == [
        (">", "INFO rule 0"),
        (">", "START 15"),
        (">", "TURN 7,7"),
        (">", "END"),
    ]
    assert [way for way, _ in talk.lines].count("<") == 2


def test_the_end_of_the_output_is_told_again_and_again():
    made = run(bad("crash-start"))
    for _ in range(3):
        with pytest.raises(ProgramEnded):
            made.receive(PATIENCE)
    assert made.wait(PATIENCE) == 3
    made.end()
    assert list(made.stderr) == ["warming up", "cannot load the book"]


@pytest.mark.parametrize("words", [["./no-such-program"], [str(ROOT)], [str(ROOT / "README.md")]])
def test_what_cannot_be_started(words):
    before = open_files()
    for _ in range(_TIMES):
        with pytest.raises(OSError, match=r"No such file|Permission denied"):
            Program(words, Talk())
    gc.collect()
    assert open_files() < before + _TIMES


def test_a_script_for_nobody_cannot_be_started(tmp_path):
    script = tmp_path / "script"
    script.write_text("neither a program nor a script")
    script.chmod(0o755)
    with pytest.raises(OSError, match="Exec format error"):
        Program([str(script)], Talk())


def test_chatter_is_kept_apart():
    made = run(bad("chatter"))
    made.send("START 15", "BEGIN")
    texts = [line.text for line in (made.receive(PATIENCE), made.receive(PATIENCE)) if line is not None]
    assert texts == ["OK - everything is good", "0,0"]
    assert len(made.messages) == len(made.debug) == KEPT
    assert made.messages[-1] == "depth 3-9 ev -12 n 34K"
    assert made.debug[-1] == "thinking about 4999"
    made.end()


def test_bytes_that_are_no_text():
    made = run(f"{sys.executable} -S -E -c import" + "\u00a0")  # fails, and says so in its own way
    with pytest.raises(ProgramEnded):
        made.receive(PATIENCE)
    made.end()
    assert made.stderr


def test_a_flood_of_stderr_holds_nobody_up():
    made = run(bad("stderr"))
    made.send("START 15", "BEGIN")
    assert made.receive(PATIENCE) is not None
    line = made.receive(PATIENCE)
    assert line is not None
    assert line.text == "0,0"
    made.end()
    assert len(made.stderr) == KEPT
    assert max(map(len, made.stderr)) < LONGEST


def test_a_line_without_end():
    made = run(bad("endless"))
    made.send("START 15", "BEGIN")
    assert made.receive(PATIENCE) is not None
    with pytest.raises(TooMuchOutput):
        made.receive(PATIENCE)
    made.end(0)


@pytest.mark.long
def test_lines_without_end():
    for text in ("7", "MESSAGE"):
        made = run(f"yes {text}")
        with pytest.raises(TooMuchOutput):
            drain(made)
        made.end(0)


def test_every_command_allows_for_more_lines(monkeypatch):
    monkeypatch.setattr(program, "LINES", 3)
    made = run("cat")
    for _ in range(3):
        made.send("one", "two", "three")
        assert [made.receive(PATIENCE) is not None for _ in range(3)] == [True] * 3
    made.send("one", "two", "three", "four")
    with pytest.raises(TooMuchOutput):
        drain(made)
    made.end(0)


def test_commands_never_wait_for_a_program_that_does_not_read():
    made = run("sleep 600")
    made.send(*["x" * 1000] * 1000)
    assert made.receive(0.01) is None
    made.end(0)
    assert made.wait(0) == -signal.SIGKILL


def test_the_status_is_the_programs():
    made = run(bad("segv"))
    made.send("START 15", "BEGIN")
    assert made.receive(PATIENCE) is not None
    with pytest.raises(ProgramEnded):
        made.receive(PATIENCE)
    assert made.wait(PATIENCE) == -signal.SIGSEGV
    made.end()


def test_end_comes_before_force():
    made = run("cat")  # ends with its input
    made.end(PATIENCE)
    assert made.wait(0) == 0
    made.end()


def test_a_program_that_will_not_end_is_killed():
    made = run(bad("stubborn"))
    made.send("START 15")
    assert made.receive(PATIENCE) is not None
    made.end(0.05)
    assert made.wait(0) == -signal.SIGKILL


def test_a_program_that_reads_no_end_is_asked_by_a_signal():
    made = run("sleep 600")
    made.end(0.05, PATIENCE)
    assert made.wait(0) == -signal.SIGTERM


def test_a_frozen_program_is_killed():
    made = run(bad("freeze"))
    made.send("START 15", "BEGIN")
    assert made.receive(PATIENCE) is not None
    made.end(0)
    assert made.wait(0) == -signal.SIGKILL


def test_helpers_go_with_the_program(watched):
    made = run(bad("child", str(watched.path)))
    watched.came(2)
    made.end()
    assert watched.gone()


def test_helpers_go_when_the_program_ends_by_itself(watched):
    made = run(bad("child", str(watched.path)))
    watched.came(2)
    made.send("END")
    assert watched.gone()
    with pytest.raises(ProgramEnded):  # though the helper held the output open
        made.receive(PATIENCE)
    made.end()


def test_a_program_whose_guard_was_killed_is_ended_all_the_same(watched):
    made = run(bad("child", str(watched.path)))
    watched.came(2)
    made._process.kill()
    made.send("START 15")
    assert made.receive(PATIENCE) is not None  # it has not even noticed
    made.end()
    assert watched.gone()


def test_a_guard_that_is_told_to_end_takes_the_program_with_it(watched):
    made = run(bad("child", str(watched.path)))
    watched.came(2)
    made._process.terminate()
    assert watched.gone()
    made.end()


def test_without_a_guard(monkeypatch):
    # As on Windows.
    monkeypatch.setattr(program, "_guards", lambda: False)
    made = run(good())
    made.send("START 15")
    assert made.receive(PATIENCE) is not None
    made.end(PATIENCE)
    assert made.wait(0) == 0
    made = run(bad("stubborn"))
    made.end(0.05)
    assert made.wait(0) == -signal.SIGKILL
    with pytest.raises(FileNotFoundError):
        run("./no-such-program")


def test_what_the_listener_raises_is_raised_where_it_can_be_caught():
    def tell(way, _text):
        if way == "<":
            raise OSError("disk full")

    made = run(good(), tell)
    made.send("START 15")
    with pytest.raises(OSError, match="disk full"):
        drain(made)
    made.end()


@pytest.mark.long
def test_nothing_is_left_of_an_ended_program():
    before = open_files()
    for _ in range(_TIMES):
        run(good()).end(PATIENCE)
    gc.collect()
    assert open_files() < before + _TIMES
    threads = threading.active_count()
    made = run(good())
    assert threading.active_count() == threads + 3
    made.end(PATIENCE)
    until(lambda: threading.active_count() == threads)
    gone = weakref.ref(made)
    del made
    gc.collect()
    assert gone() is None


# -- what becomes of a program when the process behind it goes; each in a process of its own


def script(text: str, *words: str) -> subprocess.Popen[str]:
    """Run a script that has a player `made` of the command in its first word."""
    head = """
        import os, signal, sys
        from tengen import Board
        from tengen.players.external.external_player import External
        made = External(sys.argv[1])
        made.choose(Board())
    """
    code = textwrap.dedent(head) + textwrap.dedent(text)
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    """The next line that the script prints."""
    assert process.stdout is not None
    return process.stdout.readline()


def test_a_killed_process_takes_the_program_with_it(watched):
    with script("print('playing', flush=True); input()", bad("child", str(watched.path))) as process:
        watched.came(2)
        assert said(process) == "playing\n"
        process.kill()
    assert watched.gone()


@pytest.mark.parametrize("end", ["", "sys.exit(1)", "os._exit(0)", "os.abort()", "1 / 0"])
def test_a_process_that_ends_takes_the_program_with_it(watched, end):
    with script(f"input()\n{end}", bad("child", str(watched.path))) as process:
        watched.came(2)
        process.communicate("\n", timeout=PATIENCE)
    assert watched.gone()


def test_a_copy_made_by_fork_leaves_the_program_alone(watched):
    code = """
        input()
        copy = os.fork()
        if copy == 0:
            assert not made.running
            sys.stdin.read()  # as long as it likes
            sys.exit(0)
        assert made.choose(Board.from_moves("h8")).point
        print('playing', flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    with script(code, bad("child", str(watched.path))) as process:
        watched.came(2)
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        assert said(process) == "playing\n"
        process.wait(PATIENCE)
        assert watched.gone()  # though the copy lives on


def test_ctrl_c_in_the_terminal_does_not_reach_the_program():
    code = """
        signal.signal(signal.SIGINT, lambda *_: print('interrupted', flush=True))
        print('playing', flush=True)
        input()
        print(made.choose(Board.from_moves("h8")).point, flush=True)
        made.close()
    """
    with script(code, bad("plain")) as process:
        assert said(process) == "playing\n"
        os.killpg(process.pid, signal.SIGINT)
        assert said(process) == "interrupted\n"
        out, _ = process.communicate("\n", timeout=PATIENCE)
        assert out == "210\n"
