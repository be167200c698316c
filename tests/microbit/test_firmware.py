"""The .hex file on the micro:bit's own MicroPython, in an emulated micro:bit with its 16 kB of memory.

QEMU knows the first micro:bit: its processor, its buttons and its serial line, on which MicroPython answers
once the program is interrupted. It has no radio. Most of all this shows that the scripts fit into the
memory, and their calls within calls into the stack.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from microbit import hexfile
from tests.microbit.intel import plain

QEMU = shutil.which("qemu-system-arm")
pytestmark = pytest.mark.skipif(
    os.name != "posix" or QEMU is None, reason="needs qemu-system-arm, which emulates the micro:bit"
)
PINS = {"A": 17, "B": 26}
PATIENCE = 60


class Emulated:
    """A micro:bit that has been switched on."""

    def __init__(self, folder: Path) -> None:
        image = folder / "first.hex"
        image.write_text(plain(hexfile.embed(hexfile.scripts())), "ascii")
        with socket.socket(socket.AF_UNIX) as server:
            os.chdir(folder)  # a socket's path must be short
            server.bind("hardware")
            server.listen()
            server.settimeout(PATIENCE)
            options = (
                "-M microbit -accel tcg -icount shift=7,sleep=off -display none -monitor none -serial stdio"
            )
            self.process = subprocess.Popen(
                [
                    str(QEMU),
                    *options.split(),
                    *("-qtest", "unix:hardware", "-qtest-log", "none"),
                    *("-device", "loader,file=first.hex"),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
            self.hardware = server.accept()[0]
        assert self.process.stdout
        os.set_blocking(self.process.stdout.fileno(), False)
        for pin in PINS.values():
            self._level(pin, 1)

    def close(self) -> None:
        """Switch it off."""
        self.hardware.close()
        self.process.kill()
        self.process.communicate()

    def _level(self, pin: int, level: int) -> None:
        self.hardware.sendall(f"set_irq_in /machine/nrf51 unnamed-gpio-in {pin} {level}\n".encode())
        assert self.hardware.recv(100) == b"OK\n"

    def press(self, button: str) -> None:
        """Press a button and let it go."""
        time.sleep(0.3)
        self._level(PINS[button], 0)
        time.sleep(0.3)
        self._level(PINS[button], 1)
        time.sleep(0.3)

    def type(self, text: str) -> None:
        """Type on the serial line, as slowly as it needs."""
        assert self.process.stdin
        for character in text:
            self.process.stdin.write(character.encode())
            time.sleep(0.003)

    def read(self) -> str:
        """What comes on the serial line until Python asks for more."""
        assert self.process.stdout
        text = ""
        end = time.monotonic() + PATIENCE
        while not text.endswith("\n>>> ") and time.monotonic() < end:
            text += (self.process.stdout.read() or b"").decode()
            time.sleep(0.01)
        return text

    def interrupt(self) -> str:
        """Stop the program; what Python says about it."""
        self.type("\3")
        return self.read()

    def ask(self, line: str) -> str:
        """What Python answers to a line, once it finds a piece of memory large enough to read it into.

        Where that is depends on where the program was interrupted. A line that cannot be read does nothing.
        """
        answer = ""
        for _ in range(4):
            self.type(line + "\r")
            answer = self.read().partition("\n")[2].removesuffix(">>> ").strip()
            if "parser could not allocate" not in answer:
                break
            self.type("import gc;gc.collect()\r")
            self.read()
        return answer


@pytest.fixture
def device(tmp_path, monkeypatch) -> Iterator[Emulated]:
    monkeypatch.chdir(tmp_path)
    emulated = Emulated(tmp_path)
    time.sleep(2)
    try:
        yield emulated
    finally:
        emulated.close()


def free(device):
    """Bytes of memory that are left."""
    device.ask("import gc;gc.collect()")
    return int(device.ask("gc.mem_free()"))


@pytest.mark.long
def test_a_game_against_the_micro_bit(device):
    device.press("A")
    device.press("B")  # against it, as A
    device.press("B")  # a stone in the corner
    time.sleep(1.5)
    stopped = device.interrupt()
    assert "KeyboardInterrupt" in stopped, stopped
    assert "in choose" not in stopped
    assert device.ask("[display.get_pixel(x,2) for x in range(5)]") == "[0, 0, 3, 0, 0]"
    device.ask("m=seat('B')")
    device.ask("while not m.result:m.drop(m.player(m.moves,len(m.moves)%4))\r")
    assert device.ask("m.result") == "'Draw Game'"
    assert device.ask("m.draw(0)") == ""
    assert device.ask("[display.get_pixel(x,2) for x in range(5)]").count("9") >= 1
    assert free(device) > 3000
    # At about eight million instructions a second it answers in an instant.
    device.ask("from microbit import running_time")
    assert int(device.ask("t=running_time();n=m.player(b'',1);running_time()-t").split()[-1]) < 500


@pytest.mark.long
def test_a_game_by_radio_fits_into_the_memory(device):
    assert "in choose" in device.interrupt()
    assert free(device) > 5000
    device.ask("from link import Link")
    device.ask("import duo")
    device.ask("class R:p=[];s=0;on=lambda:0;config=lambda channel:0\r")
    device.ask("R.receive_bytes=lambda:R.p.pop(0)if R.p else None")
    device.ask("R.send_bytes=lambda b:R.p.append(b'T5mate'+b[2:6]+b'\\0'+d.moves)")
    device.ask("duo.radio=R")
    device.ask("d=duo.Duo(Link(b'this'),3)")
    device.ask("for i in range(40):d.step();sleep(20);gc.collect()\r")
    assert device.ask("d.link.met,d.link.mate") == "(True, b'mate')"
    device.ask("for i in range(9):d.drop((4,0,2,6,3,5,1,7,8)[i]);d.step();gc.collect()\r")
    assert device.ask("d.result") == "'Draw Game'"
    assert free(device) > 2000  # what stands in for the radio is in the memory as well
