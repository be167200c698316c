"""A Gomocup program as it ought to be, around one of Tengen's players.

``python good.py SPEC [WORDS...]`` knows every mandatory command, RESTART, RECTSTART, TAKEBACK and PLAY.
Before every move it says WORDS as a MESSAGE.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import from_gomocup, to_gomocup
from tengen.game.player import Limit
from tengen.game.points import BLACK, WHITE, Point
from tengen.game.rules import Rules
from tengen.players.registry import player

RULES = {
    "0": Rules.named("freestyle"),
    "1": Rules.named("standard"),
    "4": Rules.named("renju"),
    "8": Rules.named("caro", overline="wins"),
    "9": Rules.named("caro"),
}
ABOUT = 'name="good", version="1.0", author="Tengen", country="-", www="-", email="-"'


class Good:
    """The program's side of a game."""

    def __init__(self, spec: str, message: str) -> None:
        self.player = player(spec)
        self.message = message
        self.infos: dict[str, str] = {}
        self.size = 0, 0
        self.board: Board | None = None

    def obey(self, command: str, values: list[str]) -> str:
        """Carry a command out: the answer, empty where there is none."""
        if command == "INFO":
            self.infos[values[0]] = " ".join(values[1:])
            return ""
        if command == "ABOUT":
            return ABOUT
        if command in ("START", "RECTSTART"):
            sides = [int(side) for side in values[0].split(",")]
            self.size = sides[0], sides[-1]
            return self.new()
        if self.board is None:
            return "ERROR there is no board: START comes first"
        return self.play(self.board, command, values)

    def play(self, board: Board, command: str, values: list[str]) -> str:
        """The same for the commands that need a board."""
        if command == "RESTART":
            return self.new()
        if command == "TAKEBACK":
            if self.point(values[0]) != board.last:
                return "ERROR that was not the last move"
            board.pop()
            return "OK"
        if command in ("TURN", "PLAY"):
            board.push(self.point(values[0]))
        elif command == "BOARD":
            self.set_up()
        elif command != "BEGIN":
            return f"UNKNOWN {command}"
        return values[0] if command == "PLAY" else self.move()

    def new(self) -> str:
        rules = RULES.get(self.infos.get("rule", "0"))
        if rules is None:
            return "ERROR unknown rules"
        width, height = self.size
        self.board = Board(Rules.from_dict({**rules.to_dict(), "width": width, "height": height}))
        return "OK"

    def set_up(self) -> None:
        assert self.board is not None
        stones = []
        for line in lines():
            if line == "DONE":
                break
            x, y, field = line.split(",")
            stones.append((self.point(f"{x},{y}"), int(field)))
        rules = self.board.rules
        own = sum(field == 1 for _, field in stones)
        mine = BLACK if 2 * own == len(stones) else WHITE
        colours = [mine if field == 1 else 3 - mine for _, field in stones]
        points = [point for point, _ in stones]
        if colours == [BLACK if ply % 2 == 0 else WHITE for ply in range(len(stones))]:
            self.board = Board.from_moves(points, rules)
        else:
            pairs = list(zip(points, colours, strict=True))
            black, white = ([p for p, c in pairs if c == colour] for colour in (BLACK, WHITE))
            self.board = Board.from_stones(black, white, mine, rules)

    def move(self) -> str:
        assert self.board is not None
        seconds = int(self.infos.get("timeout_turn", "1000")) / 1000
        nodes = self.infos.get("max_node")
        limit = Limit(seconds, None if nodes is None else int(nodes))
        point = self.player.choose(self.board, limit).point
        self.board.push(point)
        if self.message:
            print(f"MESSAGE {self.message}", flush=True)
        return "{},{}".format(*to_gomocup(point, self.board.width, self.board.height))

    def point(self, text: str) -> Point:
        assert self.board is not None
        x, y = (int(number) for number in text.split(","))
        return from_gomocup(x, y, self.board.width, self.board.height)


def lines():
    """The commands, without empty lines."""
    return (line.strip() for line in sys.stdin if line.strip())


def main(spec: str, *words: str) -> None:
    program = Good(spec, " ".join(words))
    for line in lines():
        command, *values = line.split()
        if command.upper() == "END":
            return
        try:
            answer = program.obey(command.upper(), values)
        except (TengenError, ValueError, IndexError) as error:
            answer = f"ERROR {error}"
        if answer:
            print(answer, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
