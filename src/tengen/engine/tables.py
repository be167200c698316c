"""Learned parameters, from the files to the records that kernels read: the tables of rules, and networks.

Files are read again when they have been written anew; what has been read and filled in is cached.

Where the files that come with Tengen are not there, `use_parameter_files` says what reads those that
`parameter_file` has written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np

from tengen.engine.board.position import look_up, new_position
from tengen.engine.board.records import NETWORKS, Record, copy_of, new_record
from tengen.engine.board.rule_tables import rule_numbers
from tengen.engine.board.techniques import Technique
from tengen.engine.evaluation.learned_file import FOLDER, version
from tengen.engine.evaluation.line_network_kernel import LINE_SCRATCH
from tengen.engine.evaluation.network import NETWORK_FILE, Network, fits
from tengen.engine.evaluation.parameter_file import PARAMETERS, parameters_of
from tengen.engine.evaluation.parameters import put_network, put_policy, put_weights
from tengen.engine.evaluation.policy import POLICY_FILE
from tengen.engine.evaluation.weights import FAMILIES, WEIGHTS_FILE, family
from tengen.engine.handicap import distort
from tengen.game.rules import Rules

CLASSES_ALONE = "classes"
"""In place of a folder: the weights that come with Tengen, without the network."""

_FILES = WEIGHTS_FILE, NETWORK_FILE, POLICY_FILE


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
    learned = copy_of(_parameters(family(rules), weights, version)["weights"])
    distort(learned, distortion, seed)
    state, tables = new_position(rules)
    tables = copy_of(tables)
    put_weights(learned, tables)
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
    parameters = _parameters(name, weights, version)
    there, scratch = parameters[0], new_record(LINE_SCRATCH)
    record = new_record(NETWORKS)
    if there["has_network"] and size >= there["network"]["sizes"][0]:
        put_network(parameters["network"], size, there["colours"], scratch, record)
        if there["has_policy"]:
            put_policy(parameters["policy"], there["colours"], scratch, record)
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
    parameters = _parameters(family(rules), weights, version_of(rules, weights)).copy()
    for name, number in rule_numbers(rules).items():
        parameters[0][name] = number
    return parameters.tobytes()


def network_of(rules: Rules, weights: str = "") -> Network | None:
    """Return the network that the engine plays some rules by on a board of this size; None for none.

    Raises:
        FileError: there are no weights for these rules, or a file cannot be read.
        TengenError: a file is damaged.
    """
    if weights == CLASSES_ALONE:
        return None
    network = NETWORK_FILE.load_if_present(family(rules), _path(weights))
    return network if network is not None and fits(network, rules.width) else None


_read_file: list[Callable[[str], bytes]] = []


def use_parameter_files(read: Callable[[str], bytes]) -> None:
    """Take the parameters that come with Tengen from files of `parameter_file` from now on.

    Args:
        read: returns the file for a family of rules (`tengen.engine.evaluation.weights.FAMILIES`); it is
            called when the family is first needed.
    """
    _read_file[:] = [read]


@lru_cache(maxsize=16)
def _parameters(
    name: str,
    folder: str,
    version: tuple[int, ...],  # noqa: ARG001 - part of the cache's key
) -> Record:
    """Return the parameters of a family: an array of one `PARAMETERS`, whose rules are without meaning.

    Raises:
        FileError: there are no weights, or a file cannot be read.
        TengenError: a file is damaged.
    """
    if _read_file and folder in ("", CLASSES_ALONE):
        parameters = copy_of(np.frombuffer(_read_file[0](name), PARAMETERS))
        if folder == CLASSES_ALONE:
            parameters[0]["has_network"] = parameters[0]["has_policy"] = 0
        return parameters
    path = _path(folder)
    weights = WEIGHTS_FILE.load(name, path)
    if folder == CLASSES_ALONE:
        return parameters_of(weights, None, None)
    return parameters_of(
        weights, NETWORK_FILE.load_if_present(name, path), POLICY_FILE.load_if_present(name, path)
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
        _parameters(name, folder, _version(name, path))


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except OSError:  # a name that no file can have
        return False


def version_of(rules: Rules, folder: str) -> tuple[int, ...]:
    """Return a tuple that differs once a file for some rules is written anew, or comes or goes."""
    if _read_file and folder in ("", CLASSES_ALONE):
        return ()
    return _version(family(rules), _path(folder))


def _version(name: str, folder: Path) -> tuple[int, ...]:
    return tuple(part for kind in _FILES for part in (version(kind.path(name, folder)) or (0,)))


def _path(folder: str) -> Path:
    return Path(folder) if folder and folder != CLASSES_ALONE else FOLDER
