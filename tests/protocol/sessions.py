"""Sessions of the Gomocup protocol, with each of the two programs that speak it.

The one in Python runs in this process, where time does not matter, or as a program; the native one always
as a program.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import time

import tengen
from tengen.players.external.program import Program
from tengen.protocol.conversation import Conversation

PYTHON = f"{sys.executable} -m tengen engine"

_native: list[str] = []
"""The native program, while tests run with it."""


def use_native(program: str | None) -> None:
    """Have sessions with the native program from now on, or with that in Python."""
    _native[:] = [] if program is None else [program]


def program_command() -> str:
    """The command that starts the program."""
    return _native[0] if _native else PYTHON


ABOUT = f'name="Tengen", version="{tengen.__version__}", author="Tengen developers", '
MOVE = re.compile(r"[0-9]+,[0-9]+")
FAST = "INFO timeout_turn 0"
WAIT = 300.0
"""Seconds after which an answer will not come; not a measure of anything."""


def everything(*commands: str, lang: str = "en") -> list[str]:
    """What is said after a script of commands."""
    return heard("".join(f"{command}\r\n" for command in commands), lang).splitlines()


def heard(script: str, lang: str = "en") -> str:
    """What is said after a script, as it is."""
    if _native:
        done = subprocess.run(_native, input=script.encode(), capture_output=True, check=True)
        return done.stdout.decode()
    out = io.StringIO()
    Conversation(lang=lang, source=io.StringIO(script), out=out).run()
    return out.getvalue()


def without_messages(said: list[str]) -> list[str]:
    """The answers alone."""
    return [line for line in said if not line.startswith("MESSAGE ")]


def talk(*commands: str, lang: str = "en") -> list[str]:
    """What a script of commands is answered with, MESSAGE lines apart."""
    return without_messages(everything(*commands, lang=lang))


def game(*commands: str, size: int = 15, rule: int = 0) -> list[str]:
    """The same in a game that has been started; its OK is left out."""
    first, *answers = talk(FAST, f"INFO rule {rule}", f"START {size}", *commands)
    assert first == "OK"
    return answers


def kinds(answers: list[str]) -> list[str]:
    """What the answers are: a move is ``x,y``, of others the first word."""
    return ["x,y" if MOVE.fullmatch(text) else text.split()[0] for text in answers]


class Brain:
    """The engine as a program of its own."""

    def __init__(self, *words: str) -> None:
        self.program = Program([*program_command().split(), *words], lambda _way, _text: None)

    def send(self, *lines: str) -> None:
        self.program.send(*lines)

    def answer(self) -> str:
        line = self.program.receive(WAIT)
        assert line is not None
        return line.text

    def ask(self, *lines: str) -> str:
        self.send(*lines)
        return self.answer()

    def silent(self) -> bool:
        """Whether nothing is said but what was asked for: ABOUT is the next answer."""
        return self.ask("ABOUT").startswith(ABOUT)

    def thinks(self) -> None:
        """Wait until a search has told of a few depths."""
        deadline = time.perf_counter() + WAIT
        while len(self.program.messages) < 3:
            assert time.perf_counter() < deadline
            time.sleep(0.01)
