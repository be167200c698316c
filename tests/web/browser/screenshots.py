"""Screenshots of every page, in each window, theme and language, to be looked at: `make screenshots`.

They do not belong to the repository: `build/screenshots` has a folder for each view of a page, a contact
sheet of it, and `index.html` with all of the sheets. Names of views make only those:
``python -m tests.web.browser.screenshots start game``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Locator, expect

from tengen.study.puzzle_set import shipped
from tengen.words import LANGUAGES, Message, say
from tests.web.browser.pages import LYING, PHONE, WIDE, Visit, browsing
from tests.web.serving import Server, serve

FOLDER = Path(__file__).parents[3] / "build" / "screenshots"

WINDOWS = {"1280": WIDE, "844x390": LYING, "390": PHONE}
THEMES = ("light", "dark")

BLUNDERS = "/analyse?rules=freestyle&size=15&moves=h8i9i8h9g8a1o1j9a3g9#ply=9"
FOURS = "/analyse?rules=freestyle&size=15&moves=h8a1i8o1j8a15g9o15f10c3#ply=10"
RENJU = "/analyse?rules=renju&size=15&moves=f8i10g8j7h7e9h6g5#ply=8"

SETTLED = 400
"""Milliseconds after which nothing moves any more."""

LONG = 60_000
"""Milliseconds in which a review is over."""


@dataclass(frozen=True, slots=True)
class View:
    """A page in a state that is worth looking at.

    Attributes:
        name: of the view.
        path: of the page.
        prepare: leads the page there; told how to say a sentence of the catalogue.
        game: what was chosen for games before.
    """

    name: str
    path: str
    prepare: Callable[[Reader], None] = lambda _: None
    game: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who looks at a page.

    Attributes:
        visit: the page.
        lang: the language.
    """

    visit: Visit
    lang: str

    @property
    def page(self) -> Any:
        """The browser's page."""
        return self.visit.page

    def button(self, key: str, **values: Any) -> Locator:
        """A button by the sentence of the catalogue that is written on it."""
        return self.visit.button(say(Message(key, values), self.lang))

    def way(self, number: int) -> None:
        """Press one of the ways to play below the choices of the start page."""
        self.visit.sees(".levels label")
        self.page.locator(".way").nth(number).click()

    def tab(self, name: str) -> None:
        """Open a tab."""
        self.page.locator(f"#tab-{name}").click()

    def shows(self, moves: int) -> None:
        """Wait until a game has so many moves, whether the list of them can be seen or not."""
        expect(self.page.locator(".moves li")).to_have_count(moves)

    def play(self, *points: str) -> None:
        """Play against a computer, two taps a point where fingers are large."""
        for number, point in enumerate(points):
            self.visit.choose(point)
            if self.visit.touch:
                self.visit.sees(".board .frames rect")
                self.visit.choose(point)
            self.shows(2 * number + 2)


def levels(reader: Reader) -> None:
    reader.visit.sees(".levels label")


def playing(reader: Reader) -> None:
    reader.play("h8", "a1")


def premove(reader: Reader) -> None:
    for point, seen in (("h8", ".moves li"), ("j10", ".board .premove")):
        reader.visit.choose(point)
        if reader.visit.touch:
            reader.visit.sees(".board .frames rect")
            reader.visit.choose(point)
        expect(reader.page.locator(seen).first).to_be_attached()


def menu(reader: Reader) -> None:
    playing(reader)
    reader.page.locator("#act-more").click()


def why_in_game(reader: Reader) -> None:
    playing(reader)
    reader.tab("why")
    reader.visit.sees(".why-heaviest li")


def engine_in_game(reader: Reader) -> None:
    playing(reader)
    reader.tab("engine")


def setup(reader: Reader) -> None:
    reader.way(3)
    reader.visit.sees("dialog[open]")


def waiting(reader: Reader) -> None:
    reader.way(1)
    reader.page.locator("dialog[open] .button.main").click()
    reader.visit.sees(".room")


def result(reader: Reader) -> None:
    reader.way(0)
    reader.visit.sees(".table.game")
    for number, point in enumerate(("a1", "a3", "b1", "b3", "c1")):
        reader.visit.choose(point)
        reader.shows(number + 1)
    reader.visit.sees("dialog[open]")


def lobby(reader: Reader) -> None:
    for rules, colour in (("renju", "white"), ("caro", "random")):
        with httpx.Client(base_url=reader.page.url.removesuffix("/lobby")) as other:
            other.post("/api/challenges", json={"rules": rules, "colour": colour, "clock": "300+5"})
    reader.button("web.lobby.offer").click()
    reader.page.locator("dialog[open] .button.main").click()
    reader.visit.sees(".lobby-row.own")


def entries(reader: Reader) -> None:
    make_tournament(reader, start=False)
    reader.visit.sees(".tournament-entrants li")


def tournament(reader: Reader) -> None:
    make_tournament(reader, start=True)
    reader.visit.sees(".tournament-table")


def make_tournament(reader: Reader, *, start: bool) -> None:
    """A Swiss tournament of the reader, others and a computer, in its second round or before the first."""
    home = reader.page.url.removesuffix("/tournaments/new")
    ask = reader.visit.context.request
    wanted = {"name": "Sunday cup 周日杯", "kind": "swiss", "rounds": 3, "rules": "renju", "clock": "600"}
    made = ask.post(home + "/api/tournaments", data=wanted).json()
    path = f"/api/tournaments/{made['id']}"
    assert ask.post(f"{home}{path}/join", data={"name": "Mia"}).ok
    assert ask.post(f"{home}{path}/computers", data={"player": "shapes"}).ok
    others = [httpx.Client(base_url=home) for _ in range(3)]
    for other, name in zip(others, ("Finn", "王小明", "Alexandra the Great"), strict=True):
        assert other.post(f"{path}/join", json={"name": name}).is_success
    if start:
        begun = ask.post(f"{home}{path}/start").json()
        for other in others:
            own = other.get(path).json()
            for meeting in begun["played"][0]["meetings"]:
                if own["you"] == meeting["second"]:
                    game = f"/api/games/{meeting['game']}"
                    version = other.get(game).json()["version"]
                    other.post(f"{game}/actions", json={"type": "resign", "version": version})
    for other in others:
        other.close()
    reader.page.goto(f"{home}/tournaments/{made['id']}")


def watching(reader: Reader) -> None:
    reader.visit.sees(".levels label")
    reader.button("web.setup.start").click()
    reader.visit.sees(".table.game")
    expect(reader.page.locator(".moves li")).not_to_have_count(0)


def analysed(reader: Reader) -> None:
    expect(reader.page.locator(".facts")).not_to_be_empty()


def engine(reader: Reader) -> None:
    analysed(reader)
    reader.tab("engine")
    reader.page.locator("#panel-engine .button.main").first.click()
    expect(reader.page.locator("#panel-engine .best-line").first).to_be_attached()
    time.sleep(1)


def vcf(reader: Reader) -> None:
    analysed(reader)
    reader.tab("engine")
    reader.button("web.analyse.vcf_for", colour=Message("black")).click()
    expect(reader.page.locator(".vcf-answer .line-move").first).to_be_attached(timeout=LONG)


def defences(reader: Reader) -> None:
    analysed(reader)
    reader.tab("engine")
    reader.button("web.analyse.defences_for", colour=Message("black")).click()
    expect(reader.page.locator(".vcf-answer")).to_be_attached(timeout=LONG)


def review(reader: Reader) -> None:
    analysed(reader)
    reader.tab("review")
    reader.button("web.analyse.review_start").click()
    expect(reader.page.locator(".review-sum")).to_be_attached(timeout=LONG)
    expect(reader.page.locator("#panel-review").get_by_role("progressbar")).to_be_hidden(timeout=LONG)


def tab_of_analysis(name: str) -> Callable[[Reader], None]:
    def prepare(reader: Reader) -> None:
        analysed(reader)
        reader.tab(name)
        if name == "why":
            expect(reader.page.locator(".why-summary")).not_to_be_empty()

    return prepare


def games(reader: Reader) -> None:
    home = reader.page.url.removesuffix("/games")
    for black, white, rules in (
        ("human", "level:3", "freestyle"),
        ("human", "shapes", "renju"),
        ("human", "human", "tictactoe"),
    ):
        moves = "b2" if rules == "tictactoe" else "h8i9g7f6i8"
        wanted = {"rules": rules, "black": black, "white": white, "moves": moves}
        assert reader.visit.context.request.post(home + "/api/games", data=wanted).ok
    reader.page.reload()
    reader.visit.sees(".games-row")


def missing(reader: Reader) -> None:
    reader.visit.sees(".sorry h1")


def puzzle(reader: Reader) -> None:
    reader.visit.sees(".puzzle-question")


def solution(reader: Reader) -> None:
    puzzle(reader)
    reader.button("web.puzzles.show_solution").click()
    reader.visit.sees(".puzzle-actions .main")


CHAPTERS = ("lookup", "lines", "shapes", "minimax", "mcts", "threats", "levels", "engine", "network")

VIEWS = (
    View("start", "/", levels),
    View("start-unusual", "/", levels, {"opening": "swap2", "clock": "60", "takeBacks": 0}),
    View("setup", "/", setup),
    View("game", "/", playing, {"opponent": "shapes"}),
    View("premove", "/", premove, {"opponent": "minimax,depth=8,width=40"}),
    View("menu", "/", menu, {"opponent": "shapes"}),
    View("why-in-game", "/", why_in_game, {"opponent": "shapes"}),
    View("engine-in-game", "/", engine_in_game, {"opponent": "shapes"}),
    View("waiting", "/", waiting),
    View("result", "/", result, {"rules": "tictactoe", "size": [3, 3]}),
    View("lobby", "/lobby", lobby),
    View("tournaments", "/tournaments"),
    View("new-tournament", "/tournaments/new"),
    View("entries", "/tournaments/new", entries),
    View("tournament", "/tournaments/new", tournament),
    View("watch", "/watch", levels),
    View("watching", "/watch", watching, {"opponent": "shapes", "second": "level:2", "pace": 1}),
    View("analyse", RENJU, analysed),
    View("engine", BLUNDERS, engine),
    View("vcf", FOURS, vcf),
    View("defences", "/analyse?rules=renju&size=15&moves=h8i9h7g9h6#ply=5", defences),
    View("review", BLUNDERS, review),
    *(View(name, RENJU, tab_of_analysis(name)) for name in ("why", "files")),
    View("position", RENJU, tab_of_analysis("setup")),
    View("learn", "/learn"),
    *(View(f"learn-{name}", f"/learn/{name}") for name in (*CHAPTERS, "rules")),
    View("puzzle", "/puzzles", puzzle),
    View("puzzle-solved", f"/puzzles/{next(iter(shipped()))}", solution),
    View("games", "/games", games),
    View("privacy", "/privacy"),
    View("missing", "/g/nothing-of-the-kind", missing),
)


def taken(
    browser: Browser, server: Server, view: View, window: str, theme: str, lang: str, folder: Path = FOLDER
) -> Path:
    """A screenshot of a view; where it is."""
    small = window != "1280"
    options: dict[str, Any] = {
        "viewport": WINDOWS[window],
        "color_scheme": theme,
        "lang": lang,
        "has_touch": small,
        "is_mobile": small,
    }
    visit = Visit(browser, server.url, view.path, game=view.game, **options)
    try:
        view.prepare(Reader(visit, lang))
        visit.page.wait_for_timeout(SETTLED)
        path = folder / view.name / f"{window}-{theme}-{lang}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        visit.page.screenshot(path=path)
    finally:
        visit.context.close()
    return path


def sheet(browser: Browser, view: View) -> None:
    """One picture of all screenshots of a view: a row a window, a column a theme and language."""
    rows = ""
    for window in WINDOWS:
        names = (f"{window}-{theme}-{lang}" for theme, lang in product(THEMES, LANGUAGES))
        width = 300 if window == "390" else 620
        cells = (
            f'<td><img src="{(FOLDER / view.name / name).as_uri()}.png" width="{width}"><br>{name}'
            for name in names
        )
        rows += f"<tr>{''.join(cells)}"
    style = "body { margin: 8px; font: 12px sans-serif; background: #888 } td { vertical-align: top }"
    page = browser.new_page(viewport={"width": 2540, "height": 600})
    written = FOLDER / view.name / "sheet.html"
    written.write_text(f"<!doctype html><style>{style}</style><table>{rows}</table>", "utf-8")
    page.goto(written.as_uri())
    page.screenshot(path=FOLDER / f"{view.name}.png", full_page=True)
    page.close()
    written.unlink()


def main() -> int:
    names = sys.argv[1:] or [view.name for view in VIEWS]
    unknown = set(names) - {view.name for view in VIEWS}
    if unknown:
        print(f"no view {', '.join(sorted(unknown))}: expected some of", *(view.name for view in VIEWS))
        return 2
    with browsing() as browser, serve(warm_up=True) as server:
        for view in VIEWS:
            if view.name not in names:
                continue
            for window, theme, lang in product(WINDOWS, THEMES, LANGUAGES):
                taken(browser, server, view, window, theme, lang)
            sheet(browser, view)
            print(FOLDER / f"{view.name}.png", flush=True)
    sheets = sorted(FOLDER.glob("*.png"))
    images = (f'<h2>{path.stem}</h2><a href="{path.name}"><img src="{path.name}"></a>' for path in sheets)
    style = "img { max-width: 100% }"
    (FOLDER / "index.html").write_text(f"<!doctype html><style>{style}</style>{''.join(images)}", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
