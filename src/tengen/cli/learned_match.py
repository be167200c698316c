"""The match at the end of a training of a network or a policy: the new one against what it began with."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tengen.cli.application import LANGUAGE
from tengen.cli.arena_options import OpeningOrder, WorkerOptions
from tengen.cli.arena_runs import play_contest

if TYPE_CHECKING:
    from tengen.arena.match import Match, MatchState
    from tengen.arena.statistics import Tally
    from tengen.game.rules import Rules
    from tengen.training.report.sections import MatchResult, What

SECONDS = 0.1
"""How long each thinks about a move: equal time, as a network that is slow has to be worth it."""

_MARGIN = 5.0
"""Seconds beyond that, for a busy machine: the engine looks after its time itself."""

_SURE = 0.975
"""The likelihood of superiority that decides where all games ended alike, and there is no error."""


def learned_match(
    rules: Rules, new: tuple[Path, str], old: tuple[str, str], games: int, seed: int
) -> Match:
    """What is to be played, colours swapped, from the openings that come with Tengen.

    Args:
        rules: by which.
        new: the folder of what was learned, and its digest.
        old: the same for what it began with; an empty folder for those that come with Tengen.
        games: how many.
        seed: draws the openings.

    Raises:
        TengenError: a folder holds no numbers, or the arena does not play these rules.
    """
    from tengen.arena.contestants import Contestant
    from tengen.arena.match import Match

    folders = (str(new[0].resolve()), new[1]), old
    # In the names stand the digests: a match of others is another match.
    players = tuple(
        Contestant(f"engine,weights={folder}" if folder else "engine", f"{name} {digest}", seconds=SECONDS)
        for name, (folder, digest) in zip(("new", "old"), folders, strict=True)
    )
    match = Match(players=players, rules=rules, seed=seed, margin=_MARGIN, games=games)
    return replace(match, openings=OpeningOrder().openings(rules, -(-games // 2), seed))


def play_learned_match(match: Match, path: Path, where: WorkerOptions) -> tuple[int, MatchState]:
    """Play what is left of a match.

    Args:
        match: what is played.
        path: where its games are kept; those of another match there are done away with.
        where: where games are played; players that lie in a folder need a machine that has it: this one.

    Returns:
        The exit status, and how it stands.

    Raises:
        TengenError: what a game raised, or the file cannot be written.
    """
    from tengen.arena.journal import Journal
    from tengen.arena.match import MatchState
    from tengen.cli.output.match_lines import MatchProgress

    standing = MatchState(match)
    settings = match.to_dict()
    known = _resumed(standing, path, settings)
    if not known:
        path.unlink(missing_ok=True)
    here = where if "://" not in where.workers else WorkerOptions()
    with Journal(path, None if known else settings) as journal:
        line = MatchProgress(standing, LANGUAGE.get())
        return play_contest(standing, line, journal.add, here, as_json=False), standing


def _resumed(standing: MatchState, path: Path, settings: dict[str, Any]) -> bool:
    """Take in what has been played of this match; whether there is such a thing."""
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


def result_of(what: What, standing: MatchState) -> MatchResult:
    """What came of a match of something new."""
    from tengen.cli.output.match_lines import elo_text
    from tengen.training.report.sections import MatchResult

    tally = standing.tally
    elo = elo_text(tally.elo, tally.elo_error)
    return MatchResult(what, _verdict(tally), elo, tally.wins, tally.draws, tally.losses, SECONDS)


def _verdict(tally: Tally) -> Literal["better", "worse", "open"]:
    """Which plays better: decided where nought is outside the error of the difference."""
    elo, error = tally.elo, tally.elo_error
    if elo is not None and math.isfinite(elo) and error is not None and math.isfinite(error):
        sure, ahead = abs(elo) > error, elo > 0
    else:
        likely = 0.5 if tally.los is None else tally.los
        sure, ahead = max(likely, 1 - likely) > _SURE, likely > 0.5
    return ("better" if ahead else "worse") if sure else "open"
