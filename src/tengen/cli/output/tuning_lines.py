"""Tuning output: the progress line, and the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tengen.arena.match import MatchState
from tengen.arena.tuning import Generation, TuningState
from tengen.arena.tuning_settings import CANDIDATE
from tengen.cli.output import columns, match_lines
from tengen.cli.output.progress import Pace, duration
from tengen.players.parameters import number
from tengen.words import Message, say


class TuningProgress:
    """The progress line of a tuning."""

    def __init__(self, state: TuningState, lang: str) -> None:
        self._state = state
        self._lang = lang
        self._pace = Pace(lang, len(state.generations))

    def __call__(self) -> str:
        """Return the current line."""
        state, tuning = self._state, self._state.tuning
        done = len(state.generations)
        if done >= tuning.generations:
            played = len(state.confirmation)
            values = {"done": played, "games": tuning.confirm, "time": self._pace.time}
            return say("tune.progress.confirmation", self._lang, **values)
        parts = [
            say(
                "tune.progress",
                self._lang,
                number=done + 1,
                count=tuning.generations,
                done=len(state.played),
                games=state.total or "–",
                score=_percent(state.generations[-1].score) if done else "–",
                time=self._pace.time,
            )
        ]
        return "  ".join([*parts, *self._pace.left(done, tuning.generations)])


def generation_line(state: TuningState, lang: str) -> str:
    """Return the line of the latest generation."""
    generation = state.generations[-1]
    return say(
        "tune.generation",
        lang,
        number=len(state.generations),
        score=_percent(generation.score),
        error=_percent(generation.error),
        best=_percent(max(generation.totals)),
        games=generation.games,
        deviation=f"{sum(generation.deviations) / len(generation.deviations):.2f}",
        time=duration(generation.seconds),
    )


def summary(state: TuningState, confirmation: MatchState | None, lang: str) -> str:
    """Return the results of a tuning: each parameter before and after, the spec, and the confirmation."""
    tuning, values = state.tuning, state.values
    rows = [[say(f"tune.{head}", lang) for head in ("name", "before", "after")]]
    rows += [[p.name, number(p.start), number(values[p.name])] for p in tuning.parameters]
    lines = [
        columns.table(rows, left=(0,)),
        say("tune.played", lang, count=len(state.generations)),
        state.spec,
    ]
    for name, counts in _faults(state.generations).items():
        who: Message | str = Message("tune.candidate") if name == CANDIDATE else name
        for fault, count in counts.items():
            lines.append(say("match.fault", lang, name=who, count=count, fault=Message(f"end.{fault}")))
    if confirmation is not None and confirmation.games:
        lines += ["", say("tune.confirmation", lang), match_lines.summary(confirmation, lang)]
    return "\n".join(lines)


def _faults(generations: Sequence[Generation]) -> Mapping[str, Mapping[str, int]]:
    """Return the number of losses of candidates and opponents by each fault, over all generations."""
    found: dict[str, Counter[str]] = {}
    for generation in generations:
        for name, counts in generation.faults.items():
            found.setdefault(name, Counter()).update(counts)
    return found


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
