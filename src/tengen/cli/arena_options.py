"""Options shared by the arena commands: how games are played, limits of players, and workers."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypeVar

from tengen.cli.declaration import Options, option
from tengen.cli.errors import CliError
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
from tengen.cli.printing import LANGUAGE, print_line
from tengen.game.clock import TimeControl
from tengen.words import say

if TYPE_CHECKING:
    from tengen.arena.adjudication import Adjudication
    from tengen.arena.contest import Contest
    from tengen.arena.contestants import Contestant
    from tengen.executors import Workers
    from tengen.game.points import Point
    from tengen.game.rules import Rules

_PROCESSES = "processes"

Clocks: TypeAlias = tuple[TimeControl, TimeControl]
Contested = TypeVar("Contested", bound="Contest")


@dataclass(frozen=True, kw_only=True)
class OpeningOrder:
    """The openings of games and their order: the value of ``--openings``.

    Attributes:
        file: the file of openings; None for the set that comes with Tengen, or generated openings if there
            is none.
        order: random or sequential.
        seed: the seed of a random order; None for that of the contest.
        plies: the number of moves played from each opening; None for all.
    """

    file: Path | None = None
    order: Literal["random", "sequential"] = "random"
    seed: int | None = None
    plies: int | None = None

    def openings(self, rules: Rules, count: int, seed: int) -> tuple[tuple[Point, ...], ...]:
        """Return the given number of openings in the order of use; see `openings_for`.

        Raises:
            TengenError: the file cannot be read, or its openings are illegal.
        """
        from tengen.arena.opening_sets import openings_for

        how: dict[str, Any] = {"order": self.order, "order_seed": self.seed, "plies": self.plies}
        return tuple(openings_for(rules, count, seed, file=self.file, **how))


@dataclass(frozen=True, kw_only=True)
class ResignRule:
    """A rule to adjudicate losses by the players' scores: the value of ``--resign``."""

    movecount: int = 3
    score: int = 1000
    twosided: bool = False


@dataclass(frozen=True, kw_only=True)
class DrawRule:
    """A rule to adjudicate draws by the players' scores: the value of ``--draw``."""

    movenumber: int = 40
    movecount: int = 8
    score: int = 10


_ORDER = {"file": file_path, "order": one_of("random", "sequential"), "seed": whole, "plies": whole}
_OPENINGS = settings(OpeningOrder, _ORDER, bare="file")
_RESIGN = settings(ResignRule, {"movecount": whole, "score": whole, "twosided": truth})
_DRAW = settings(DrawRule, {"movenumber": whole, "movecount": whole, "score": whole})

Openings = Annotated[
    OpeningOrder | None,
    option("cli.match.openings", _OPENINGS, "FILE[,order=random|sequential,...]"),
]
Seed = Annotated[int, option("cli.match.seed", whole)]


@dataclass(frozen=True, kw_only=True)
class LimitOptions(Options):
    """Limits of the players' thinking, shared by both players of a match or separate."""

    tc: Annotated[Clocks | None, option("cli.match.tc", each(time_control))] = None
    st: Annotated[tuple[float, float] | None, option("cli.match.st", each(seconds))] = None
    nodes: Annotated[tuple[int, int] | None, option("cli.match.nodes", each(node_count))] = None
    depth: Annotated[tuple[int, int] | None, option("cli.match.depth", each(positive))] = None

    def contestant(self, spec: str, place: int = 0) -> Contestant:
        """Return a player with these limits.

        Args:
            spec: the player's spec.
            place: 0 for the first player's limits, 1 for the second's.

        Raises:
            RulesError: the arena does not support the time control.
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
    """Options that end games early."""

    timemargin: Annotated[float, option("cli.match.margin", milliseconds)] = 0.1
    resign: Annotated[
        ResignRule | None,
        option("cli.match.resign", _RESIGN, "movecount=3,score=1000[,twosided=true]"),
    ] = None
    draw: Annotated[
        DrawRule | None,
        option("cli.match.draw", _DRAW, "movenumber=40,movecount=8,score=10"),
    ] = None
    maxmoves: Annotated[int | None, option("cli.match.maxmoves", positive)] = None
    recover: Annotated[bool, option("cli.match.recover", negative="--no-recover")] = True

    def adjudication(self) -> Adjudication:
        """Return the rules that adjudicate games by the players' scores."""
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
    """Options of the games of a match or a tournament."""

    rules: FoulRulesOptions = FoulRulesOptions()
    openings: Openings = None
    seed: Seed = 1
    limits: LimitOptions = LimitOptions()
    endings: EndingOptions = EndingOptions()

    def contest(self, specs: Iterable[str], *, each: bool = False) -> dict[str, Any]:
        """Return the arguments of `tengen.arena.contest.Contest`, except the openings.

        Args:
            specs: the players' specs.
            each: whether the second player has separate limits, if two are given.

        Raises:
            TengenError: the rules do not exist.
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
        """Return the contest with a number of openings.

        The openings are made last, when all other settings have been checked.

        Raises:
            TengenError: the file cannot be read, or its openings are illegal.
        """
        begin = self.openings or OpeningOrder()
        return replace(contest, openings=begin.openings(contest.rules, count, self.seed))


@dataclass(frozen=True, kw_only=True)
class WorkerOptions(Options):
    """Options of the workers that play games."""

    concurrency: Annotated[int | None, option("cli.match.concurrency", positive)] = None
    workers: Annotated[str, option("cli.match.workers", metavar="tcp://HOST:PORT")] = _PROCESSES

    def __post_init__(self) -> None:
        """Reject more workers than this machine may have.

        Raises:
            CliError: they are too many.
        """
        from tengen.executors import most_workers

        count, most = self.concurrency, most_workers()
        if count is not None and count > most and self.workers == _PROCESSES:
            raise CliError("error.cli.most", option="--concurrency", text=count, most=most)

    def open(self, tasks: int | None = None) -> Workers:
        """Open the workers; they must be closed after use.

        Args:
            tasks: the most tasks that can run at once; there are never more workers. None if unknown.

        Raises:
            TengenError: the workers cannot be reached.
        """
        from tengen import executors

        language, count = LANGUAGE.get(), self.concurrency
        if self.workers == _PROCESSES and tasks is not None:
            count = max(1, min(count or executors.processors(), tasks))
        return executors.open_workers(
            self.workers,
            count,
            notice=lambda message: print_line(f"tengen: {say(message, language)}", sys.stderr),
        )
