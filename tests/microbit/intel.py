"""Reads the .hex file of the micro:bit back: Intel HEX, the two versions, and the file system in it."""

from __future__ import annotations

from collections.abc import Iterator

PLACES = {"9900": (0x38C00, 0x3F800), "9903": (0x6D000, 0x72000)}


def sections(text: str) -> dict[str, dict[int, int]]:
    """The bytes at every address, for each version of the micro:bit in a universal .hex file.

    Every record's checksum is tested.
    """
    memory: dict[str, dict[int, int]] = {}
    version, base = "", 0
    for line in text.split():
        assert line[0] == ":"
        length, high, low, kind, *data, check = bytes.fromhex(line[1:])
        assert length == len(data)
        assert (length + high + low + kind + sum(data) + check) % 256 == 0
        if kind == 0x0A:
            version = f"{data[0]:02X}{data[1]:02X}"
            memory[version] = {}
        elif kind == 4:
            base = (data[0] << 24) + (data[1] << 16)
        elif kind == 2:
            base = (data[0] << 12) + (data[1] << 4)
        elif kind in {0, 0x0D}:
            for at, value in enumerate(data, base + (high << 8) + low):
                assert memory[version].setdefault(at, value) == value
        else:
            assert kind in {1, 3, 5, 0x0B, 0x0C}, line
    return memory


def files(memory: dict[int, int], start: int, end: int) -> Iterator[tuple[str, bytes]]:
    """The files in MicroPython's file system, followed as the micro:bit follows them."""
    chunks = {
        number: bytes(memory.get(at + byte, 0xFF) for byte in range(128))
        for number, at in enumerate(range(start, end, 128), 1)
    }
    for number, chunk in chunks.items():
        if chunk[0] != 0xFE:
            continue
        used, name_length = chunk[1], chunk[2]
        content = chunk[1:127]
        while chunk[127] != 0xFF:
            following = chunks[chunk[127]]
            assert following[0] == number
            number, chunk = chunk[127], following  # noqa: PLW2901 - the chain is followed
            content += chunk[1:127]
        content = content[: len(content) - 126 + used]
        yield content[2 : 2 + name_length].decode(), content[2 + name_length :]


def plain(text: str) -> str:
    """The first version's part alone, as plain Intel HEX."""
    kept = []
    for line in text.split():
        if line[7:9] == "0A" and line[9:13] == "9903":
            break
        if line[7:9] in {"00", "02", "03", "04", "05"}:
            kept.append(line)
    return "\n".join([*kept, ":00000001FF", ""])
