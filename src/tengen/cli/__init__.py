"""The command line: commands, their options, and their output."""

from __future__ import annotations

from tengen.cli import serve_command  # noqa: F401 - in help's order

# isort: split
from tengen.cli import game_commands  # noqa: F401

# isort: split
import tengen.cli.analyse_commands
import tengen.cli.engine_command
import tengen.cli.match_command
import tengen.cli.openings_command
import tengen.cli.solve_command

# isort: split
import tengen.cli.proof_commands
import tengen.cli.puzzle_commands
import tengen.cli.tournament_commands
import tengen.cli.train_command
import tengen.cli.tune_command  # noqa: F401
from tengen.cli.application import main

__all__ = ["main"]
