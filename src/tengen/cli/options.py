"""Options shared by all kinds of commands: moves, rules, and JSON output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from tengen.cli.declaration import Options, argument, option
from tengen.cli.option_values import positive, whole
from tengen.cli.positions import read_board, rules_from
from tengen.game.board import Board
from tengen.game.rules import Rules

Moves = Annotated[str, argument("cli.moves", "MOVES")]
Json = Annotated[bool, option("cli.json", name="--json")]
EncodingText = Annotated[str | None, option("cli.encoding.option", metavar="NAME")]
MoveNumber = Annotated[int | None, option("cli.move", whole)]
SizeText = Annotated[str | None, option("cli.size", metavar="W[xH]")]


@dataclass(frozen=True, kw_only=True)
class RulesOptions(Options):
    """The rules and the board size."""

    rules: Annotated[str | None, option("cli.rules", metavar="NAME")] = None
    size: SizeText = None

    def chosen(self, **overrides: Any) -> Rules:
        """Return the rules named by the options.

        Raises:
            RulesError: the rules do not exist.
        """
        return rules_from(self.rules, self.size, **overrides)


@dataclass(frozen=True, kw_only=True)
class GameOptions(Options):
    """The game of a file, and the encoding of its text."""

    game: Annotated[int | None, option("cli.game", positive)] = None
    encoding: EncodingText = None


@dataclass(frozen=True, kw_only=True)
class PositionOptions(RulesOptions):
    """The rules and the board size, and the position in a file."""

    game_options: GameOptions = GameOptions()
    move: MoveNumber = None

    def board(self, moves: Sequence[str], **overrides: Any) -> Board:
        """Return the position given by the arguments; see `tengen.cli.positions.read_board`.

        Raises:
            RulesError: the rules do not exist.
            NotationError: the moves cannot be parsed.
            IllegalMove: a move is illegal.
        """
        game, encoding = self.game_options.game, self.game_options.encoding
        place: dict[str, Any] = {"game": game, "move": self.move, "encoding": encoding}
        return read_board(moves, self.rules, self.size, **place, **overrides)


@dataclass(frozen=True, kw_only=True)
class FoulRulesOptions(RulesOptions):
    """The rules, the board size, and the treatment of fouls."""

    fouls: Annotated[str | None, option("cli.fouls", metavar="forbidden|loses|claimed")] = None

    def chosen(self, **overrides: Any) -> Rules:
        return super().chosen(fouls=self.fouls, **overrides)
