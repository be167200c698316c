"""The line shown while openings are made."""

from __future__ import annotations

from tengen.cli.output.progress import Pace
from tengen.words import say


class OpeningsProgress:
    """How many shapes have been tried, how many were kept, and how long it may take yet.

    Attributes:
        tried: shapes that have been judged.
        kept: openings among them.
    """

    def __init__(self, wanted: int, lang: str) -> None:
        self._wanted = wanted
        self._lang = lang
        self._pace = Pace(lang)
        self.tried = self.kept = 0

    def update(self, tried: int, kept: int) -> None:
        """Take the latest counts in."""
        self.tried, self.kept = tried, kept

    def __call__(self) -> str:
        """The line as it is now."""
        values = {"kept": self.kept, "wanted": self._wanted, "tried": self.tried}
        text = say("openings.progress", self._lang, **values, time=self._pace.time)
        return "  ".join([text, *self._pace.left(self.kept, self._wanted)])
