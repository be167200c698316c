"""The progress line of the generation of openings."""

from __future__ import annotations

from tengen.cli.output.progress import Pace
from tengen.words import say


class OpeningsProgress:
    """The progress line: shapes tried, openings kept, and the estimated time left.

    Attributes:
        tried: the number of judged shapes.
        kept: the number of openings among them.
    """

    def __init__(self, wanted: int, lang: str) -> None:
        self._wanted = wanted
        self._lang = lang
        self._pace = Pace(lang)
        self.tried = self.kept = 0

    def update(self, tried: int, kept: int) -> None:
        """Update the counts."""
        self.tried, self.kept = tried, kept

    def __call__(self) -> str:
        """Return the current line."""
        values = {"kept": self.kept, "wanted": self._wanted, "tried": self.tried}
        text = say("openings.progress", self._lang, **values, time=self._pace.time)
        return "  ".join([text, *self._pace.left(self.kept, self._wanted)])
