"""The early end of a game: resignation and draws by the players' own scores, and a bound on its length."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.arena.results import End
from tengen.game.player import Score
from tengen.game.points import BLACK, WHITE, Colour, opponent
from tengen.game.score_units import WIN


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The conditions under which a game ends before the board says so. Scores are the players' own.

    Attributes:
        resign_moves: a player loses after so many moves of its own in a row at -`resign_score` or less; 0
            never.
        resign_score: in centi-units.
        resign_both: the opponent has to report as high a score for as many moves.
        draw_moves: the game is drawn after so many moves of each side in a row at `draw_score` or less,
            either way; 0 never.
        draw_score: in centi-units.
        draw_after: the number of moves on the board before which no game is drawn.
        most_moves: the number of moves at which a game is drawn; None never.
    """

    resign_moves: int = 0
    resign_score: int = 1000
    resign_both: bool = False
    draw_moves: int = 0
    draw_score: int = 10
    draw_after: int = 40
    most_moves: int | None = None

    def verdict(
        self, ply: int, scores: dict[Colour, list[Score | None]]
    ) -> tuple[End, Colour | None] | None:
        """Return how the game ends now, and the winner; None if it goes on.

        Args:
            ply: the number of moves on the board.
            scores: the scores that each side reported, move by move.
        """
        for loser in (BLACK, WHITE):
            lost = self._lost(scores[loser], -1)
            if lost and (not self.resign_both or self._lost(scores[opponent(loser)], 1)):
                return "resigned", opponent(loser)
        if self.draw_moves and ply >= self.draw_after and all(map(self._even, scores.values())):
            return "agreed", None
        if self.most_moves is not None and ply >= self.most_moves:
            return "agreed", None
        return None

    def _lost(self, reported: list[Score | None], sign: int) -> bool:
        """Return whether the latest scores are all low enough to resign, or, with `sign` 1, high enough."""
        latest = reported[-self.resign_moves :] if self.resign_moves else []
        return len(latest) == self.resign_moves > 0 and all(
            score is not None and sign * _value(score) >= self.resign_score for score in latest
        )

    def _even(self, reported: list[Score | None]) -> bool:
        latest = reported[-self.draw_moves :]
        return len(latest) == self.draw_moves and all(
            score is not None and abs(_value(score)) <= self.draw_score for score in latest
        )


NEVER = Adjudication()
"""Every game is played to its end."""


def _value(score: Score) -> int:
    """The value of a score on one scale with mates."""
    if score.mate is None:
        return score.value
    return WIN - score.mate if score.mate > 0 else -WIN - score.mate
