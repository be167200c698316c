"""Options that the commands of the arena share: how games are played, how long players think, and where."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypeVar

from tengen.cli.application import LANGUAGE, print_line
from tengen.cli.declaration import Options, option
from tengen.cli.option_values import (
    each,
    file_path,
    milliseconds,
    node_count,
    one_of,
    positive,
    seconds,
    settings,
    time_control,
    truth,
    whole,
)
from tengen.cli.options import FoulRulesOptions
from tengen.game.clock import TimeControl
from tengen.words import say

if TYPE_CHECKING:
    from tengen.arena.adjudication import Adjudication
    from tengen.arena.contest import Contest
    from tengen.arena.contestants import Contestant
    from tengen.executors import Workers
    from tengen.game.points import Point
    from tengen.game.rules import Rules

Clocks: TypeAlias = tuple[TimeControl, TimeControl]
Counts: TypeAlias = tuple[int, int]
Contested = TypeVar("Contested", bound="Contest")

MOST_OPENINGS = 5_000
"""Openings that are drawn or made before the first game, in some seconds; then they come again."""


@dataclass(frozen=True, kw_only=True)
class OpeningOrder:
    """Which openings games begin with, and in what order: the value of ``--openings``.

    Attributes:
        file: where they stand; None for those that come with Tengen, or are made if there are none.
        order: drawn, or as they stand.
        seed: draws them; None for that of the contest.
        plies: how many moves of each opening are played; None for all.
    """

    file: Path | None = None
    order: Literal["random", "sequential"] = "random"
    seed: int | None = None
    plies: int | None = None

    def openings(self, rules: Rules, count: int, seed: int) -> tuple[tuple[Point, ...], ...]:
        """So many openings in the order of use, `MOST_OPENINGS` at most.

        Raises:
            TengenError: the file cannot be read, or its openings cannot be played.
        """
        from tengen.arena import opening_sets

        count = min(count, MOST_OPENINGS)
        if self.file is not None:
            book = opening_sets.read_book(self.file, rules, self.plies)
        else:
            book = opening_sets.shipped(rules) or opening_sets.default_openings(rules, count, seed)
        drawn = seed if self.seed is None else self.seed
        return tuple(opening_sets.choose(book, count, self.order, drawn))


@dataclass(frozen=True, kw_only=True)
class ResignRule:
    """When a game is lost by what the players say of it: the value of ``--resign``."""

    movecount: int = 3
    score: int = 1000
    twosided: bool = False


@dataclass(frozen=True, kw_only=True)
class DrawRule:
    """When a game is drawn by what the players say of it: the value of ``--draw``."""

    movenumber: int = 40
    movecount: int = 8
    score: int = 10


_ORDER = {"file": file_path, "order": one_of("random", "sequential"), "seed": whole, "plies": whole}
_OPENINGS = settings(OpeningOrder, _ORDER, bare="file")
_RESIGN = settings(ResignRule, {"movecount": whole, "score": whole, "twosided": truth})
_DRAW = settings(DrawRule, {"movenumber": whole, "movecount": whole, "score": whole})

Openings = Annotated[
    OpeningOrder | None,
    option("--openings", "cli.match.openings", "FILE[,order=random|sequential,...]", _OPENINGS),
]
Seed = Annotated[int, option("--seed", "cli.match.seed", "N", whole)]


@dataclass(frozen=True, kw_only=True)
class LimitOptions(Options):
    """How long players may think; the two of a match alike, or each for itself."""

    tc: Annotated[Clocks | None, option("--tc", "cli.match.tc", "SECONDS[+INC]", each(time_control))] = None
    st: Annotated[tuple[float, float] | None, option("--st", "cli.match.st", "SECONDS", each(seconds))] = (
        None
    )
    nodes: Annotated[
        tuple[int, int] | None, option("--nodes", "cli.match.nodes", "N", each(node_count))
    ] = None
    depth: Annotated[tuple[int, int] | None, option("--depth", "cli.match.depth", "N", each(positive))] = (
        None
    )

    def contestant(self, spec: str, place: int = 0) -> Contestant:
        """A player under these limits.

        Args:
            spec: who.
            place: 1 for the second of a match.

        Raises:
            RulesError: a time control that the arena has no clock for.
        """
        from tengen.arena.contestants import Contestant

        return Contestant(
            spec,
            time=self.tc and self.tc[place],
            seconds=self.st and self.st[place],
            nodes=self.nodes and self.nodes[place],
            depth=self.depth and self.depth[place],
        )


@dataclass(frozen=True, kw_only=True)
class EndingOptions(Options):
    """When games end before the board says so."""

    timemargin: Annotated[float, option("--timemargin", "cli.match.margin", "MS", milliseconds)] = 0.1
    resign: Annotated[
        ResignRule | None,
        option("--resign", "cli.match.resign", "movecount=3,score=1000[,twosided=true]", _RESIGN),
    ] = None
    draw: Annotated[
        DrawRule | None,
        option("--draw", "cli.match.draw", "movenumber=40,movecount=8,score=10", _DRAW),
    ] = None
    maxmoves: Annotated[int | None, option("--maxmoves", "cli.match.maxmoves", "N", positive)] = None
    recover: Annotated[bool, option("--recover/--no-recover", "cli.match.recover")] = True

    def adjudication(self) -> Adjudication:
        """When to end games early by what the players say."""
        from tengen.arena.adjudication import Adjudication

        lost = self.resign or ResignRule(movecount=0)
        even = self.draw or DrawRule(movecount=0)
        return Adjudication(
            resign_moves=lost.movecount,
            resign_score=lost.score,
            resign_both=lost.twosided,
            draw_moves=even.movecount,
            draw_score=even.score,
            draw_after=even.movenumber,
            most_moves=self.maxmoves,
        )


@dataclass(frozen=True, kw_only=True)
class ContestOptions(Options):
    """How the games of a match or a tournament are played."""

    rules: FoulRulesOptions
    openings: Openings = None
    seed: Seed = 1
    limits: LimitOptions
    endings: EndingOptions

    def contest(self, specs: Iterable[str], *, each: bool = False) -> dict[str, Any]:
        """The arguments of `tengen.arena.contest.Contest`, openings left out.

        Args:
            specs: the players.
            each: whether the second has limits of its own, where two are given.

        Raises:
            TengenError: rules that there are not.
        """
        return {
            "players": tuple(
                self.limits.contestant(spec, place if each else 0) for place, spec in enumerate(specs)
            ),
            "rules": self.rules.chosen(),
            "seed": self.seed,
            "adjudication": self.endings.adjudication(),
            "margin": self.endings.timemargin,
            "recover": self.endings.recover,
        }

    def with_openings(self, contest: Contested, count: int) -> Contested:
        """The contest with so many openings, drawn when everything else is known to be right.

        Raises:
            TengenError: the file cannot be read, or its openings cannot be played.
        """
        begin = self.openings or OpeningOrder()
        return replace(contest, openings=begin.openings(contest.rules, count, self.seed))


@dataclass(frozen=True, kw_only=True)
class WorkerOptions(Options):
    """Where games are played."""

    concurrency: Annotated[int | None, option("--concurrency", "cli.match.concurrency", "N", positive)] = (
        None
    )
    workers: Annotated[str, option("--workers", "cli.match.workers", "tcp://HOST:PORT")] = "processes"

    def open(self) -> Workers:
        """The workers, to be closed after use.

        Raises:
            TengenError: they cannot be reached.
        """
        from tengen import executors

        language = LANGUAGE.get()
        return executors.open_workers(
            self.workers,
            self.concurrency,
            notice=lambda message: print_line(f"tengen: {say(message, language)}", sys.stderr),
        )
