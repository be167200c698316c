"""Draws the pictures of the documentation into docs/img.

    python -m examples.pictures

The page docs/pictures.md explains them.
"""

from pathlib import Path

import tengen
from tengen import Board, Rules
from tengen.formats.pictures.animation import animate
from tengen.formats.pictures.gif import to_gif
from tengen.formats.pictures.svg import Drawing

FOLDER = Path(__file__).parent.parent / "docs" / "img"

GAME = "h8h9i7g9i8i9f9j9k9g7j8g8k8l8l10h6m11"
RENJU = "f7f11h5e7j7k8g6e8h7e6g7i7e5c8e10d7"


def board() -> Drawing:
    """A renju position as the `shapes` player sees it, with the points that are forbidden to Black."""
    position = Board.from_moves(RENJU, rules="renju")
    weights = tengen.player("shapes").explain(position).weights
    heaviest = sorted(weights, key=lambda point: -weights[point])[:8]
    return tengen.draw(position, heat={point: weights[point] for point in heaviest}, fouls=True)


def numbers() -> Drawing:
    """A whole game, move by move."""
    return tengen.draw(Board.from_moves(GAME), numbers=True, theme="print")


def win() -> Drawing:
    """A winning row."""
    return tengen.draw(Board.from_moves(GAME), theme="dark")


def marks() -> Drawing:
    """Everything that can be put on a point, and arrows between points."""
    position = Board.from_moves("e5d6f6d4", rules=Rules.named("freestyle", size=9))
    signs = {"e5": "triangle", "d6": "square", "f6": "circle", "g3": "cross", "c7": "A", "g7": "B"}
    return tengen.draw(position, signs, theme="plain", arrows=[("d4", "g4"), ("f6", "f8")])


def tictactoe() -> Drawing:
    """A board with short rows has X and O."""
    return tengen.draw(Board.from_moves("b2a1c1a2a3", rules="tictactoe"))


PICTURES = {"board": board, "numbers": numbers, "win": win, "marks": marks, "tictactoe": tictactoe}


def main() -> None:
    """Draw them all."""
    FOLDER.mkdir(exist_ok=True)
    for name, drawing in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(drawing().svg, "utf-8")
    (FOLDER / "board.png").write_bytes(board().png(width=800))
    (FOLDER / "game.gif").write_bytes(to_gif(animate(Board.from_moves(GAME), width=320)))


if __name__ == "__main__":
    main()
