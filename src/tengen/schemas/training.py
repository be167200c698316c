"""Trainings: of point-class weights, of a network, and of a policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import ConfigDict

from tengen.arena.match import MatchState
from tengen.engine.evaluation.network import digest
from tengen.engine.evaluation.policy import digest as policy_digest
from tengen.schemas.arena import MatchData
from tengen.schemas.base import Schema
from tengen.training.models.calibration import Bin
from tengen.training.models.learning import Learned
from tengen.training.models.network_training import LearnedNetwork
from tengen.training.models.point_class_training import FitMetrics, Trained
from tengen.training.models.policy_training import LearnedPolicy
from tengen.training.models.trainer import Fit
from tengen.training.report.sections import ModelComparison


class EpochData(Schema):
    """The losses of an epoch."""

    training: float
    validation: float


class FitMetricsData(Schema):
    """The metrics of point-class weights on the validation set."""

    worths: float
    orders: float
    first: float
    among: float


class TrainingBase(Schema):
    """The fields of all trainings. The files that were written are further fields, named by their kinds."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, str]

    rules: str
    size: str
    games: int
    positions: int


class WeightsTrainingData(TrainingBase):
    """The result of the training of point-class weights."""

    black: int
    draws: int
    white: int
    plies: int
    least: float
    after: FitMetricsData
    before: FitMetricsData
    constant: FitMetricsData
    epochs: dict[str, tuple[EpochData, ...]]
    calibration: tuple[tuple[float, float, float], ...]
    """Predicted and real results, and the number of positions, of each bin."""

    @classmethod
    def of(cls, trained: Trained, written: Mapping[str, Path]) -> WeightsTrainingData:
        """Return the result of a training as data."""
        games = trained.games
        return cls(
            rules=games.rules.name,
            size=games.rules.size_text,
            games=games.games,
            positions=len(games.positions),
            black=games.black,
            draws=games.draws,
            white=games.white,
            plies=games.plies,
            least=trained.least,
            after=_metrics(trained.after),
            before=_metrics(trained.before),
            constant=_metrics(trained.constant),
            epochs={what: _epochs(fits) for what, fits in trained.epochs.items()},
            calibration=_calibration(trained.calibration),
            **_paths(written),
        )


class TrainingMatchData(MatchData):
    """The match of the new model against the previous one."""

    verdict: str | None
    """Null if the match was interrupted."""


class LearnedData(TrainingBase):
    """The fields of the trainings of a network and of a policy."""

    digest: str
    own: int
    """The games of this player."""
    epochs: tuple[EpochData, ...]
    match: TrainingMatchData | None


class NetworkTrainingData(LearnedData):
    """The result of the training of a network."""

    before: float
    begun: float
    after: float
    calibration: tuple[tuple[float, float, float], ...]

    @classmethod
    def of(
        cls,
        learned: LearnedNetwork,
        written: Mapping[str, Path],
        standing: MatchState | None,
        result: ModelComparison | None,
    ) -> NetworkTrainingData:
        """Return the result of a training as data."""
        return cls(
            digest=digest(learned.network),
            before=learned.before,
            begun=learned.begun,
            after=learned.after,
            calibration=_calibration(learned.calibration),
            **_learned(learned, written, standing, result),
        )


class PolicyTrainingData(LearnedData):
    """The result of the training of a policy."""

    before: dict[str, float]
    begun: dict[str, float]
    after: dict[str, float]

    @classmethod
    def of(
        cls,
        learned: LearnedPolicy,
        written: Mapping[str, Path],
        standing: MatchState | None,
        result: ModelComparison | None,
    ) -> PolicyTrainingData:
        """Return the result of a training as data."""
        return cls(
            digest=policy_digest(learned.policy),
            before=asdict(learned.before),
            begun=asdict(learned.begun),
            after=asdict(learned.after),
            **_learned(learned, written, standing, result),
        )


def _learned(
    learned: Learned[Any, Any],
    written: Mapping[str, Path],
    standing: MatchState | None,
    result: ModelComparison | None,
) -> dict[str, Any]:
    match = None
    if standing is not None:
        verdict = None if result is None else result.verdict
        match = TrainingMatchData(**dict(MatchData.of(standing)), verdict=verdict)
    return {
        "rules": learned.rules.name,
        "size": learned.rules.size_text,
        "games": learned.games,
        "own": learned.own,
        "positions": learned.positions,
        "epochs": _epochs(learned.epochs),
        "match": match,
        **_paths(written),
    }


def _paths(written: Mapping[str, Path]) -> dict[str, Any]:
    return {name: str(path) for name, path in written.items()}


def _epochs(fits: list[Fit]) -> tuple[EpochData, ...]:
    return tuple(EpochData(training=fit.training, validation=fit.validation) for fit in fits)


def _calibration(bins: list[Bin]) -> tuple[tuple[float, float, float], ...]:
    return tuple((each.predicted, each.result, each.count) for each in bins)


def _metrics(numbers: FitMetrics) -> FitMetricsData:
    return FitMetricsData(
        worths=numbers.worths, orders=numbers.orders, first=numbers.first, among=numbers.among
    )
