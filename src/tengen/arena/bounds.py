"""Which ratings do the results of games bound, and which could grow without end?

In the model of `tengen.arena.rating` a game between Black b and White w is decided by three logarithms:
the difference of strengths with the advantage, ``D = a + x_b - x_w``, and the draw parameter d. Move all
of them along a straight line: x by y, a by alpha, d by eta/2. The likelihood of the results never falls
on the way, however far, exactly if

    Black won:   y_w - y_b <=  alpha - eta            drawn:   y_w - y_b <= eta + alpha
    White won:   y_b - y_w <= -alpha - eta                     y_b - y_w <= eta - alpha

(where nobody ever drew there is no d, and eta is 0; a draw makes eta at least 0). The likelihood has one
maximum if only the line that moves all players alike does so, and none or many otherwise. With alpha =
eta = 0 that is the condition of L. R. Ford (American Mathematical Monthly, 1957): whatever way the
players are split in two groups, somebody in the second must have beaten or held somebody in the first.

For given alpha and eta the inequalities bound differences, so they can be met if and only if the graph
with an edge for each of them has no negative cycle, and shortest paths say how far two players can be
moved apart (R. W. Floyd 1962, S. Warshall 1962). A negative cycle in turn is an inequality for alpha and
eta alone, that cuts a half plane off. Cutting goes on until the edges of what is left have no negative
cycle. All of this is done in whole numbers, so that nothing is a question of tolerance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Mask: TypeAlias = npt.NDArray[np.bool_]
    Whole: TypeAlias = npt.NDArray[np.int64]

Bounded: TypeAlias = Literal["both", "below", "above", "none"]
"""From which sides the results bound a number: "below" is that of a player who won all games."""

_Direction: TypeAlias = tuple[int, int]
"""Of alpha and eta; or of an inequality for them, whose product with a direction must not be negative."""

_FAR = 1 << 40
"""No path: more than any path is long."""

_LEVELS = 2
"""How often directions are added between those there are."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What results bound.

    Attributes:
        groups: for each player the number of its group, from 0. Within a group everybody is comparable to
            everybody else, as far as `advantage` and `draws` are known.
        players: from which sides each player is bounded, compared with the others it is compared with.
        advantage: from which sides the advantage of Black is bounded.
        draws: the same of the draw parameter, "both" where it is not asked for.
    """

    groups: tuple[int, ...]
    players: tuple[Bounded, ...]
    advantage: Bounded
    draws: Bounded

    @property
    def alone(self) -> bool:
        """Whether `advantage` and `draws` are bounded, so that at most the groups are open."""
        return self.advantage == self.draws == "both"


def bounds(won: Mask, drawn: Mask, lost: Mask, reference: int | None = None) -> Bounds:
    """Find out what results bound.

    Args:
        won: n times n, whether the player of the row as Black ever beat the player of the column.
        drawn: whether they ever drew, likewise.
        lost: whether the player of the row as Black ever lost, likewise.
        reference: the player that all others are compared with. None compares everybody with the largest
            group (the first of equal size), and with all players where no group has two.
    """
    import numpy as np

    has_draws = bool(drawn.any())
    unit = int(has_draws)
    edges = [
        (won, (1, -unit)),
        (lost.T, (-1, -unit)),
        (drawn, (1, unit)),
        (drawn.T, (-1, unit)),
    ]
    reached = _reached([mask for mask, _ in edges])
    mutual = reached & reached.T
    firsts = [int(row.argmax()) for row in mutual]
    numbers = {first: number for number, first in enumerate(dict.fromkeys(firsts))}
    largest = max(firsts, key=firsts.count, default=0)
    others = [i for i, first in enumerate(firsts) if first == largest or firsts.count(largest) == 1]
    if reference is not None:
        others = [reference]

    rays = _rays(edges, has_draws)
    higher: set[int] = set()
    lower: set[int] = set()
    for free in (~reached, *(_distances(edges, ray)[0] > 0 for ray in _between(rays))):
        higher.update(np.flatnonzero(free[others].any(axis=0)).tolist())
        lower.update(np.flatnonzero(free[:, others].any(axis=1)).tolist())
    return Bounds(
        tuple(numbers[first] for first in firsts),
        tuple(_sides(i in lower, i in higher) for i in range(len(won))),
        _sides(any(alpha < 0 for alpha, _ in rays), any(alpha > 0 for alpha, _ in rays)),
        _sides(any(eta < 0 for _, eta in rays), any(eta > 0 for _, eta in rays)),
    )


def _sides(lower: bool, higher: bool) -> Bounded:
    """How a number is bounded that may be made lower or higher without end."""
    if lower:
        return "none" if higher else "above"
    return "below" if higher else "both"


def _rays(edges: list[tuple[Mask, _Direction]], plane: bool) -> list[_Direction]:
    """Directions of which all that are open are sums; none, if alpha and eta are bounded.

    Args:
        edges: see `_distances`.
        plane: whether eta may be moved too.
    """
    cuts: list[_Direction] = []
    passed: set[_Direction] = set()
    while True:
        rays = [ray for ray in _corners(cuts, plane) if all(_product(cut, ray) >= 0 for cut in cuts)]
        for ray in rays:
            if ray not in passed:
                cut = _distances(edges, ray)[1]
                if cut is not None:
                    cuts.append(cut)
                    break
                passed.add(ray)
        else:
            return rays


def _between(rays: list[_Direction]) -> list[_Direction]:
    """The rays, and directions between them.

    A distance is a concave function of the direction: where two rays allow none, what lies between may.
    With results that bound neither alpha nor eta, and only then, there are so many directions between that
    these are but a sample.
    """
    found = list(rays)
    for _ in range(_LEVELS):
        sums = [(a + c, b + d) for (a, b), (c, d) in combinations(found, 2)]
        found = list(dict.fromkeys([*found, *(_shortened(ray) for ray in sums if any(ray))]))
    return found


def _shortened(ray: _Direction) -> _Direction:
    """The same direction in the smallest whole numbers."""
    divisor = math.gcd(*ray)
    return ray[0] // divisor, ray[1] // divisor


def _corners(cuts: list[_Direction], plane: bool) -> list[_Direction]:
    """Directions among which are those that generate what the cuts leave over."""
    if not (plane and cuts):
        return [(1, 0), (-1, 0), (0, 1), (0, -1)][: 4 if plane else 2]
    found = [ray for k, c in cuts for ray in ((-c, k), (c, -k), (k, c))]
    return list(dict.fromkeys(map(_shortened, found)))


def _product(cut: _Direction, ray: _Direction) -> int:
    return cut[0] * ray[0] + cut[1] * ray[1]


def _reached(masks: list[Mask]) -> Mask:
    """Whether a path leads from the player of the row to that of the column, over any number of edges."""
    import numpy as np

    reached = np.logical_or.reduce(masks) | np.eye(len(masks[0]), dtype=np.bool_)
    while True:
        steps = reached.astype(np.float32)
        further: Mask = steps @ steps > 0  # paths of twice the length
        if (further == reached).all():
            return further
        reached = further


def _distances(edges: list[tuple[Mask, _Direction]], ray: _Direction) -> tuple[Whole, _Direction | None]:
    """Shortest paths between all players, for one direction of alpha and eta.

    Args:
        edges: for each kind of inequality between which players it holds (from the row to the column), and
            how its length depends on alpha and eta.
        ray: alpha and eta.

    Returns:
        How far the player of the column may be moved above the player of the row, `_FAR` if without end;
        and what a negative cycle demands of alpha and eta, None if there is none.
    """
    import numpy as np

    n = len(edges[0][0])
    length = np.full((n, n), _FAR, np.int64)
    np.fill_diagonal(length, 0)
    parts = np.zeros((2, n, n), np.int64)  # how much of alpha and of eta each path holds
    for mask, part in edges:
        shorter = mask & (_product(part, ray) < length)
        length[shorter] = _product(part, ray)
        parts[:, shorter] = np.array(part)[:, None]
    for middle in range(n):
        if (length.diagonal() < 0).any():
            break
        way = length[:, middle, None] + length[middle]
        shorter = (length[:, middle, None] < _FAR) & (length[middle] < _FAR) & (way < length)
        length[shorter] = way[shorter]
        parts[:, shorter] = (parts[:, :, middle, None] + parts[:, None, middle, :])[:, shorter]
    negative = (length.diagonal() < 0).nonzero()[0]
    if len(negative):
        player = negative[0]
        return length, (int(parts[0, player, player]), int(parts[1, player, player]))
    return length, None
