"""The match at the end of a training: the new network or policy against the previous one."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tengen.cli.arena_options import OpeningOrder, WorkerOptions
from tengen.cli.arena_runs import play_contest
from tengen.cli.printing import LANGUAGE

if TYPE_CHECKING:
    from tengen.arena.match import Match, MatchState
    from tengen.arena.statistics import Tally
    from tengen.game.rules import Rules
    from tengen.training.report.sections import ModelComparison, What

SECONDS = 0.1
"""Seconds per move, equal for both players: the strength of a slower network has to justify its time."""

_MARGIN = 5.0
"""The margin beyond that in seconds, for a busy machine: the engine itself keeps to its time."""

_SURE = 0.975
"""The likelihood of superiority that decides if all games ended alike, without an error estimate."""


def learned_match(
    rules: Rules, new: tuple[Path, str], old: tuple[str, str], games: int, seed: int
) -> Match:
    """Return the match, with colours swapped, from the openings that come with Tengen.

    Args:
        rules: the rules of the games.
        new: the folder and the digest of the trained model.
        old: the folder and the digest of the model that training started from; an empty folder for those
            that come with Tengen.
        games: the number of games.
        seed: the seed of the choice of openings.

    Raises:
        TengenError: a folder contains no weights, or the arena does not support the rules.
    """
    from tengen.arena.contestants import Contestant
    from tengen.arena.match import Match

    folders = (str(new[0].resolve()), new[1]), old
    # The names contain the digests, so that a match of other models is another match.
    players = tuple(
        Contestant(f"engine,weights={folder}" if folder else "engine", f"{name} {digest}", seconds=SECONDS)
        for name, (folder, digest) in zip(("new", "old"), folders, strict=True)
    )
    match = Match(players=players, rules=rules, seed=seed, margin=_MARGIN, games=games)
    return replace(match, openings=OpeningOrder().openings(rules, -(-games // 2), seed))


def play_learned_match(match: Match, path: Path, worker_options: WorkerOptions) -> tuple[int, MatchState]:
    """Play the remaining games of a match.

    Args:
        match: the match.
        path: the file of its games; the games of another match in it are deleted.
        worker_options: the workers; players in a local folder are always played on this machine.

    Returns:
        The exit status, and the state of the match.

    Raises:
        TengenError: a game raised it, or the file cannot be written.
    """
    from tengen.arena.journal import Journal
    from tengen.arena.match import MatchState
    from tengen.cli.output.match_lines import MatchProgress

    standing = MatchState(match)
    settings = match.to_dict()
    known = _resumed(standing, path, settings)
    if not known:
        path.unlink(missing_ok=True)
    if "://" in worker_options.workers:
        worker_options = WorkerOptions()
    with Journal(path, None if known else settings) as journal:
        line = MatchProgress(standing, LANGUAGE.get())
        return play_contest(standing, line, journal.add, worker_options, as_json=False), standing


def _resumed(standing: MatchState, path: Path, settings: dict[str, Any]) -> bool:
    """Load the games already played of this match; return whether there is such a file."""
    from tengen.arena.journal import read
    from tengen.game.errors import TengenError

    try:
        data, played = read(path)
    except TengenError:
        return False
    if data != json.loads(json.dumps(settings)):
        return False
    for game in played:
        standing.add(game)
    return True


def result_of(what: What, standing: MatchState) -> ModelComparison:
    """Return the result of a match of a new model."""
    from tengen.cli.output.match_lines import elo_text
    from tengen.training.report.sections import ModelComparison

    tally = standing.tally
    elo = elo_text(tally.elo, tally.elo_error)
    return ModelComparison(what, _verdict(tally), elo, tally.wins, tally.draws, tally.losses, SECONDS)


def _verdict(tally: Tally) -> Literal["better", "worse", "open"]:
    """Return which model plays better; it is decided if zero lies outside the error of the difference."""
    elo, error = tally.elo, tally.elo_error
    if elo is not None and math.isfinite(elo) and error is not None and math.isfinite(error):
        sure, ahead = abs(elo) > error, elo > 0
    else:
        likely = 0.5 if tally.los is None else tally.los
        sure, ahead = max(likely, 1 - likely) > _SURE, likely > 0.5
    return ("better" if ahead else "worse") if sure else "open"
