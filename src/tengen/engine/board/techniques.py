"""The techniques of the search that can be left out, to see what each of them brings.

``engine,without=lmp+lmr`` plays without two of them; `docs/strength.md` says what each is worth.
"""

from __future__ import annotations

from enum import IntFlag

from tengen.game.errors import TengenError
from tengen.game.notation import shorten


class Technique(IntFlag):
    """A part of the search; each is described where it is used, in `tengen.engine.search.alpha_beta`."""

    NONE = 0
    """Nothing."""
    LMR = 1
    """Late-move reductions: late moves are searched less deep at first."""
    LMP = 2
    """Late-move pruning: late quiet moves are left out close to the leaves."""
    REVERSE = 4
    """Reverse futility: a node is left close to the leaves where the static score is far above beta."""
    SINGULAR = 8
    """Singular extensions: a move that is far better than all others is searched deeper."""
    VCF = 16
    """The search for a win by fours inside the tree."""
    VCT = 32
    """The search for a win by fours and open threes before the search itself."""
    HISTORY = 64
    """Moves are ordered by what they were worth elsewhere as well: history, killers, counter-moves."""
    IIR = 128
    """Internal iterative reduction: less deep where the table knows no move."""
    ASPIRATION = 256
    """A narrow window around the score of the depth before."""
    REPLIES = 512
    """Replies to an open three are searched at the leaves."""
    RAZORING = 1024
    """A node is left close to the leaves where the static score is far below alpha."""
    BRIEF = 2048
    """Close to the leaves, fours that make and stop nothing else are no replies to an open three."""
    ERRORS = 4096
    """Correction history: what the static score was off by elsewhere, with the same threats, is added."""
    CONTEXTS = 8192
    """Moves are ordered by where they lie from the last two as well, and by what they make and stop."""
    FOULS = 16384
    """A four of White's that Black could answer only by a foul counts as an open four does."""
    POLICY = 32768
    """Moves are ordered by the policy, too, where there is one; see `tengen.engine.evaluation.policy`."""


def named(text: str) -> Technique:
    """The techniques that names joined by ``+`` stand for; none for the empty text.

    Raises:
        TengenError: no technique has such a name.
    """
    chosen = Technique.NONE
    for name in text.lower().split("+") if text else ():
        if name.upper() not in Technique.__members__ or name.lower() == "none":
            known = tuple(member.lower() for member in Technique.__members__ if member != "NONE")
            raise TengenError("error.engine.technique", name=shorten(name), names=known)
        chosen |= Technique[name.upper()]
    return chosen
