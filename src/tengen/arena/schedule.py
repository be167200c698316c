"""Pairings: round robin, gauntlet and Swiss."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

Pairing: TypeAlias = tuple[int, int]
"""Two players by their numbers; the first has Black in the first of their games."""


def round_robin(players: int, rounds: int = 1) -> list[Pairing]:
    """Return the pairings of a round robin, in which all players meet each other `rounds` times.

    The circle method: one player keeps its place, and the others rotate by one place after each row. In a
    row every player plays once, so that a tournament stopped in the middle is balanced; with an odd number
    of players, the opponent of the empty place has a bye. The rotating players alternate between first and
    second, so that no player is first more than once more often than second.

    Args:
        players: the number of players.
        rounds: the number of meetings of each pair.

    Returns:
        The pairings, row by row, each of half as many as there are players, rounded down.
    """
    places = ([-1] if players % 2 else []) + list(range(players))
    half = len(places) // 2
    once: list[Pairing] = []
    for row in range(len(places) - 1):
        pairs = zip(places[:half], reversed(places[half:]), strict=True)
        met = [pair if (place or row) % 2 == 0 else pair[::-1] for place, pair in enumerate(pairs)]
        once.extend(pair for pair in met if -1 not in pair)
        places = [places[0], places[-1], *places[1:-1]]
    return [pair if turn % 2 == 0 else pair[::-1] for turn in range(rounds) for pair in once]


def gauntlet(players: int, champions: int = 1, rounds: int = 1) -> list[Pairing]:
    """Return the pairings of a gauntlet: each of the first `champions` players meets all the others.

    Champions alternate between first and second, and with several champions the others do too.

    Args:
        players: the number of players.
        champions: the number of champions.
        rounds: the number of meetings of each pair.
    """
    once = [
        (champion, other) if (champion + other - champions) % 2 == 0 else (other, champion)
        for other in range(champions, players)
        for champion in range(champions)
    ]
    return [pair if turn % 2 == 0 else pair[::-1] for turn in range(rounds) for pair in once]


def swiss_round(
    points: Sequence[float],
    met: Mapping[Pairing, int],
    byes: Collection[int] = (),
) -> tuple[list[Pairing], int | None]:
    """Return the next round of a Swiss tournament: new opponents with about equal points.

    The round is a minimum-weight perfect matching (Edmonds' blossom algorithm, as in networkx). The cost of
    a pair is, in order of importance: a repeated meeting; the squared difference of points; the distance
    from the pairing of the upper half with the lower half of a group of equal points.

    Args:
        points: the points of each player, by number; equal points are ranked by number.
        met: the number of meetings of two players, the smaller number first.
        byes: the players that have had a bye; with an odd number, the last of the others has the next one.

    Returns:
        The pairings, the leaders' first, and the player with a bye, if any.
    """
    import networkx

    ranked = sorted(range(len(points)), key=lambda player: (-points[player], player))
    bye = None
    if len(ranked) % 2:
        eligible = [player for player in ranked if player not in byes] or ranked
        bye = eligible[-1]
        ranked.remove(bye)
    size = len(ranked)
    spread = max(points, default=0) - min(points, default=0)
    # Each cost outweighs all less important ones, summed over the whole round.
    points_cost = size * size + 1
    repeat_cost = points_cost * (spread * spread + 1) * size + 1
    graph: networkx.Graph[int] = networkx.Graph()
    for upper, first in enumerate(ranked):
        for lower in range(upper + 1, size):
            second = ranked[lower]
            group = sum(points[player] == points[first] for player in ranked)
            cost = (
                repeat_cost * met.get((min(first, second), max(first, second)), 0)
                + points_cost * (points[first] - points[second]) ** 2
                + abs((lower - upper) - max(group // 2, 1))
            )
            graph.add_edge(first, second, weight=-cost)
    rank = {player: number for number, player in enumerate(ranked)}
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs = [(a, b) if rank[a] < rank[b] else (b, a) for a, b in matching]
    return sorted(pairs, key=lambda pair: rank[pair[0]]), bye


def with_colours(pairs: Iterable[Pairing], before: Iterable[Pairing]) -> list[Pairing]:
    """Allocate the first seats of pairings, for meetings with an odd number of games.

    The first seat goes to the player with the larger surplus of second seats; if equal, to the player that
    had the second seat in the last round in which the seats of the two differed; otherwise the pairing
    stays. These are the colour rules of FIDE's Swiss system, in their order.

    Args:
        pairs: the pairings.
        before: the pairings of the earlier rounds, in order, with their seats.
    """
    seats: dict[int, list[int]] = defaultdict(list)
    for first, second in before:
        seats[first].append(1)
        seats[second].append(-1)
    return [
        (second, first) if _wants_first(seats[second], seats[first]) else (first, second)
        for first, second in pairs
    ]


def _wants_first(seats: Sequence[int], others: Sequence[int]) -> bool:
    """Return whether a player is due for the first seat rather than another.

    Args:
        seats: its own seats, round by round: 1 first, -1 second.
        others: the seats of the other player, round by round.
    """
    if sum(seats) != sum(others):
        return sum(seats) < sum(others)
    latest = zip(reversed(seats), reversed(others), strict=False)
    return next((mine < theirs for mine, theirs in latest if mine != theirs), False)
