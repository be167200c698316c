"""The standings of a tournament: points, and Buchholz between equal points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class Standing:
    """The standing of one player.

    Attributes:
        points: a win 1, a draw 1/2, and what the player got for sitting out.
        wins: games won.
        draws: games drawn.
        losses: games lost.
        buchholz: the points of all opponents: who had the harder ones.
        sonneborn_berger: the points of those whom the player has beaten, and half those of whom it has
            drawn with, game by game (FIDE Handbook C.07, *Tie-break regulations*).
    """

    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    buchholz: float = 0.0
    sonneborn_berger: float = 0.0

    def add(self, points: float) -> None:
        """Take a game in, by the points of this player: 1, 0.5 or 0."""
        self.points += points
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0


def standings(
    players: int,
    games: Iterable[tuple[int, int, float]],
    opponents: Sequence[Iterable[int]],
    rested: Mapping[int, float],
) -> list[Standing]:
    """Return the standings of players, by their numbers.

    Args:
        players: the number of players.
        games: two players and the points of the first of them, 1, 0.5 or 0.
        opponents: by player, the opponents of its Buchholz, each as often as it counts.
        rested: points for sitting out, by player.
    """
    found = [Standing(rested.get(player, 0.0)) for player in range(players)]
    played = [(one, other, points) for one, other, points in games]
    for one, other, points in played:
        found[one].add(points)
        found[other].add(1 - points)
    for one, other, points in played:
        found[one].sonneborn_berger += points * found[other].points
        found[other].sonneborn_berger += (1 - points) * found[one].points
    for standing, met in zip(found, opponents, strict=True):
        standing.buchholz = sum(found[other].points for other in met)
    return found
