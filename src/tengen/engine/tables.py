"""Learned parameters, from the files to the records that kernels read: the tables of rules, and networks.

Files are read again when they have been written anew; what has been read and filled in is cached.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tengen.engine.board.position import look_up, new_position
from tengen.engine.board.records import NETWORKS, Record, copy_of, new_record
from tengen.engine.board.techniques import Technique
from tengen.engine.evaluation.learned_file import FOLDER, record_of, version
from tengen.engine.evaluation.network import NETWORK_FILE, Network, fits
from tengen.engine.evaluation.parameter_file import parameters_of
from tengen.engine.evaluation.parameters import fill_with_network, fill_with_policy, put_weights
from tengen.engine.evaluation.policy import POLICY_FILE, Policy
from tengen.engine.evaluation.weights import FAMILIES, WEIGHTS_FILE, WEIGHTS_RECORD, Weights, family
from tengen.engine.handicap import distort
from tengen.game.rules import Rules

CLASSES_ALONE = "classes"
"""In place of a folder: the weights that come with Tengen, without the network."""

_FILES = WEIGHTS_FILE, NETWORK_FILE, POLICY_FILE


class _LearnedParameters(NamedTuple):
    """The learned parameters of a family of rules."""

    weights: Weights
    network: Network | None
    policy: Policy | None


def prepared(
    rules: Rules,
    without: Technique = Technique.NONE,
    weights: str = "",
    distortion: float = 0.0,
    seed: int = 0,
) -> tuple[Record, Record]:
    """Return an empty board and the tables of its rules, with the parameters to evaluate by.

    Both are shared, and not to be changed.

    Args:
        rules: rules that the engine plays.
        without: techniques to leave out.
        weights: the folder of the files; empty for those that come with Tengen, or `CLASSES_ALONE`.
        distortion: the largest relative error in the worth of a pattern (`tengen.engine.handicap`).
        seed: of these errors.

    Raises:
        FileError: there are no weights for these rules, or a file cannot be read.
        TengenError: a file is damaged.
    """
    return _prepared(rules, without, weights, version_of(rules, weights), distortion, seed)


@lru_cache(maxsize=8)
def _prepared(
    rules: Rules, without: Technique, weights: str, version: tuple[int, ...], distortion: float, seed: int
) -> tuple[Record, Record]:
    learned = _learned(family(rules), weights, version)
    state, tables = new_position(rules)
    tables = copy_of(tables)
    record = record_of(learned.weights, WEIGHTS_RECORD)
    distort(record, distortion, seed)
    put_weights(record, tables)
    tables[0]["without"] = int(without)
    look_up(state, tables)
    return state, tables


def prepared_networks(rules: Rules, weights: str = "") -> Record:
    """Return the networks to evaluate by, or an empty record.

    The value network is there if one was learned for these rules and fits the board, and then the policy
    if one was learned. The record is shared by all players that use these files, and not to be changed.

    Args:
        rules: rules that the engine plays.
        weights: the folder of the files; see `prepared`.

    Raises:
        FileError: there are no weights for these rules, or a file cannot be read.
        TengenError: a file is damaged.
    """
    return _prepared_networks(family(rules), rules.width, weights, version_of(rules, weights))


@lru_cache(maxsize=8)
def _prepared_networks(name: str, size: int, weights: str, version: tuple[int, ...]) -> Record:
    learned = _learned(name, weights, version)
    record = new_record(NETWORKS)
    network, policy = learned.network, learned.policy
    if network is not None and fits(network, size):
        colours = max(network.colours, 1 if policy is None else policy.colours)
        fill_with_network(record, network, size, colours)
        if policy is not None:
            fill_with_policy(record, policy, colours)
    return record


def parameter_file(rules: Rules, weights: str = "") -> bytes:
    """Return a file of the parameters for some rules, for callers without Python.

    See `tengen.engine.evaluation.parameter_file`.

    Args:
        rules: rules that the engine plays.
        weights: the folder of the files; see `prepared`.

    Raises:
        FileError: there are no weights for these rules, or a file cannot be read.
        TengenError: a file is damaged.
    """
    return parameters_of(rules, *_learned(family(rules), weights, version_of(rules, weights))).tobytes()


def network_of(rules: Rules, weights: str = "") -> Network | None:
    """Return the network that the engine plays some rules by on a board of this size; None for none.

    Raises:
        FileError: there are no weights for these rules, or a file cannot be read.
        TengenError: a file is damaged.
    """
    network = _learned(family(rules), weights, version_of(rules, weights)).network
    return network if network is not None and fits(network, rules.width) else None


@lru_cache(maxsize=16)
def _learned(
    name: str,
    folder: str,
    version: tuple[int, ...],  # noqa: ARG001 - part of the cache's key
) -> _LearnedParameters:
    path = _path(folder)
    if folder == CLASSES_ALONE:
        return _LearnedParameters(WEIGHTS_FILE.load(name, path), None, None)
    return _LearnedParameters(
        WEIGHTS_FILE.load(name, path),
        NETWORK_FILE.load_if_present(name, path),
        POLICY_FILE.load_if_present(name, path),
    )


def check_folder(folder: str) -> None:
    """Read all files of a folder, so that a damaged one is reported before a game, not during it.

    Raises:
        FileError: there are no weights, or they cannot be read.
        TengenError: a file is damaged.
    """
    if folder in ("", CLASSES_ALONE):
        return  # the files that come with Tengen are read when they are used
    path = _path(folder)
    present = [name for name in FAMILIES if any(_exists(kind.path(name, path)) for kind in _FILES)]
    for name in present or FAMILIES[:1]:
        _learned(name, folder, _version(name, path))


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except OSError:  # a name that no file can have
        return False


def version_of(rules: Rules, folder: str) -> tuple[int, ...]:
    """Return a tuple that differs once a file for some rules is written anew, or comes or goes."""
    return _version(family(rules), _path(folder))


def _version(name: str, folder: Path) -> tuple[int, ...]:
    return tuple(part for kind in _FILES for part in (version(kind.path(name, folder)) or (0,)))


def _path(folder: str) -> Path:
    return Path(folder) if folder and folder != CLASSES_ALONE else FOLDER
