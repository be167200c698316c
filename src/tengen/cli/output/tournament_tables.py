"""Tournament output: progress, table and ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date

from tengen.arena.ladder import BOUNDS, Rung
from tengen.arena.rating import Ratings
from tengen.arena.report.report_data import Report
from tengen.arena.results import FAULTS
from tengen.arena.tournament import Table
from tengen.cli.output import columns
from tengen.cli.output.progress import Pace
from tengen.formats.rules_text import preset_of
from tengen.game.rules import Rules
from tengen.words import Message, say


class TournamentProgress:
    """The progress line of a tournament."""

    def __init__(self, table: Table, lang: str) -> None:
        self._table = table
        self._lang = lang
        self._pace = Pace(lang, len(table.games))

    def __call__(self) -> str:
        """Return the current line."""
        done, total = len(self._table.games), self._table.tournament.total
        text = say("tournament.progress", self._lang, done=done, games=total, time=self._pace.time)
        return "  ".join([text, *self._pace.left(done, total)])


def table(standing: Table, lang: str) -> str:
    """Return the table, strongest players first, with notes below it."""
    tournament = standing.tournament
    rated = standing.ratings()
    ratings = {rating.name: rating for rating in rated.players}
    swiss = tournament.kind == "swiss"
    head = ["", "player", "elo", "error", "games", "wins", "draws", "losses", "points"]
    titles = [say(f"tournament.{key}", lang) if key else "" for key in head]
    titles += [say("tournament.buchholz", lang)] if swiss else []
    rows = []
    lines = standing.rows()
    if not swiss:
        # In a gauntlet points are not comparable: the champions play more games than the others.
        lines.sort(key=lambda line: -ratings[line.name].elo if line.name in ratings else 0.0)
    for place, line in enumerate(lines, 1):
        rating = ratings.get(line.name)
        games = line.wins + line.draws + line.losses
        elo = "–" if rating is None else f"{BOUNDS.get(rating.bounded, '')}{round(rating.elo)}"
        error = error_text(None if rating is None else rating.error)
        row = [str(place), line.name, elo, error, str(games)]
        row += [str(line.wins), str(line.draws), str(line.losses), f"{line.points:g}"]
        rows.append([*row, f"{line.buchholz:g}"] if swiss else row)
    parts = [columns.table([titles, *rows], left=(1,))]
    if standing.games:
        parts.append(_advantage(standing, rated, lang))
    faults = Counter((game.loser, game.end) for game in standing.games.values() if game.end in FAULTS)
    parts += [
        say("match.fault", lang, name=name, count=count, fault=Message(f"end.{fault}"))
        for (name, fault), count in sorted(faults.items(), key=str)
    ]
    return "\n".join(parts)


def ladder(rungs: Iterable[Rung], lang: str) -> str:
    """Return the table of a ladder as text."""
    titles = [say(f"tournament.{key}", lang) for key in ("player", "elo", "error")]
    rows = [[*titles, say("ladder.time", lang)]]
    rows += [
        [rung.spec, f"{rung.bound}{rung.elo:.0f}", error_text(rung.error), f"{rung.milliseconds:.1f}"]
        for rung in rungs
    ]
    return columns.table(rows, left=(0,))


def report(standing: Table, lang: str) -> Report:
    """Return the data of the report page of a tournament."""
    tournament = standing.tournament
    kind = say(f"report.kind.{tournament.kind}", lang)
    settings = {
        say("tournament.openings", lang): str(len(set(tournament.openings))),
        say("tournament.seed", lang): str(tournament.seed),
    }
    limits = {seat.limits for seat in tournament.players}
    if len(limits) == 1 and any(limits):
        settings[say("tournament.limits", lang)] = limits.pop()
    return Report(
        title=say("tournament.title", lang, kind=kind, rules=rules_title(tournament.rules, lang)),
        kind=tournament.kind,
        rules=tournament.rules,
        settings=settings,
        games=[game for _, game in sorted(standing.games.items())],
        players=tournament.names,
        ratings=standing.ratings(),
        finished=standing.over,
        date=date.today().isoformat(),
    )


def rules_title(rules: Rules, lang: str) -> str:
    """Return the rules and the board size, for a title."""
    return f"{say(f'rules.{preset_of(rules)}', lang)} {rules.size_text}"


def error_text(error: float | None) -> str:
    """Format half the width of an interval; a dash if there is none."""
    return "–" if error is None else f"{error:.0f}"


def _advantage(standing: Table, ratings: Ratings, lang: str) -> str:
    games = standing.games.values()
    return say(
        "tournament.advantage",
        lang,
        elo=f"{round(ratings.advantage.value):+d}",
        error=error_text(ratings.advantage.error),
        draws=f"{100 * sum(game.winner is None for game in games) / len(games):.1f}",
    )
