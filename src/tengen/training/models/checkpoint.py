"""Checkpoints: an unfinished fit is saved regularly, and the same command continues it.

The file holds a digest of all inputs of the fit: the self-play settings, the contents of the files of
games, the weights and the network or policy it starts from, and its settings. A checkpoint with another
digest is not used. A fit that continues from a checkpoint ends with the same parameters, bit for bit
(`models.trainer`).
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.engine.evaluation.learned_file import read_arrays, write_arrays
from tengen.formats.files import read_error, shown, write_error
from tengen.game.errors import TengenError
from tengen.training.games.game_file import TrainingError

VERSION = 2
"""The version of the fitting procedure; incremented when the same inputs lead to other parameters."""

PAUSE, GAP = 20.0, 1.0
"""The least time between two checkpoints, in seconds, within an epoch and at the end of an epoch."""

State = Mapping[str, npt.NDArray[Any]]


def file_of(family: str, what: str, folder: str | Path) -> Path:
    """Return the path of the checkpoint of a fit.

    Args:
        family: the family of the rules.
        what: what is fitted, ``network`` or ``policy``.
        folder: the output folder of the fit.
    """
    return Path(folder).expanduser() / f"{family}-{what}.checkpoint.npz"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """An unfinished fit.

    Attributes:
        digest: the digest of its inputs; see `digest_of`.
        whole: whether all requested games had been played when it started.
        epochs: the number of finished epochs.
        state: as from `tengen.training.models.trainer.Trainer.state`; None if the fit has not started.
    """

    digest: str
    whole: bool
    epochs: int = 0
    state: State | None = None


def digest_of(settings: Mapping[str, Any], files: Iterable[str | Path]) -> str:
    """Return a digest of all inputs of a fit.

    Args:
        settings: JSON-ready data.
        files: the files of games, in order; only their contents count, not their names.

    Raises:
        FileError: a file cannot be read.
    """
    found = hashlib.sha256(json.dumps([VERSION, settings], sort_keys=True).encode())
    for file in files:
        try:
            with Path(file).expanduser().open("rb") as stream:
                found.update(hashlib.file_digest(stream, "sha256").digest())
        except OSError as error:
            raise read_error(file, error) from error
    return found.hexdigest()


def read(path: Path) -> Checkpoint | None:
    """Read a checkpoint; None if the file does not exist.

    Raises:
        FileError: the file cannot be read.
        TrainingError: the file is damaged, or not a checkpoint.
    """
    if not path.exists():
        return None
    arrays = read_arrays(path, "error.train.checkpoint")
    try:
        about = json.loads(arrays.pop("checkpoint").tobytes())
        return Checkpoint(
            str(about["digest"]), bool(about["whole"]), int(about["epochs"]), arrays if arrays else None
        )
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(path) from error


def damaged(path: Path) -> TrainingError:
    """Return the error for a file that is not a checkpoint of this fit."""
    return TrainingError("error.train.checkpoint", file=shown(path))


def write(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint, replacing the previous one.

    Raises:
        FileError: the file cannot be written.
    """
    about = {"digest": checkpoint.digest, "whole": checkpoint.whole, "epochs": checkpoint.epochs}
    text = np.frombuffer(json.dumps(about).encode(), np.uint8)
    try:
        write_arrays(path, {"checkpoint": text, **(checkpoint.state or {})})
    except OSError as error:
        raise write_error(path, error) from error


@dataclass(slots=True)
class Keeper:
    """A callback that writes checkpoints of a fit in progress.

    Attributes:
        path: the file of the checkpoint.
        digest: the digest of the inputs of the fit.
        whole: whether all requested games have been played.
        kept: the checkpoint to continue from; None to start afresh.
        pause: the least seconds between two checkpoints within an epoch.
        gap: the least seconds between two checkpoints at the end of an epoch.
    """

    path: Path
    digest: str
    whole: bool
    kept: Checkpoint | None = None
    pause: float = PAUSE
    gap: float = GAP
    _epochs: int = field(default=0, init=False)
    _last: float = field(default_factory=time.monotonic, init=False)

    def __call__(self, epochs: int, state: Callable[[], State]) -> None:
        """Write a checkpoint, unless the last one is recent.

        Raises:
            FileError: the file cannot be written.
        """
        pause = self.gap if epochs > self._epochs else self.pause
        if time.monotonic() - self._last >= pause:
            self.keep(epochs, state())

    def keep(self, epochs: int, state: State) -> None:
        """Write a checkpoint unconditionally.

        Raises:
            FileError: the file cannot be written.
        """
        write(self.path, Checkpoint(self.digest, self.whole, epochs, state))
        self._epochs, self._last = epochs, time.monotonic()

    def begin(self) -> None:
        """Write a checkpoint without state: the games have been played, and only the fit remains.

        Raises:
            FileError: the file cannot be written.
        """
        write(self.path, Checkpoint(self.digest, self.whole))


def found(path: Path, digest: str) -> tuple[Checkpoint | None, TengenError | None]:
    """Return the checkpoint of a fit, or the error for a file that holds something else."""
    try:
        kept = read(path)
    except TengenError as error:
        return None, error
    if kept is None or kept.digest == digest:
        return kept, None
    return None, TrainingError("error.train.other", file=shown(path))
