"""Match output: the progress line, and the final figures."""

from __future__ import annotations

import math
from typing import Any

from tengen.arena.match import MatchState
from tengen.cli.output.progress import Pace
from tengen.words import Message, say


class MatchProgress:
    """The progress line of a match."""

    def __init__(self, standing: MatchState, lang: str) -> None:
        self._standing = standing
        self._lang = lang
        self._pace = Pace(lang, len(standing.games))

    def __call__(self) -> str:
        """Return the current line."""
        standing, tally = self._standing, self._standing.tally
        done = len(standing.games)
        values: dict[str, Any] = {
            "done": done,
            "games": standing.match.games,
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "elo": elo_text(tally.elo, tally.elo_error) if done else "–",
            "time": self._pace.time,
        }
        parts = [say("match.progress", self._lang, **values)]
        if standing.match.sprt is not None:
            low, high = standing.match.sprt.bounds
            parts.append(f"LLR {standing.llr():.2f} [{low:.2f}, {high:.2f}]")
        return "  ".join([*parts, *self._pace.left(done, standing.match.games)])


def summary(standing: MatchState, lang: str) -> str:
    """Return the result of a match: the usual figures of engine matches, and the faults of players."""
    match, tally = standing.match, standing.tally
    one, other = match.names
    rules = match.rules
    low = f"{one}  –  {other}   {rules.name} {rules.size_text}"
    lines = [
        low,
        say(
            "match.games",
            lang,
            games=tally.games,
            wins=tally.wins,
            draws=tally.draws,
            losses=tally.losses,
            points=f"{tally.wins + tally.draws / 2:g}",
            share=f"{100 * tally.score:.1f}" if tally.games else "–",
        ),
    ]
    if match.repeat:
        lines.append(say("match.pairs", lang, counts="  ".join(map(str, tally.pairs))))
    normalised = elo_text(tally.normalized_elo, tally.normalized_elo_error)
    lines.append(
        say(
            "match.elo",
            lang,
            elo=elo_text(tally.elo, tally.elo_error) if tally.games else "–",
            normalised=normalised,
            los=f"{100 * tally.los:.1f}" if tally.games else "–",
        )
    )
    if match.sprt is not None:
        low_bound, high_bound = match.sprt.bounds
        decision = standing.decision()
        verdict = Message(f"match.sprt.{decision}") if decision else Message("match.sprt.open")
        llr = f"{standing.llr():.2f} [{low_bound:.2f}, {high_bound:.2f}]"
        lines.append(say("match.sprt", lang, llr=llr, test=str(match.sprt), verdict=verdict))
    if standing.uncounted:
        lines.append(say("match.uncounted", lang, count=standing.uncounted))
    for name, counts in standing.faults().items():
        for fault, count in counts.items():
            lines.append(say("match.fault", lang, name=name, count=count, fault=Message(f"end.{fault}")))
    return "\n".join(lines)


def elo_text(elo: float | None, error: float | None) -> str:
    """Format an Elo difference with its 95 % error: ``+12.3 ± 8.1``; ``+∞`` if one side has all points."""
    if elo is None or math.isnan(elo):
        return "–"
    if math.isinf(elo):
        return "+∞" if elo > 0 else "-∞"
    text = f"{elo:+.1f}"
    return text if error is None or not math.isfinite(error) else f"{text} ± {error:.1f}"
