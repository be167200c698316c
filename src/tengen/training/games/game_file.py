r"""The file format of training games: JSON lines, one game per line.

The first line names the format and the rules, ``{"format": "tengen training", "version": 1, "rules":
{...}}``. Games that were played with the same settings form a *run*, which has its own line before its
first game: ``{"run": 0, "seed": 1, "nodes": 3000, "stray": 0.15, "beside": 0.4, "weights": "3f62a1b0c4d5",
"within": 0, "begin_within": 0.0}``, where ``weights`` is a digest of the weights of the player, including
its network and policy. A game is a line such as ``{"run": 0, "game": 17, "moves": "h8i9...", "black": 1.0,
"seen": [[3, "h9", 24], ...], "beside": [[4, "j10", "h9", -15], ...]}``:

- ``moves``: the moves from the empty board until the result was known; ``black``: Black's points, 1, 0.5 or
  0;
- ``seen``: positions of the game, each as the number of moves before it, the move that the search chose,
  and its score for the side to move in centi-units;
- ``beside``: positions outside the game, each as the number of moves shared with the game, the further
  moves as one string, the chosen move, and the score.

No content of the file is executed as code.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tengen.engine.board.playable import check_rules
from tengen.engine.board.records import FRAME, ROW, cell_of
from tengen.engine.board.scores import WIN
from tengen.engine.evaluation.network import Network
from tengen.engine.evaluation.network import digest as network_digest
from tengen.engine.evaluation.policy import Policy
from tengen.engine.evaluation.policy import digest as policy_digest
from tengen.engine.evaluation.weights import Weights, family
from tengen.formats.files import shown
from tengen.formats.json_lines import JsonLinesFile, json_lines
from tengen.game.errors import TengenError
from tengen.game.notation import point_name
from tengen.game.rules import Rules
from tengen.training.games.self_play import Sample, SelfPlayGame, SelfPlaySettings, sample_order
from tengen.training.games.targets import sureness_of

FORMAT = "tengen training"
VERSION = 1

_NAME = re.compile(r"[a-z]+[0-9]+")
_FEW = 2


class TrainingError(TengenError):
    """An error in the data or the request of a training run."""


def other_rules(path: str | Path, there: Rules, wanted: Rules) -> TrainingError:
    """Return the error for a file whose games have other rules or another board than wanted."""
    values = {"rules": wanted.name, "size": wanted.size_text}
    found = {"there": there.name, "there_size": there.size_text}
    return TrainingError("error.train.rules", file=shown(path), **values, **found)


def check_family(path: str | Path, there: Rules, wanted: Rules) -> None:
    """Check that the rules of a file share their weights with the wanted rules.

    Raises:
        TrainingError: the rules belong to different families.
    """
    if family(there) != family(wanted):
        raise other_rules(path, there, wanted)


@dataclass(frozen=True, slots=True)
class Run:
    """Settings of the games of a run; see `tengen.training.games.self_play.SelfPlaySettings`.

    Attributes:
        weights: a digest of the weights of the player, including its network and policy.
    """

    seed: int
    nodes: int
    stray: float
    beside: float
    weights: str
    within: int = 0
    begin_within: float = 0.0

    @classmethod
    def of(
        cls,
        plan: SelfPlaySettings,
        weights: Weights,
        network: Network | None = None,
        policy: Policy | None = None,
    ) -> Run:
        """Return the run of self-play settings with the given weights."""
        played_by = digest(weights, network, policy)
        return cls(
            plan.seed, plan.nodes, plan.stray, plan.beside, played_by, plan.within, plan.begin_within
        )


def digest(weights: Weights, network: Network | None = None, policy: Policy | None = None) -> str:
    """Return a short digest of weights, network and policy."""
    found = hashlib.sha256()
    for array in (weights.worths, weights.orders, weights.situations, weights.contexts):
        found.update(array.astype("<i8").tobytes())
    if network is not None:
        found.update(network_digest(network).encode())
    if policy is not None:
        found.update(policy_digest(policy).encode())
    return found.hexdigest()[:12]


class GameFile(JsonLinesFile):
    """A file of games that is open for appending; a context manager.

    Args:
        path: the file; created if it does not exist, otherwise continued.
        rules: the rules of its games.

    Raises:
        TrainingError: the file has another format, or holds games with other rules.
        FileError: the file cannot be read or written.
    """

    def __init__(self, path: str | Path, rules: Rules) -> None:
        file = Path(path).expanduser()
        self._width = rules.width
        self._runs: dict[Run, int] = {}
        self._played: dict[int, set[int]] = {}
        first: dict[str, Any] | None = {"format": FORMAT, "version": VERSION, "rules": rules.to_dict()}
        if file.exists() and file.stat().st_size:
            known = GamesReader(file)
            if known.rules != rules:
                raise other_rules(path, known.rules, rules)
            for game, run in known.games():
                self._played.setdefault(run, set()).add(game.number)
            self._runs, first = known.runs, None
        super().__init__(file, first, folders=True)

    def played(self, run: Run) -> set[int]:
        """Return the numbers of the games of a run that are in the file."""
        return self._played.get(self._runs.get(run, -1), set())

    def add(self, run: Run, game: SelfPlayGame) -> None:
        """Append a finished game.

        Raises:
            FileError: the file cannot be written, for example because the disk is full.
        """
        if run not in self._runs:
            self._runs[run] = len(self._runs)
            self.write({"run": self._runs[run], **asdict(run)})
        number = self._runs[run]
        self._played.setdefault(number, set()).add(game.number)
        self.write({"run": number, **_game_data(game, self._width)})


def read(path: str | Path) -> tuple[Rules, Iterator[SelfPlayGame]]:
    """Return the rules of a file of games, and a lazy iterator over its games.

    Raises:
        FileError: the file cannot be read.
        TrainingError: the file has another format, or a line is damaged; the iterator raises it too.
    """
    reader = GamesReader(path)
    return reader.rules, (game for game, _ in reader.games())


def sureness_in(paths: Iterable[str | Path], rules: Rules, tick: Callable[[], None] | None = None) -> float:
    """Estimate the sureness of the scores in files of games (`games.targets`).

    Args:
        paths: the files.
        rules: the rules whose weights the games must share.
        tick: called after each game.

    Raises:
        TrainingError: a file holds games of another family of rules, or is damaged.
        FileError: a file cannot be read.
    """

    def games() -> Iterator[SelfPlayGame]:
        for path in paths:
            its_rules, its_games = read(path)
            check_family(path, its_rules, rules)
            for game in its_games:
                yield game
                if tick is not None:
                    tick()

    return sureness_of(games())


class GamesReader:
    """A reader of a file of games, for a single pass.

    Args:
        path: the file.

    Raises:
        FileError: the file cannot be read.
        TrainingError: the file is not a file of games.

    Attributes:
        rules: the rules of its games.
        runs: the runs read so far, with their numbers.
        counts: the number of games read so far, by run.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path).expanduser()
        self.runs: dict[Run, int] = {}
        self.counts: Counter[Run] = Counter()
        self._lines = json_lines(path)
        _, head = next(self._lines, (0, {}))
        if head.get("format") != FORMAT or head.get("version") != VERSION:
            raise TrainingError("error.train.file", file=shown(path))
        try:
            self.rules = Rules.from_dict(head["rules"])
            check_rules(self.rules)
        except (KeyError, TypeError, ValueError) as error:
            raise TrainingError("error.train.file", file=shown(path)) from error

    def games(self) -> Iterator[tuple[SelfPlayGame, int]]:
        """Iterate lazily over the games, each with the number of its run.

        Raises:
            TrainingError: a line is damaged.
        """
        width, height = self.rules.width, self.rules.height
        cells = {
            point_name(y * width + x, width): cell_of(x, y) for y in range(height) for x in range(width)
        }
        runs: list[Run] = []
        for number, data in self._lines:
            try:
                if "game" in data:
                    place = _whole(data["run"], len(runs) - 1)
                    game = _game(data, cells)
                    self.counts[runs[place]] += 1
                    yield game, place
                else:
                    given = _OLDER | data
                    run = Run(**{name: kind(given[name]) for name, kind in _FIELDS.items()})
                    if run not in self.runs:
                        self.runs[run] = len(runs)
                        runs.append(run)
            except (KeyError, TypeError, ValueError, OverflowError) as error:
                raise TrainingError("error.train.line", file=shown(self._path), line=number) from error


_FIELDS = {
    "seed": int,
    "nodes": int,
    "stray": float,
    "beside": float,
    "weights": str,
    "within": int,
    "begin_within": float,
}
_OLDER = {"within": 0, "begin_within": 0.0}
"""Defaults of the fields that are missing in older files."""


def _game_data(game: SelfPlayGame, width: int) -> dict[str, Any]:
    def name(cell: int) -> str:
        return point_name((cell // ROW - FRAME) * width + cell % ROW - FRAME, width)

    seen: list[list[int | str]] = []
    beside: list[list[int | str]] = []
    for sample in game.samples:
        plies = len(sample.cells)
        if sample.result is not None:
            seen.append([plies, name(sample.best), sample.score])
        else:
            together = _in_common(sample.cells, game.cells)
            others = "".join(map(name, sample.cells[together:]))
            beside.append([together, others, name(sample.best), sample.score])
    return {
        "game": game.number,
        "moves": "".join(map(name, game.cells)),
        "black": game.points,
        "seen": seen,
        "beside": beside,
    }


def _in_common(cells: tuple[int, ...], others: tuple[int, ...]) -> int:
    """Return the length of the common prefix."""
    pairs = enumerate(zip(cells, others, strict=False))
    return next((ply for ply, (one, other) in pairs if one != other), min(len(cells), len(others)))


def _game(data: dict[str, Any], cells: dict[str, int]) -> SelfPlayGame:
    """Parse a game from its line.

    Raises:
        ValueError, KeyError, TypeError: the line is not a valid game.
    """
    path, points = _cells(data["moves"], cells), data["black"]
    if points not in (0, 0.5, 1):
        raise ValueError(data)
    samples = []
    for plies, best, score in data["seen"]:
        before = path[: _whole(plies, len(path))]
        result = float(points if plies % _FEW == 0 else 1 - points)
        samples.append(_sample(before, cells[best], score, result))
    for plies, moves, best, score in data["beside"]:
        beside = path[: _whole(plies, len(path))] + _cells(moves, cells)
        samples.append(_sample(beside, cells[best], score, None))
    samples.sort(key=sample_order)
    return SelfPlayGame(_whole(data["game"], 1 << 40), path, float(points), tuple(samples))


def _cells(moves: str, cells: dict[str, int]) -> tuple[int, ...]:
    """Parse moves written as one string into cells; every cell may occur only once."""
    names = _NAME.findall(moves)
    if "".join(names) != moves or len(set(names)) != len(names):
        raise ValueError(moves)
    return tuple(cells[name] for name in names)


def _sample(cells: tuple[int, ...], best: int, score: int, result: float | None) -> Sample:
    if type(score) is not int or abs(score) > WIN or len({*cells, best}) <= len(cells):
        raise ValueError(score)
    return Sample(cells, score, best, result)


def _whole(value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(value)
    return value
