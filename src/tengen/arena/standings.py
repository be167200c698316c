"""The standings of a tournament: points, and Buchholz between equal points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class Standing:
    """The standing of one player.

    Attributes:
        points: 1 for a win, 1/2 for a draw, and the points for byes.
        wins: games won.
        draws: games drawn.
        losses: games lost.
        buchholz: the sum of the opponents' points.
        sonneborn_berger: the sum of the points of the opponents beaten, and half the points of those drawn
            with, game by game (FIDE Handbook C.07, *Tie-break regulations*).
    """

    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    buchholz: float = 0.0
    sonneborn_berger: float = 0.0

    def add(self, points: float) -> None:
        """Add a game, by the points of this player: 1, 0.5 or 0."""
        self.points += points
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0


def standings(
    players: int,
    games: Iterable[tuple[int, int, float]],
    opponents: Sequence[Iterable[int]],
    bye_points: Mapping[int, float],
) -> list[Standing]:
    """Return the standings of players, by their numbers.

    Args:
        players: the number of players.
        games: two players and the points of the first of them, 1, 0.5 or 0.
        opponents: by player, the opponents that count for Buchholz, each as often as it counts.
        bye_points: points for byes, by player.
    """
    table = [Standing(bye_points.get(player, 0.0)) for player in range(players)]
    played = list(games)
    for first, second, points in played:
        table[first].add(points)
        table[second].add(1 - points)
    for first, second, points in played:
        table[first].sonneborn_berger += points * table[second].points
        table[second].sonneborn_berger += (1 - points) * table[first].points
    for standing, met in zip(table, opponents, strict=True):
        standing.buchholz = sum(table[opponent].points for opponent in met)
    return table
