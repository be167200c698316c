"""Pairings: round robin, gauntlet and Swiss."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

Pairing: TypeAlias = tuple[int, int]
"""Two players by their numbers; the first has Black in the first of their games."""


def round_robin(players: int, rounds: int = 1) -> list[Pairing]:
    """Everybody meets everybody, `rounds` times.

    The circle method: one place stays, the others move on by one; everybody plays once in each row
    before any player plays again, so that a tournament stopped in the middle is balanced. With an odd
    number of players the one that meets the empty place sits out. Players that move on are first and
    second in turn, so that no player is first more than once oftener than second.

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
        once.extend((one, other) for one, other in met if -1 not in (one, other))
        places = [places[0], places[-1], *places[1:-1]]
    return [pair if turn % 2 == 0 else pair[::-1] for turn in range(rounds) for pair in once]


def gauntlet(players: int, champions: int = 1, rounds: int = 1) -> list[Pairing]:
    """The first `champions` players meet all the others, `rounds` times, and no others meet.

    Each of them is first and second in turn, and so are the others where there are several champions.

    Args:
        players: the number of players.
        champions: the number of players that run the gauntlet.
        rounds: the number of meetings of each pair.
    """
    once = [
        (one, other) if (one + other - champions) % 2 == 0 else (other, one)
        for other in range(champions, players)
        for one in range(champions)
    ]
    return [pair if turn % 2 == 0 else pair[::-1] for turn in range(rounds) for pair in once]


def swiss_round(
    points: Sequence[float],
    met: Mapping[Pairing, int],
    byes: Collection[int] = (),
) -> tuple[list[Pairing], int | None]:
    """The next round of a Swiss tournament: opponents with as many points, whom one has not met yet.

    A minimum-weight perfect matching (Edmonds' blossom algorithm, as in networkx): meeting again costs
    most, then the squared difference of points, then being neighbours within a group of equal points, so
    that its upper half meets its lower half.

    Args:
        points: of each player, by number; equal points are ranked by number.
        met: the number of meetings of two players, the smaller number first.
        byes: the players that have sat out; with an odd number of players the last of the others does.

    Returns:
        The pairings, the leaders' first, and who sits out.
    """
    import networkx

    ranked = sorted(range(len(points)), key=lambda player: (-points[player], player))
    bye = None
    if len(ranked) % 2:
        rested = [player for player in ranked if player not in byes] or ranked
        bye = rested[-1]
        ranked.remove(bye)
    size = len(ranked)
    spread = max(points, default=0) - min(points, default=0)
    # Each kind of cost outweighs all that is below it, summed over the whole round.
    step = size * size + 1
    again = step * (spread * spread + 1) * size + 1
    graph: networkx.Graph[int] = networkx.Graph()
    for upper, one in enumerate(ranked):
        for lower in range(upper + 1, size):
            other = ranked[lower]
            group = sum(points[player] == points[one] for player in ranked)
            apart = abs((lower - upper) - max(group // 2, 1))
            cost = (
                again * met.get((min(one, other), max(one, other)), 0)
                + step * (points[one] - points[other]) ** 2
                + apart
            )
            graph.add_edge(one, other, weight=-cost)
    place = {player: rank for rank, player in enumerate(ranked)}
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs = [(one, other) if place[one] < place[other] else (other, one) for one, other in matched]
    return sorted(pairs, key=lambda pair: place[pair[0]]), bye


def with_colours(pairs: Iterable[Pairing], before: Iterable[Pairing]) -> list[Pairing]:
    """Allocate the first seats of pairings: for meetings of an odd number of games.

    The first seat goes to the player with the larger surplus of second seats; if these are equal, to the
    one that had the second seat in the last round in which the seats of the two differed; else to the one
    that has it already. These are the rules of FIDE's Swiss system for colours, in their order.

    Args:
        pairs: the pairings.
        before: the pairings of the former rounds, in order, with their seats.
    """
    seats: dict[int, list[int]] = defaultdict(list)
    for first, second in before:
        seats[first].append(1)
        seats[second].append(-1)
    return [
        (other, one) if _wants_first(seats[other], seats[one]) else (one, other) for one, other in pairs
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
