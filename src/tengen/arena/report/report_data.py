"""The data of a report: its subject, its figures, and the games as the page embeds them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from tengen.arena.rating import Rating, Ratings, rate
from tengen.arena.report.markup import clean
from tengen.arena.results import FAULTS, PlayedGame
from tengen.arena.statistics import Tally
from tengen.formats.rules_text import format_rules
from tengen.game import notation
from tengen.game.fouls import find_foul
from tengen.game.player import Score
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Colour, Point, axes, opponent
from tengen.game.rows import winning_rows
from tengen.game.rules import Rules
from tengen.words import catalogue
from tengen.words.languages import language

Kind: TypeAlias = Literal["match", "tournament", "round-robin", "gauntlet", "swiss"]

_SPOKEN = ("board", "picture", "replay", "report")
"""The parts of the catalogue from which the page's scripts speak."""


@dataclass(frozen=True)
class Report:
    """The input of a report.

    Attributes:
        title: of the page.
        kind: of contest.
        rules: the rules of all its games.
        settings: anything else worth knowing, such as time and openings: names and values, in the
            reader's language.
        games: the games played so far, each with a number of its own.
        players: everybody, those without a game included; those who are rated stand in the order of
            their ratings all the same.
        ratings: the ratings of the players; from the games if None.
        finished: all games have been played.
        date: the date, as text.
    """

    title: str
    kind: Kind
    rules: Rules
    settings: Mapping[str, str]
    games: Sequence[PlayedGame]
    players: Sequence[str]
    ratings: Ratings | None = None
    finished: bool = True
    date: str = ""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Everybody, strongest first, then those who are not rated."""
        played = (name for game in self.games for name in (game.black, game.white))
        rated = (rating.name for rating in self.rated.players)
        return tuple(dict.fromkeys((*rated, *self.players, *played)))

    @cached_property
    def rated(self) -> Ratings:
        """The ratings."""
        if self.ratings is not None:
            return self.ratings
        return rate((game.black, game.white, game.points) for game in self.games)


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """The results of one player.

    Attributes:
        name: the player.
        rating: its rating; None for a player without games.
        tally: all its games.
        black: those in which it had Black.
        faults: the number of its losses by each fault.
        seconds: the time of each of its moves, in order.
    """

    name: str
    rating: Rating | None
    tally: Tally
    black: Tally
    faults: Counter[str]
    seconds: list[float]


@dataclass(frozen=True, slots=True)
class Figures:
    """All that is counted.

    Attributes:
        players: one a player, in the order of the report's names.
        meetings: the games of each pair of players that has met, seen from the first.
        ends: games by the winner's colour (None for a draw) and the end.
        lengths: moves of each game, by the winner's colour.
    """

    players: list[PlayerFigures]
    meetings: dict[tuple[int, int], Tally]
    ends: Counter[tuple[Colour | None, str]]
    lengths: dict[Colour | None, list[int]]

    @classmethod
    def of(cls, report: Report) -> Figures:
        """The figures of a report."""
        place = {name: index for index, name in enumerate(report.names)}
        met: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
        points: defaultdict[tuple[str, Colour], list[float]] = defaultdict(list)
        faults: defaultdict[str, Counter[str]] = defaultdict(Counter)
        seconds: defaultdict[str, list[float]] = defaultdict(list)
        ends: Counter[tuple[Colour | None, str]] = Counter()
        lengths: dict[Colour | None, list[int]] = {BLACK: [], WHITE: [], None: []}
        for game in report.games:
            ends[game.winner, game.end] += 1
            lengths[game.winner].append(game.length)
            for colour, made in ((BLACK, game.points), (WHITE, 1 - game.points)):
                own, other = game.name(colour), game.name(opponent(colour))
                points[own, colour].append(made)
                met[place[own], place[other]].append(made)
                seconds[own] += game.seconds(colour)
            if game.lost_by_fault is not None:
                faults[game.lost_by_fault][game.end] += 1
        ratings = {rating.name: rating for rating in report.rated.players}
        players = []
        for name in report.names:
            black, white = (Tally.from_points(points[name, colour]) for colour in (BLACK, WHITE))
            players.append(
                PlayerFigures(name, ratings.get(name), black + white, black, faults[name], seconds[name])
            )
        meetings = {pair: Tally.from_points(made) for pair, made in met.items()}
        return cls(players, meetings, ends, lengths)

    def faults(self) -> list[str]:
        """The faults that have happened, in their usual order."""
        return [fault for fault in FAULTS if any(line.faults[fault] for line in self.players)]


def embedded(report: Report, lang: str) -> str:
    """The games as the page's script reads them: JSON that may stand in a ``<script>`` element.

    An object: ``locale``; ``texts``, the part of the catalogue that the scripts speak from; ``rules`` with
    ``width``, ``height``, ``k`` and ``text``, as a file of moves names them; ``players``, their names;
    ``faults``; and ``games``, each a list of

    - its number, counted from 1; the numbers of Black and White among the players; the winner's colour,
      0 for a draw; how it ended; how many moves were given;
    - the moves as move text; the milliseconds of each of the players' own moves; the score of each: the
      mover's win rate in thousandths, or ``#`` and the plies to the end, or null (an empty list if there
      are none at all);
    - if there is one, what is said about a fault; if there are any, the rows that won or were a foul.

    Args:
        report: the data to embed.
        lang: the language of the texts.
    """
    place = {name: index for index, name in enumerate(report.names)}
    rules = report.rules
    texts = catalogue(lang)
    data = {
        "locale": language(lang).locale,
        "texts": {
            key: text
            for key, text in texts.items()
            if key.partition(".")[0] in _SPOKEN or key in ("comma", "black", "white")
        },
        "rules": {
            "width": rules.width,
            "height": rules.height,
            "k": rules.k,
            "text": format_rules(rules),
        },
        "players": [clean(name) for name in report.names],
        "faults": FAULTS,
        "games": [_row(game, place) for game in report.games],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # Nothing in a script element may look like its end, or like the beginning of a comment.
    return text.replace("<", "\\u003c")


def _row(game: PlayedGame, place: Mapping[str, int]) -> list[Any]:
    points = (*game.opening, *(move.point for move in game.moves))
    scores = [_embedded_score(move.score) for move in game.moves]
    lines = [notation.format_moves(row, game.rules.width) for row in _rows(game)]
    row: list[Any] = [
        game.number + 1,
        place[game.black],
        place[game.white],
        game.winner or 0,
        game.end,
        len(game.opening),
        notation.format_moves(points, game.rules.width),
        [_milliseconds(move.seconds) for move in game.moves],
        scores if any(score is not None for score in scores) else [],
    ]
    if game.detail or lines:
        row.append("\n".join(map(clean, [game.detail, *game.trace.splitlines()])))
    if lines:
        row.append(lines)
    return row


def _embedded_score(score: Score | None) -> int | str | None:
    if score is None:
        return None
    if score.mate is not None:
        return f"#{score.mate}"
    return round(1000 * score.win_rate)


def _milliseconds(seconds: float) -> float:
    """Enough digits for a graph."""
    milliseconds = seconds * 1000
    return round(milliseconds) if milliseconds >= 100 else round(milliseconds, 2)


def _mover(ply: int) -> Colour:
    return BLACK if ply % 2 == 0 else WHITE


def _rows(game: PlayedGame) -> tuple[tuple[Point, ...], ...]:
    """The rows that ended the game: those that won, or those of the foul that lost."""
    points = [*game.opening, *(move.point for move in game.moves)]
    if game.end not in ("five", "foul") or not points or points[-1] == PASS:
        return ()
    rules = game.rules
    cells = [EMPTY] * rules.points
    for ply, point in enumerate(points):
        if point != PASS:
            cells[point] = _mover(ply)
    last = points[-1]
    colour, grid = cells[last], axes(rules.width, rules.height)
    if game.end == "five":
        return winning_rows(rules, cells, last, grid[last], colour)
    if colour == WHITE:
        # Claimed after White's move is an overline only; a move that was refused is not on the board.
        return ()
    cells[last] = EMPTY
    foul = find_foul(rules, cells, grid, last)
    return () if foul is None else foul.lines
