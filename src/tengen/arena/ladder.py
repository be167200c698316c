"""The ladder: the Elo of each textbook idea, in one table."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tengen.arena.arena_error import ArenaError
from tengen.arena.rating import Ratings, rate
from tengen.arena.results import PlayedGame
from tengen.engine.board.playable import plays
from tengen.formats.files import check_writable, read_error, shown, write_whole
from tengen.game.points import BLACK, WHITE
from tengen.game.rules import Rules
from tengen.players.registry import ENTRIES
from tengen.players.spec import PlayerSpec
from tengen.words import say

ANCHOR = ("level:2", 1500.0)
"""The anchor of the Elo numbers: the casual player, in the middle of the field, has 1500."""

FIELD = (
    "random",
    "lines:o4",
    "lines",
    "lines:tuned",
    "shapes:o5easy",
    "shapes:o5",
    "shapes:o2",
    "shapes:tuned",
    "threats",
    # At its default of 4,000 playouts a game would take minutes.
    "mcts,playouts=500",
    "minimax,depth=1",
    "minimax,depth=3",
    "minimax",
    "level:1",
    "level:2",
    "level:3",
)
"""The players of the ladder, as a reader should meet them."""

ENGINES = (
    "level:4",
    "level:5",
    "level:6",
    "level:7",
    "level:8",
    "level:9",
    "level:10",
    "engine,nodes=1000",
    "engine,nodes=10000",
)
"""Those that join them where the engine plays; `level:10` is the engine with 200,000 nodes a move."""

BOUNDS = {"below": "≥", "above": "≤", "none": "?"}
"""The marks of ratings that the games bound on one side only."""

_SOLVABLE = 9
"""Points of the largest board that `lookup` has a table of."""

_BEGIN, _END = "<!-- ladder -->", "<!-- end of ladder -->"


@dataclass(frozen=True, slots=True)
class Rung:
    """One player's line of the table.

    Attributes:
        spec: the player.
        elo: its rating.
        error: half the width of its 95 % interval.
        bound: ``"≥"`` where the rating is only a lower bound, ``"≤"`` an upper one, else empty.
        milliseconds: the median time for a move.
    """

    spec: str
    elo: float
    error: float
    bound: str
    milliseconds: float


def field(rules: Rules) -> tuple[str, ...]:
    """The players of the ladder for these rules."""
    if rules.points <= _SOLVABLE:
        return ("lookup", *FIELD)
    return (*FIELD, *ENGINES) if plays(rules) else FIELD


def ladder(games: Iterable[PlayedGame]) -> list[Rung]:
    """The table, the strongest first."""
    played = list(games)
    names = {name for game in played for name in (game.black, game.white)}
    results = [(game.black, game.white, game.points) for game in played]
    ratings: Ratings = rate(results, anchor=ANCHOR if ANCHOR[0] in names else None)
    seconds: dict[str, list[float]] = defaultdict(list)
    for game in played:
        for colour in (BLACK, WHITE):
            seconds[game.name(colour)] += game.seconds(colour)
    return [
        Rung(
            rating.name,
            rating.elo,
            rating.error,
            BOUNDS.get(rating.bounded, ""),
            1000 * statistics.median(seconds[rating.name] or [0.0]),
        )
        for rating in ratings.players
    ]


def table(rungs: Iterable[Rung], lang: str) -> str:
    """The table in Markdown: a row for each idea, with its players in the order of the rungs."""
    ideas: dict[str, list[Rung]] = defaultdict(list)
    for rung in rungs:
        name = PlayerSpec.parse(rung.spec).name
        ideas[say(ENTRIES[name].summary, lang) if name in ENTRIES else ""].append(rung)
    heads = (say(f"ladder.{key}", lang) for key in ("idea", "players", "time"))
    lines = [f"| {' | '.join(heads)} |", "|---|---|---:|"]
    for idea, players in ideas.items():
        times = sorted({f"{rung.milliseconds:.1f}" for rung in players}, key=float)
        span = "–".join(dict.fromkeys((times[0], times[-1])))
        lines.append(f"| {idea} | {', '.join(map(_rated, players))} | {span} |")
    return "\n".join(lines)


def _rated(rung: Rung) -> str:
    """A player with its rating, such as ``minimax 2220 ± 149``."""
    if rung.bound:
        return f"`{rung.spec}` {rung.bound} {rung.elo:.0f}"
    return f"`{rung.spec}` {rung.elo:.0f} ± {rung.error:.0f}"


def check_page(path: str | Path) -> None:
    """Say now what would keep a table from being put into a page.

    Raises:
        ArenaError: the page has not both comments.
        FileError: it cannot be read, or could not be written.
    """
    _around_table(path)
    check_writable(path)


def write_table(path: str | Path, text: str) -> None:
    """Put the table where a page has the comments ``<!-- ladder -->`` and ``<!-- end of ladder -->``.

    Raises:
        ArenaError: the page has not both of them.
        FileError: it cannot be read or written.
    """
    before, after = _around_table(path)
    write_whole(path, f"{before}\n{text}\n\n{after}".encode())


def _around_table(path: str | Path) -> tuple[str, str]:
    """The text of a page before and after the table, the comments included."""
    try:
        page = Path(path).expanduser().read_text("utf-8")
    except (OSError, ValueError, RuntimeError) as error:
        raise read_error(path, error) from error
    found = re.findall(f"{re.escape(_BEGIN)}\n.*?{re.escape(_END)}", page, flags=re.DOTALL)
    if len(found) != 1:
        raise ArenaError("error.arena.page", file=shown(path), begin=_BEGIN, end=_END)
    before, after = page.split(found[0])
    return f"{before}{_BEGIN}\n", f"{_END}{after}"
