"""Checkpoints: a fit is kept now and then, and the same command continues it.

The file holds a digest of all that the fit comes from: how the games are played and what is in their files,
the numbers and the network or policy it begins with, its settings. Whatever else is found under its name is
left unused. From the same state a fit comes to the same end, bit for bit (`models.trainer`).
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
from tengen.formats.files import FileError, reason, shown
from tengen.game.errors import TengenError
from tengen.training.games.game_file import TrainingError

VERSION = 2
"""Raised whenever a fit comes to something else than it did before."""

PAUSE, GAP = 20.0, 1.0
"""Seconds after which a fit is kept anew in the middle of an epoch, and at the end of one."""

State = Mapping[str, npt.NDArray[Any]]


def file_of(family: str, what: str, folder: str | Path) -> Path:
    """Return the file of an unfinished fit.

    Args:
        family: of the rules.
        what: is fitted, ``network`` or ``policy``.
        folder: where everything of it is written.
    """
    return Path(folder).expanduser() / f"{family}-{what}.checkpoint.npz"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A fit that is not over.

    Attributes:
        digest: of all that it comes from; see `digest_of`.
        whole: whether all games that were asked for had been played when it began.
        epochs: how many are done.
        state: as from `tengen.training.models.trainer.Trainer.state`; None where it has not begun.
    """

    digest: str
    whole: bool
    epochs: int = 0
    state: State | None = None


def digest_of(settings: Mapping[str, Any], files: Iterable[str | Path]) -> str:
    """A name for all that a fit comes from.

    Args:
        settings: JSON-ready data.
        files: of games, in their order; what they are called makes no difference.

    Raises:
        FileError: one cannot be read.
    """
    found = hashlib.sha256(json.dumps([VERSION, settings], sort_keys=True).encode())
    for file in files:
        try:
            with Path(file).expanduser().open("rb") as stream:
                found.update(hashlib.file_digest(stream, "sha256").digest())
        except OSError as error:
            raise FileError("error.file.read", file=shown(file), reason=reason(error)) from error
    return found.hexdigest()


def read(path: Path) -> Checkpoint | None:
    """Read a checkpoint; None where there is no file.

    Raises:
        FileError: it cannot be read.
        TrainingError: it is damaged, or something else.
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
    """Return the error of a file that holds no such fit."""
    return TrainingError("error.train.checkpoint", file=shown(path))


def write(path: Path, checkpoint: Checkpoint) -> None:
    """Keep a fit, in place of what was kept before.

    Raises:
        FileError: the file cannot be written.
    """
    about = {"digest": checkpoint.digest, "whole": checkpoint.whole, "epochs": checkpoint.epochs}
    text = np.frombuffer(json.dumps(about).encode(), np.uint8)
    try:
        write_arrays(path, {"checkpoint": text, **(checkpoint.state or {})})
    except OSError as error:
        raise FileError("error.file.write", file=shown(path), reason=reason(error)) from error


@dataclass(slots=True)
class Keeper:
    """Keeps a fit while it goes on.

    Attributes:
        path: where.
        digest: of all that it comes from.
        whole: whether all games that were asked for have been played.
        kept: what has been kept before, to go on with.
        pause: seconds between two times.
        gap: the same at the end of an epoch.
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
        """Keep the fit, unless that has just been done.

        Raises:
            FileError: the file cannot be written.
        """
        pause = self.gap if epochs > self._epochs else self.pause
        if time.monotonic() - self._last >= pause:
            self.keep(epochs, state())

    def keep(self, epochs: int, state: State) -> None:
        """Keep the fit in any case.

        Raises:
            FileError: the file cannot be written.
        """
        write(self.path, Checkpoint(self.digest, self.whole, epochs, state))
        self._epochs, self._last = epochs, time.monotonic()

    def begin(self) -> None:
        """Note that the games have been played, and nothing is left to do but the fit.

        Raises:
            FileError: the file cannot be written.
        """
        write(self.path, Checkpoint(self.digest, self.whole))


def found(path: Path, digest: str) -> tuple[Checkpoint | None, TengenError | None]:
    """Find the checkpoint of a fit, or the error of a file that holds something else."""
    try:
        kept = read(path)
    except TengenError as error:
        return None, error
    if kept is None or kept.digest == digest:
        return kept, None
    return None, TrainingError("error.train.other", file=shown(path))
