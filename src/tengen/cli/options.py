"""Options that commands of every kind share: the moves, the rules, and answers for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from tengen.cli.declaration import Options, argument, option
from tengen.cli.positions import read_board, rules_from
from tengen.game.board import Board
from tengen.game.rules import Rules

Moves = Annotated[list[str] | None, argument("cli.moves", "MOVES")]
Json = Annotated[bool, option("--json", "cli.json")]
EncodingText = Annotated[str | None, option("--encoding", "cli.encoding.option", "NAME")]
SizeText = Annotated[str | None, option("--size", "cli.size", "W[xH]")]


@dataclass(frozen=True)
class RulesOptions(Options):
    """The rules and the size of the board."""

    rules: Annotated[str | None, option("--rules", "cli.rules", "NAME")] = None
    size: SizeText = None

    def chosen(self, **overrides: Any) -> Rules:
        """The rules that the options name.

        Raises:
            RulesError: there are none such.
        """
        return rules_from(self.rules, self.size, **overrides)

    def board(self, moves: list[str] | None, **overrides: Any) -> Board:
        """The position that arguments name; see `tengen.cli.positions.read_board`.

        Raises:
            RulesError: there are no such rules.
            NotationError, IllegalMove: the moves cannot be read or played.
        """
        return read_board(moves, self.rules, self.size, **overrides)


@dataclass(frozen=True)
class FoulRulesOptions(RulesOptions):
    """The same, and what happens to fouls."""

    fouls: Annotated[str | None, option("--fouls", "cli.fouls", "forbidden|loses|claimed")] = None

    def chosen(self, **overrides: Any) -> Rules:
        return super().chosen(fouls=self.fouls, **overrides)
