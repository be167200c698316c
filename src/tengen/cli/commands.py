"""The commands, in the order of the help page: the module of each, and its help text."""

from __future__ import annotations

COMMANDS = {
    "serve": ("serve_command", "cli.serve.help"),
    "site": ("site_command", "cli.site.help"),
    "doctor": ("doctor_command", "cli.doctor.help"),
    "play": ("game_commands", "cli.play"),
    "fouls": ("game_commands", "cli.fouls.help"),
    "show": ("game_commands", "cli.show.help"),
    "players": ("game_commands", "cli.players.help"),
    "explain": ("game_commands", "cli.explain.help"),
    "convert": ("game_commands", "cli.convert.help"),
    "analyse": ("analyse_commands", "cli.analyse.help"),
    "review": ("review_command", "cli.review.help"),
    "bench": ("analyse_commands", "cli.bench.help"),
    "warmup": ("analyse_commands", "cli.warmup.help"),
    "engine": ("engine_command", "cli.engine.help"),
    "mcp": ("mcp_command", "cli.mcp.help"),
    "match": ("match_command", "cli.match.help"),
    "openings": ("openings_command", "cli.openings.help"),
    "solve": ("solve_command", "cli.solve.help"),
    "prove": ("proof_commands", "cli.prove.help"),
    "verify": ("proof_commands", "cli.verify.help"),
    "puzzle": ("puzzle_commands", "cli.puzzle.help"),
    "puzzles": ("puzzle_commands", "cli.puzzles.help"),
    "tournament": ("tournament_commands", "cli.tournament.help"),
    "ladder": ("tournament_commands", "cli.ladder.help"),
    "train": ("train_command", "cli.train.help"),
    "tune": ("tune_command", "cli.tune.help"),
}
"""Commands by name. They are imported when they are run, which keeps the start short."""
