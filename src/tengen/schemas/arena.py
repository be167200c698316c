"""The arena: matches, tournaments, ladders, tunings and openings."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict
from typing import Literal

from tengen.arena.ladder import Rung
from tengen.arena.match import MatchState
from tengen.arena.results import PlayedGame
from tengen.arena.tournament import Table
from tengen.arena.tuning import Generation, TuningState
from tengen.game.notation import format_moves
from tengen.schemas.base import Schema
from tengen.schemas.points import COLOURS


def finite(number: float | None) -> float | None:
    """Return a number, or None if it is infinite or no number, which JSON cannot hold."""
    return number if number is not None and math.isfinite(number) else None


class MatchGameData(Schema):
    """A finished game of a match or a tournament."""

    game: int
    """The number of the game, from 1."""
    black: str
    white: str
    result: Literal["black", "white", "draw"]
    reason: str
    detail: str
    """The details of a fault; empty without one."""
    traceback: str
    opening: str
    """Move text."""
    moves: str
    """Move text, the opening included."""
    seconds: tuple[float, ...]
    """The time of each move after the opening."""
    scores: tuple[int | None, ...]
    """Each player's own score of its move; null without one."""

    @classmethod
    def of(cls, game: PlayedGame) -> MatchGameData:
        """Return a finished game as data."""
        width = game.rules.width
        return cls(
            game=game.number + 1,
            black=game.black,
            white=game.white,
            result="draw" if game.winner is None else COLOURS[game.winner],
            reason=game.end,
            detail=game.detail,
            traceback=game.trace,
            opening=format_moves(game.opening, width),
            moves=format_moves((*game.opening, *(move.point for move in game.moves)), width),
            seconds=tuple(round(move.seconds, 4) for move in game.moves),
            scores=tuple(None if move.score is None else move.score.value for move in game.moves),
        )


class MatchData(Schema):
    """The result of a match, for its first player."""

    players: tuple[str, ...]
    games: int
    wins: int
    draws: int
    losses: int
    pentanomial: tuple[int, ...] | None
    """The pairs of games by their points, from 0 to 2; null if openings are not played twice."""
    elo: float | None
    """Null if infinite, as are the figures derived from it."""
    elo_error: float | None
    normalized_elo: float | None
    normalized_elo_error: float | None
    los: float | None
    """The likelihood of superiority."""
    llr: float | None
    """The log-likelihood ratio; null without a sequential test."""
    bounds: tuple[float, float] | None
    decision: str | None
    """The hypothesis that the test accepts: `H0` or `H1`."""
    faults: dict[str, dict[str, int]]
    """The losses of each player by each fault."""

    @classmethod
    def of(cls, standing: MatchState) -> MatchData:
        """Return the result of a match as data."""
        match, tally = standing.match, standing.tally
        return cls(
            players=match.names,
            games=tally.games,
            wins=tally.wins,
            draws=tally.draws,
            losses=tally.losses,
            pentanomial=tally.pairs if match.repeat else None,
            elo=finite(tally.elo),
            elo_error=finite(tally.elo_error),
            normalized_elo=finite(tally.normalized_elo),
            normalized_elo_error=finite(tally.normalized_elo_error),
            los=finite(tally.los),
            llr=standing.llr(),
            bounds=None if match.sprt is None else match.sprt.bounds,
            decision=standing.decision(),
            faults=standing.faults(),
        )


class TableRowData(Schema):
    """A player's row of a table."""

    name: str
    points: float
    wins: int
    draws: int
    losses: int
    elo: float | None
    """Null if infinite or unknown, as is its error."""
    elo_error: float | None


class TableData(Schema):
    """The table of a tournament of players."""

    kind: str
    games: int
    finished: bool
    players: tuple[TableRowData, ...]
    """The best first."""

    @classmethod
    def of(cls, standing: Table) -> TableData:
        """Return a table as data."""
        ratings = {rating.name: rating for rating in standing.ratings().players}
        return cls(
            kind=standing.tournament.kind,
            games=len(standing.games),
            finished=standing.over,
            players=tuple(
                TableRowData(
                    name=row.name,
                    points=row.points,
                    wins=row.wins,
                    draws=row.draws,
                    losses=row.losses,
                    elo=finite(ratings[row.name].elo) if row.name in ratings else None,
                    elo_error=finite(ratings[row.name].error) if row.name in ratings else None,
                )
                for row in standing.rows()
            ),
        )


class RungData(Schema):
    """A player's line of a ladder."""

    spec: str
    elo: float
    error: float
    """Half the width of its 95 % interval."""
    bound: str
    """`≥` where the rating is only a lower bound, `≤` an upper one, else empty."""
    milliseconds: float
    """The median time for a move."""


class LadderData(Schema):
    """The ratings of players, from a tournament among them."""

    ladder: tuple[RungData, ...]

    @classmethod
    def of(cls, rungs: Iterable[Rung]) -> LadderData:
        """Return a ladder as data."""
        return cls(ladder=tuple(RungData(**asdict(rung)) for rung in rungs))


class GenerationData(Schema):
    """A generation of a tuning."""

    generation: int
    """Its number, from 1."""
    score: float
    """The mean share of the points of all candidates."""
    error: float
    scores: tuple[float, ...]
    games: int
    """Of each candidate."""
    noise: float
    deviations: tuple[float, ...]
    seconds: float
    faults: dict[str, dict[str, int]]

    @classmethod
    def of(cls, generation: Generation, number: int) -> GenerationData:
        """Return a generation as data."""
        return cls(
            generation=number,
            score=generation.score,
            error=generation.error,
            scores=tuple(generation.totals),
            games=generation.games,
            noise=generation.noise,
            deviations=generation.deviations,
            seconds=round(generation.seconds, 3),
            faults={name: dict(counts) for name, counts in generation.faults.items()},
        )


class TuningData(Schema):
    """The result of a tuning."""

    spec: str
    """The tuned player."""
    values: dict[str, float]
    exact: dict[str, float]
    """The values before they were rounded."""
    before: dict[str, float]
    generations: int
    confirmation: MatchData | None
    """A match of the tuned player against the previous version; null without a match."""

    @classmethod
    def of(cls, state: TuningState, confirmation: MatchState | None) -> TuningData:
        """Return the result of a tuning as data."""
        return cls(
            spec=state.spec,
            values=state.values,
            exact=state.exact,
            before={parameter.name: parameter.start for parameter in state.tuning.parameters},
            generations=len(state.generations),
            confirmation=None if confirmation is None else MatchData.of(confirmation),
        )


class OpeningsData(Schema):
    """Openings as move texts."""

    openings: tuple[str, ...]
