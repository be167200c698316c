"""A Gomocup program that breaks the protocol: ``python bad.py MODE [VALUE]``.

It plays the first free points of the board, row by row from the top left. MODE says what it does wrong;
``plain`` is nothing.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time

MODE, VALUE = (*sys.argv[1:3], "", "")[:2]
END = {"cr": "\r", "crlf": "\r\n"}.get(MODE, "\n")


def write(text: str, end: str = END) -> None:
    data = (text + end).encode()
    while data:
        data = data[os.write(1, data) :]


def commands():
    """The commands, read without a buffer: what has not been asked for stays in the pipe."""
    rest = b""
    while True:
        while b"\n" not in rest:
            chunk = os.read(0, 4096)
            if not chunk:
                return
            rest += chunk
        line, _, rest = rest.partition(b"\n")
        if line.strip():
            yield line.decode().strip()


class Bad:
    def __init__(self) -> None:
        self.width = self.height = 0
        self.taken: set[tuple[int, int]] = set()
        self.moves = 0
        self.commands = commands()

    def run(self) -> None:
        if MODE == "crash-start":
            print("warming up", file=sys.stderr)
            print("cannot load the book", file=sys.stderr, flush=True)
            sys.exit(3)
        if MODE == "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if MODE == "child":
            self.child()
        if MODE == "banner":
            write("Bad 1.0 (c) nobody")
        for line in self.commands:
            command, _, values = line.partition(" ")
            if command == "END" and MODE != "stubborn":
                return
            self.obey(command, values)
        while MODE == "stubborn":
            time.sleep(60)

    def obey(self, command: str, values: str) -> None:
        if command == "INFO":
            self.info(values)
        elif command in ("START", "RECTSTART"):
            self.start(values)
        elif command == "RESTART":
            self.restart()
        elif command == "ABOUT":
            write('name="bad", version="1.0"')
        elif command in ("BEGIN", "TURN", "BOARD"):
            if command == "BOARD":
                self.taken.clear()
                while (line := next(self.commands)) != "DONE":
                    self.take(line)
            elif command == "TURN":
                self.take(values)
            self.move()

    def take(self, text: str) -> None:
        x, y = text.split(",")[:2]
        self.taken.add((int(x), int(y)))

    def info(self, values: str) -> None:
        if MODE in ("complains", "complains-refuses", "complains-errors"):
            write(f"UNKNOWN {values}")
        elif MODE == "info-ok":
            write("OK")

    def start(self, values: str) -> None:
        if MODE in ("refuses", "complains-refuses"):
            write("ERROR unsupported size")
            return
        if MODE == "hang-start":
            time.sleep(600)
        if MODE == "late":
            time.sleep(float(VALUE))
        if MODE == "lively-start":
            self.show_life()
        sides = [int(side) for side in values.split(",")]
        self.width, self.height = sides[0], sides[-1]
        self.taken.clear()
        write("OK - everything is good")

    def restart(self) -> None:
        if MODE == "no-restart":
            write("UNKNOWN command")
        elif MODE == "silent-restart":
            pass
        elif MODE == "exits-between":
            sys.exit(0)
        else:
            self.taken.clear()
            write("OK")

    def move(self) -> None:
        self.moves += 1
        points = ((x, y) for y in range(self.height) for x in range(self.width))
        point = next(point for point in points if point not in self.taken)
        text = "{},{}".format(*point)
        if MODE == "say":
            text = VALUE.replace(";", ",")  # no comma may stand in a spec
        elif MODE in WRONGS:
            WRONGS[MODE](self, text)
        moved = time.monotonic()
        write(text + END + text if MODE == "twice" else text)
        if MODE != "say":
            self.take(text)
        self.after(moved)

    def after(self, moved: float) -> None:
        """What it does when it has moved."""
        if MODE == "leaves":
            sys.exit(0)
        elif MODE == "deaf":
            # What comes so soon is read and lost, as by a program that empties its input.
            until = moved + float(VALUE) / 1000
            while (left := until - time.monotonic()) > 0:
                if select.select([0], [], [], left)[0]:
                    os.read(0, 4096)
                    self.commands = commands()

    def child(self) -> None:
        """Start a process that would live on; it and this one hold VALUE, a FIFO, open."""
        held = os.open(VALUE, os.O_WRONLY)
        code = f"import os, time; os.write({held}, b'c'); time.sleep(600)"
        subprocess.Popen([sys.executable, "-S", "-E", "-c", code], pass_fds=[held])
        os.write(held, b"p")

    # -- what it does wrong at a move

    def crash(self, text: str) -> None:
        if self.moves == int(VALUE or 1):
            print("out of ideas", file=sys.stderr, flush=True)
            sys.exit(3)

    def segv(self, text: str) -> None:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGSEGV)

    def hang(self, text: str) -> None:
        if self.moves == int(VALUE or 1):
            time.sleep(600)

    def freeze(self, text: str) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)

    def slow(self, text: str) -> None:
        time.sleep(float(VALUE))

    def lively(self, text: str) -> None:
        self.show_life()

    def show_life(self) -> None:
        """Say something, now here and now there, VALUE times; for ever without it."""
        number = 0
        while number < float(VALUE or "inf"):
            number += 1
            os.write(2, b"loading\n") if number % 3 == 0 else write(f"MESSAGE compiling: {number}")
            time.sleep(0.3)

    def garbage(self, text: str) -> None:
        write("I resign, " + "alas " * 100)

    def error(self, text: str) -> None:
        write("ERROR no such position")
        time.sleep(600)

    def unknown(self, text: str) -> None:
        write("UNKNOWN command")
        time.sleep(600)

    def chatter(self, text: str) -> None:
        os.write(1, b"MESSAGE \xff\xfe no text\n")
        for number in range(5000):
            write(f"{'DEBUG' if number % 2 else 'message'} thinking about {number}")
        write("MESSAGE depth 3-9 ev -12 n 34K")

    def stderr(self, text: str) -> None:
        for number in range(20_000):
            os.write(2, b"warning %d: this is a long line about nothing at all\n" % number)
        os.write(2, b"x" * 300_000 + b"\n")

    def endless(self, text: str) -> None:
        while True:
            write("7", end="")

    def many(self, text: str) -> None:
        while True:
            write("MESSAGE and so on")

    def closes(self, text: str) -> None:
        os.close(1)
        time.sleep(600)

    def partial(self, text: str) -> None:
        write(text, end="")
        sys.exit(0)

    def suggest(self, text: str) -> None:
        write(f"SUGGEST {text}")
        assert next(self.commands) == f"PLAY {text}"

    def threaded(self, text: str) -> None:
        while next(self.commands) != "INFO timeout_turn 0":
            pass
        if VALUE:
            write(f"UNKNOWN {VALUE}")


WRONGS = {
    "chatter": Bad.chatter,
    "closes": Bad.closes,
    "complains-errors": Bad.error,
    "crash": Bad.crash,
    "endless": Bad.endless,
    "error": Bad.error,
    "freeze": Bad.freeze,
    "garbage": Bad.garbage,
    "hang": Bad.hang,
    "lively": Bad.lively,
    "many": Bad.many,
    "partial": Bad.partial,
    "segv": Bad.segv,
    "slow": Bad.slow,
    "stderr": Bad.stderr,
    "suggest": Bad.suggest,
    "threaded": Bad.threaded,
    "unknown": Bad.unknown,
}

if __name__ == "__main__":
    Bad().run()
