"""The pictures of docs/microbit.md, drawn from what the fake display shows: `make microbit-pictures`."""

from __future__ import annotations

from pathlib import Path

from tests.microbit.fake import Device
from tests.microbit.scenes import WORKED, Pair, against, two_people

FOLDER = Path(__file__).parents[2] / "docs" / "microbit"
STEP, SIZE = 28, 5 * 28 + 16


def display(picture: str, left: int = 0) -> str:
    """A display of five rows, its lights as bright as they are."""
    parts = [f'<rect x="{left}" width="{SIZE}" height="{SIZE}" rx="12" fill="#16181d"/>']
    for y, row in enumerate(picture.split()):
        for x, light in enumerate(map(int, row)):
            corner = f'x="{left + 17 + x * STEP}" y="{13 + y * STEP}"'
            fill = (
                f'fill="#ff4a36" fill-opacity="{0.3 + 0.7 * light / 9:.2f}"' if light else 'fill="#343842"'
            )
            parts.append(f'<rect {corner} width="10" height="18" rx="2" {fill}/>')
    return "".join(parts)


def strip(pictures: list[str]) -> str:
    """Displays side by side."""
    width = len(pictures) * (SIZE + 12) - 12
    shown = "\n".join(display(picture, number * (SIZE + 12)) for number, picture in enumerate(pictures))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {SIZE}" width="{width}" '
        f'height="{SIZE}">\n{shown}\n</svg>\n'
    )


def menu() -> list[str]:
    """The ways to play."""
    device = Device()
    device.tap("A A A")
    device.run(0)
    return device.frames


def drops() -> list[str]:
    """The worked example of the origin, after each stone."""
    boards = []
    for number in range(1, 9):
        device = two_people(WORKED[:number], longer=0)
        boards.append(device.frames[-1])
    return boards


def occupied() -> list[str]:
    """A stone, the cursor on it, and what dropping another shows."""
    device = Device()
    device.tap("B B B")
    device.run(0)
    return device.frames[1:]


def answer() -> list[str]:
    """A corner against the micro:bit, and its reply."""
    frames = against("A", [0], longer=1100).frames
    return [frames[2], next(frame for frame in frames if frame[14] == "3")]


def radio() -> list[str]:
    """What both show when they have met, and after the first stone."""
    pair = Pair()
    pair.go(10000, pair.met)
    pair.go(100)
    pictures = [device.display.seen for device in pair.devices]
    pair.go(1500)
    pair.play(4)
    return pictures + [device.display.seen for device in pair.devices]


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    scenes = {"menu": menu, "game": drops, "occupied": occupied, "answer": answer, "radio": radio}
    return {f"{name}.svg": strip(scene()) for name, scene in scenes.items()}


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
