"""A tournament or a match as one page for the browser.

The file needs nothing else: it opens without a network, and asks for none. Summary, ratings, crosstable and
plots are plain HTML; a script lists the games and replays them. Everything on the page is put together as
elements, never as text, so that a player may have any name.
"""

from __future__ import annotations

import base64
import hashlib
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tengen import assets
from tengen.arena.rating import Estimate, Rating
from tengen.arena.report.markup import Content, e, raw
from tengen.arena.report.plots import (
    Plot,
    duration,
    elo,
    lengths_plot,
    levels_plot,
    ratings_plot,
    seconds_plot,
)
from tengen.arena.report.report_data import Figures, PlayerFigures, Report, embedded
from tengen.arena.results import ENDS, FAULTS
from tengen.arena.statistics import Tally
from tengen.extras import importing
from tengen.formats.files import check_writable, write_whole
from tengen.game.points import BLACK, WHITE
from tengen.game.rules import NAMES
from tengen.words import Message, say
from tengen.words.languages import language
from tengen.words.numbers import format_number

__all__ = ["Report", "html", "write_report"]

_SECTIONS = ("standings", "crosstable", "plots", "ends", "games")
_COLUMNS = ("number", "black", "white", "result", "end", "length")
_FILTERS = ("player", "against", "result", "end")
_BOUNDS = {"below": "≥ ", "above": "≤ "}


def write_report(report: Report, path: str | Path, lang: str = "en") -> None:
    """Write a report: the whole of it, or nothing.

    Args:
        report: its data.
        path: the file.
        lang: the language of its words.

    Raises:
        FileError: the file cannot be written.
    """
    write_whole(path, html(report, lang).encode())


def check_report(path: str | Path) -> None:
    """Check before a tournament what would keep its report from being written.

    Raises:
        FileError: the file could not be written.
        MissingPackage: matplotlib is not installed.
    """
    check_writable(path)
    with importing("arena"):
        import matplotlib  # noqa: F401


def html(report: Report, lang: str = "en") -> str:
    """The page of a report.

    Args:
        report: its data.
        lang: the language of its words.
    """
    page = _Page(report, lang)
    return "<!doctype html>\n" + ET.tostring(page.document(), encoding="unicode", method="html") + "\n"


_START = """const script = document.createElement("script");
Object.assign(script, { type: "module", src: import.meta.resolve("report.js") });
document.head.append(script);"""
"""The script that starts the module of the page, whose address only the import map knows."""


def _digest(script: str) -> str:
    """Return the source expression of a script for a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


class _Page:
    """A page being written."""

    def __init__(self, report: Report, lang: str) -> None:
        self.report = report
        self.lang = lang
        self.figures = Figures.of(report)

    def say(self, key: str, **values: object) -> str:
        return say(key, self.lang, **values)

    def document(self) -> ET.Element:
        imports = assets.import_map()
        # What these two scripts make may run too, and nothing else.
        policy = (
            f"default-src 'none'; script-src 'strict-dynamic' {_digest(imports)} {_digest(_START)}; "
            "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        )
        style = assets.styles("theme", "board_themes", "board", "replay", "report")
        head = e(
            "head",
            e("meta", charset="utf-8"),
            ET.Element("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
            e("meta", name="viewport", content="width=device-width, initial-scale=1"),
            e("meta", name="color-scheme", content="light dark"),
            e("title", self.report.title),
            raw("style", style),
        )
        parts = dict(self.sections())
        links = [
            e("a", self.say(f"report.section.{name}"), href=f"#{name}")
            for name in _SECTIONS
            if name in parts
        ]
        body = e(
            "body",
            self.header(),
            e("nav", *links, class_="toc", aria_label=self.say("report.contents")),
            e("main", self.summary(), *parts.values()),
            self.viewer(),
            raw("script", embedded(self.report, self.lang), id="tengen-data", type="application/json"),
            raw("script", imports, type="importmap"),
            raw("script", _START, type="module"),
        )
        return e("html", head, body, lang=language(self.lang).locale)

    def sections(self) -> Iterator[tuple[str, ET.Element]]:
        report, figures = self.report, self.figures
        if report.names:
            yield "standings", self.section("standings", *self.standings())
        if report.games:
            yield "crosstable", self.section("crosstable", *self.crosstable())
            plots = [self.plot(plot) for plot in self.plots()]
            yield "plots", self.section("plots", e("div", *plots, class_="plots"))
            yield "ends", self.section("ends", *self.ends())
        empty = None if figures.ends else e("p", self.say("report.empty"), class_="note")
        yield "games", self.section("games", empty, *self.games())

    def section(self, name: str, *content: Content) -> ET.Element:
        heading = e("h2", self.say(f"report.section.{name}"), id=f"{name}-heading")
        return e("section", heading, *content, id=name, aria_labelledby=f"{name}-heading")

    # -- the beginning

    def header(self) -> ET.Element:
        report = self.report
        facts = [self.say(f"report.kind.{report.kind}"), self.rules(), report.date]
        unfinished = None if report.finished else e("span", self.say("report.unfinished"), class_="badge")
        return e(
            "header",
            e("p", self.say("report.brand"), class_="brand"),
            e("h1", report.title),
            e("p", *(e("span", fact) for fact in facts if fact), unfinished, class_="about"),
        )

    def rules(self) -> str:
        rules = self.report.rules
        name = rules.name if rules.name in NAMES else "custom"
        values = {"rules": Message(f"rules.{name}"), "size": rules.size_text, "k": rules.k}
        return self.say("report.rules", **values)

    def summary(self) -> ET.Element:
        report, figures = self.report, self.figures
        count = len(report.games)
        won = {colour: len(lengths) for colour, lengths in figures.lengths.items()}
        facts = [
            (self.say("report.players"), str(len(report.names))),
            (self.say("report.games"), format_number(count, self.lang)),
        ]
        if count:
            lost = sum(sum(line.faults.values()) for line in figures.players)
            length = sum(game.length for game in report.games) / count
            facts += [
                (self.say("report.result.black"), _share(won[BLACK], count, self.lang)),
                (self.say("report.result.white"), _share(won[WHITE], count, self.lang)),
                (self.say("report.result.draw"), _share(won[None], count, self.lang)),
                (self.say("report.mean_length"), f"{length:.1f}"),
                (self.say("report.faults"), format_number(lost, self.lang)),
                (self.say("report.advantage"), self.estimate(report.rated.advantage)),
            ]
        if len(report.rated.players) == 2:
            facts += self.difference(*report.rated.players)
        settings = report.settings.items()
        return e(
            "section",
            e("dl", *(e("div", e("dt", name), e("dd", value)) for name, value in facts), class_="facts"),
            e(
                "dl",
                *(e("div", e("dt", name), e("dd", value)) for name, value in settings),
                class_="settings",
            )
            if settings
            else None,
            id="summary",
            aria_label=self.say("report.summary"),
        )

    def difference(self, first: Rating, second: Rating) -> list[tuple[str, str]]:
        """The comparison of two players."""
        difference, error = self.report.rated.difference(first.name, second.name)
        surely = self.report.rated.los(first.name, second.name)
        sign = self.bound(first if first.bounded != "both" else second)
        values = {"player": first.name, "against": second.name}
        return [
            (self.say("report.difference", **values), f"{sign}{elo(difference)} ± {error:.0f} Elo"),
            (self.say("report.los", **values), f"{100 * surely:.1f}%"),
        ]

    def estimate(self, estimate: Estimate) -> str:
        if estimate.error is None:
            return self.say("report.unknown")
        return f"{elo(estimate.value)} ± {estimate.error:.0f} Elo"

    # -- tables

    def table(
        self, label: str, head: Sequence[Content], rows: Iterable[ET.Element], kind: str
    ) -> ET.Element:
        """A table in a box of its own, which scrolls where the page is narrow."""
        columns = [part if isinstance(part, ET.Element) else e("th", part, scope="col") for part in head]
        table = e("table", e("thead", e("tr", *columns)), e("tbody", *rows), class_=kind)
        return e("div", table, class_="scroll", role="region", tabindex="0", aria_label=label)

    def standings(self) -> Iterator[ET.Element]:
        ratings = [line.rating for line in self.figures.players if line.rating is not None]
        low = min((rating.elo - rating.error for rating in ratings), default=0.0)
        high = max((rating.elo + rating.error for rating in ratings), default=0.0)
        faults = self.figures.faults()
        head: list[Content] = [
            "#",
            e("th", self.say("report.player"), scope="col", class_="text"),
            self.say("report.elo"),
            e("th", self.say("report.error_bar"), scope="col", class_="bar"),
            self.say("report.points"),
            self.say("report.games"),
            "%",
            self.say("report.won"),
            self.say("report.drawn"),
            self.say("report.lost"),
            self.say("report.as_black"),
            self.say("report.time"),
            *(self.say(f"report.end.{fault}") for fault in faults),
        ]
        rows = [
            self.standing(place, line, (low, high), faults)
            for place, line in enumerate(self.figures.players)
        ]
        yield self.table(self.say("report.section.standings"), head, rows, "standings")
        notes = [self.say("report.note.elo")] if ratings else []
        if any(rating.bounded != "both" for rating in ratings):
            notes.append(self.say("report.note.bounded"))
        yield e("p", " ".join(notes), class_="note")

    def standing(
        self, place: int, line: PlayerFigures, scale: tuple[float, float], faults: Sequence[str]
    ) -> ET.Element:
        tally, rating = line.tally, line.rating
        link = e("a", line.name, href=f"#games?player={place}")
        seconds = sorted(line.seconds)
        figures = [
            _points(tally.points),
            format_number(tally.games, self.lang),
            f"{100 * tally.score:.0f}" if tally.games else "",
            *(format_number(count, self.lang) for count in (tally.wins, tally.draws, tally.losses)),
            f"{100 * line.black.score:.0f}%" if line.black.games else "",
            duration(seconds[len(seconds) // 2]) if seconds else "",
        ]
        counts = [
            e("td", e("a", str(count), href=f"#games?player={place}&result=lost&end={fault}"))
            if (count := line.faults[fault])
            else e("td", "0", class_="none")
            for fault in faults
        ]
        return e(
            "tr",
            e("td", str(place + 1)),
            e("th", link, scope="row", class_="text"),
            e(
                "td",
                "" if rating is None else f"{self.bound(rating)}{elo(rating.elo)} ± {rating.error:.0f}",
            ),
            e("td", None if rating is None else _bar(rating, *scale), class_="bar"),
            *(e("td", figure) for figure in figures),
            *counts,
        )

    def bound(self, rating: Rating) -> str:
        return "? " if rating.bounded == "none" else _BOUNDS.get(rating.bounded, "")

    def crosstable(self) -> Iterator[ET.Element]:
        names = self.report.names
        head: list[Content] = ["#", e("th", self.say("report.player"), scope="col", class_="text")]
        head += [e("th", str(place + 1), scope="col", title=name) for place, name in enumerate(names)]
        rows = [
            e(
                "tr",
                e("td", str(place + 1)),
                e("th", e("a", name, href=f"#games?player={place}"), scope="row", class_="text"),
                *(self.meeting(place, other) for other in range(len(names))),
            )
            for place, name in enumerate(names)
        ]
        yield self.table(self.say("report.section.crosstable"), head, rows, "crosstable")
        yield e("p", self.say("report.note.crosstable"), class_="note")

    def meeting(self, place: int, other: int) -> ET.Element:
        tally = self.figures.meetings.get((place, other))
        if tally is None:
            return e("td", "" if place != other else "–", class_="self" if place == other else "none")
        names = self.report.names
        values = {"player": names[place], "against": names[other], **_counts(tally)}
        link = e(
            "a",
            e("b", _points(tally.points)),
            f"/{format_number(tally.games, self.lang)}",
            e("small", f"+{tally.wins} ={tally.draws} −{tally.losses}"),
            href=f"#games?player={place}&against={other}",
            title=self.say("report.meeting", **values),
        )
        return e("td", link, style=f"--share: {100 * tally.score:.0f}%")

    def ends(self) -> Iterator[ET.Element]:
        ends = self.figures.ends
        sides = ((BLACK, "black"), (WHITE, "white"), (None, "draw"))
        head: list[Content] = [
            e("th", self.say("report.end"), scope="col", class_="text"),
            self.say("report.games"),
            "%",
            *(self.say(f"report.result.{name}") for _, name in sides),
        ]
        total = ends.total()
        rows = []
        for end in ENDS:
            count = sum(ends[colour, end] for colour, _ in sides)
            if count:
                name = e("a", self.end(end), href=f"#games?end={end}")
                kind = "text fault" if end in FAULTS else "text"
                rows.append(
                    e(
                        "tr",
                        e("th", name, scope="row", class_=kind),
                        e("td", format_number(count, self.lang)),
                        e("td", f"{100 * count / total:.1f}"),
                        *(e("td", format_number(ends[colour, end], self.lang)) for colour, _ in sides),
                    )
                )
        yield self.table(self.say("report.section.ends"), head, rows, "ends")
        yield e("p", self.say("report.note.ends"), class_="note")

    def end(self, end: str) -> str:
        return self.say(f"report.end.{end}", k=self.report.rules.k)

    # -- plots

    def plots(self) -> list[Plot]:
        figures = self.figures
        ratings = self.report.rated.players
        seconds = {line.name: line.seconds for line in figures.players}
        drawn = (
            ratings_plot(ratings, self.lang) if ratings else None,
            levels_plot(ratings, self.lang),
            seconds_plot(seconds, self.lang),
            lengths_plot(figures.lengths, self.lang),
        )
        return [plot for plot in drawn if plot is not None]

    def plot(self, plot: Plot) -> ET.Element:
        rows = [
            e("tr", e("th", row[0], scope="row", class_="text"), *(e("td", cell) for cell in row[1:]))
            for row in plot.rows
        ]
        head: list[Content] = [e("th", plot.head[0], scope="col", class_="text"), *plot.head[1:]]
        table = self.table(plot.title, head, rows, "figures")
        details = e("details", e("summary", self.say("report.as_table")), table)
        return e("figure", e("figcaption", plot.title), plot.svg, details, id=f"plot-{plot.name}-figure")

    # -- the games, which the script fills in

    def games(self) -> Iterator[ET.Element]:
        yield e("noscript", e("p", self.say("report.noscript"), class_="note"))
        options = {
            "player": [(str(i), name) for i, name in enumerate(self.report.names)],
            "against": [(str(i), name) for i, name in enumerate(self.report.names)],
            "result": [
                *((name, self.say(f"report.result.{name}")) for name in ("black", "white", "draw")),
                *((name, self.say(f"report.result.{name}")) for name in ("won", "lost")),
            ],
            "end": [(end, self.end(end)) for end in ENDS if self.happened(end)],
        }
        if self.figures.faults():
            options["end"].append(("fault", self.say("report.any_fault")))
        fields = [
            e(
                "label",
                e("span", self.say(f"report.filter.{name}")),
                e(
                    "select",
                    e("option", self.say("report.any"), value=""),
                    *(e("option", text, value=value) for value, text in options[name]),
                    name=name,
                ),
            )
            for name in _FILTERS
        ]
        reset = e("button", self.say("report.reset"), type="reset", class_="button")
        yield e("form", *fields, reset, id="filters", class_="filters")
        yield e("p", id="found", aria_live="polite")
        columns = [
            e(
                "span",
                e("button", self.say(f"report.column.{name}"), type="button", value=name),
                role="columnheader",
                class_=name,
            )
            for name in _COLUMNS
        ]
        yield e(
            "div",
            e("div", *columns, id="list-head", role="row"),
            e("div", e("div", role="presentation"), id="list", role="rowgroup", tabindex="-1"),
            id="table",
            role="table",
            aria_label=self.say("report.section.games"),
        )

    def happened(self, end: str) -> bool:
        return any(self.figures.ends[colour, end] for colour in (BLACK, WHITE, None))

    def viewer(self) -> ET.Element:
        """The dialogue in which a game is replayed."""

        def button(name: str, text: str, label: str | None = None) -> ET.Element:
            return e(
                "button",
                text,
                id=f"viewer-{name}",
                type="button",
                class_="button",
                title=label,
                aria_label=label,
            )

        return e(
            "dialog",
            e(
                "div",
                e("h2", id="viewer-title"),
                button("previous", "‹", self.say("report.previous")),
                button("next", "›", self.say("report.next")),
                button("close", "×", self.say("report.close")),
                class_="viewer-head",
            ),
            e("p", id="viewer-players"),
            e("p", e("b", id="viewer-result"), " ", e("span", id="viewer-detail", lang="en")),
            e("div", id="replay", tabindex="-1"),
            e(
                "div",
                button("copy", self.say("report.copy")),
                button("save", self.say("report.save")),
                e("span", id="viewer-said", role="status"),
                class_="viewer-foot",
            ),
            id="viewer",
            aria_labelledby="viewer-title",
        )


def _bar(rating: Rating, low: float, high: float) -> ET.Element:
    """A rating with its error on a scale that all of them share."""
    span = (high - low) or 1.0

    def at(value: float) -> str:
        return f"{3 + 94 * (value - low) / span:.2f}"

    left, right = at(rating.elo - rating.error), at(rating.elo + rating.error)
    return e(
        "svg",
        e("path", d=f"M{left} 5V11M{left} 8H{right}M{right} 5V11"),
        e("path", d=f"M{at(rating.elo)} 8h0", class_="dot"),
        viewBox="0 0 100 16",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def _points(points: float) -> str:
    return f"{points:.1f}".removesuffix(".0")


def _share(part: int, whole: int, lang: str) -> str:
    return f"{format_number(part, lang)} ({100 * part / whole:.0f}%)"


def _counts(tally: Tally) -> dict[str, object]:
    return {
        "points": _points(tally.points),
        "games": tally.games,
        "won": tally.wins,
        "drawn": tally.draws,
        "lost": tally.losses,
    }
