"""Writes the .hex file for the micro:bit: MicroPython, and the scripts beside this one.

The first micro:bit has 10 kB of memory for Python. A single script of this game would not fit: parsing it
takes more than there is. In several files each is parsed by itself, and only when it is needed. `uflash`
knows MicroPython for both versions of the micro:bit but puts one script into its file system; so that file
system is replaced here by one that holds them all.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

try:
    import uflash
except ModuleNotFoundError:
    sys.exit("the package uflash is missing: install it with pip install uflash")

SCRIPTS = ("main.py", "match.py", "game.py", "player.py", "link.py", "duo.py")

CHUNK = 128
DATA = CHUNK - 2
"""A chunk's first byte says which chunk comes before it, its last which comes after."""

FIRST, NONE, SCRATCH = 0xFE, 0xFF, 0xFD

PLACES = {"9900": (0x38C00, 0x3F800), "9903": (0x6D000, 0x72000)}
"""Where the file system begins and ends, on the first and on the second version of the micro:bit."""


def chunks(files: Mapping[str, bytes]) -> Iterator[bytes]:
    """The chunks of MicroPython's file system for the micro:bit, numbered from 1.

    A file begins with the place in its last chunk where it ends, and with its name. Where that place would
    be the first, an empty chunk follows.
    """
    number = 0
    for name, text in files.items():
        content = bytes([(2 + len(name) + len(text)) % DATA, len(name)]) + name.encode("ascii") + text
        for start in range(0, len(content) + 1, DATA):
            before = number if start else FIRST
            number += 1
            after = number + 1 if start + DATA <= len(content) else NONE
            yield bytes([before, *content[start : start + DATA].ljust(DATA, b"\xff"), after])


def file_system(files: Mapping[str, bytes], version: str) -> str:
    """The records of Intel HEX that fill the file system of one version of the micro:bit.

    Raises:
        ValueError: the files are too large for it.
    """
    start, end = PLACES[version]
    data = b"".join(chunks(files))
    if len(data) > end - start:
        raise ValueError(f"the scripts take {len(data)} bytes of the {end - start} on the micro:bit")
    universal = version == "9903"
    parts = (
        uflash.bytes_to_ihex(start, data, universal),
        uflash.bytes_to_ihex(end, bytes([SCRATCH]), universal),
    )
    return "".join(f"{part}\n" for part in parts)


def embed(files: Mapping[str, bytes]) -> str:
    """MicroPython for both versions of the micro:bit, with these files; it starts `main.py`.

    Raises:
        ValueError: the files are too large, or `uflash` does not write what it wrote in version 2.0.
    """
    script = files["main.py"]
    text: str = uflash.embed_fs_uhex(uflash._RUNTIME, script)  # noqa: SLF001 - there is no other way to it
    for version in PLACES:
        single = uflash.pad_hex_string(uflash.script_to_fs(script, version))
        if text.count(single) != 1:
            raise ValueError("this version of uflash places its file system elsewhere")
        text = text.replace(single, uflash.pad_hex_string(file_system(files, version)))
    return text


def scripts() -> dict[str, bytes]:
    """The game, by the names of its files."""
    folder = Path(__file__).parent
    return {name: (folder / name).read_text("utf-8").encode("ascii") for name in SCRIPTS}


def main() -> None:
    """Write the game to the path that is given."""
    parser = argparse.ArgumentParser(
        prog="python -m microbit.hexfile", description="Write the game for the micro:bit."
    )
    parser.add_argument("target", type=Path, metavar="FILE", help="such as build/tengen.hex")
    target: Path = parser.parse_args().target
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(embed(scripts()), "ascii", newline="\n")


if __name__ == "__main__":
    main()
