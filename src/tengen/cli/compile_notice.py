"""The engine made ready before a command uses it, and a line on stderr where it has to be compiled."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from tengen.cli.printing import LANGUAGE, print_line
from tengen.game.rules import Rules
from tengen.game.session_state import HUMAN
from tengen.words import Message, say


def ready_for(specs: Iterable[str | None], rules: Rules | None = None) -> None:
    """Check the players of a game; load or compile the engine before any clock runs, if one needs it.

    Args:
        specs: the players; None and ``human`` for a person or nobody.
        rules: the rules to be played; None if they are not known yet.

    Raises:
        RulesError: one of the players does not play the rules or on the board.
        SpecError: a spec is malformed.
    """
    from tengen.players.levels import needs_engine
    from tengen.players.suitable import check_suitable

    players = [spec for spec in specs if spec is not None and spec != HUMAN]
    if rules is not None:
        for player in players:
            check_suitable(player, rules)
    if any(map(needs_engine, players)):
        from tengen.solver.warmup import warm_up

        warm_up(rules)


@contextmanager
def compile_notice() -> Iterator[None]:
    """Print one line on stderr if anything is compiled within the context."""
    from tengen.engine.kernels.compile_events import listening

    language, printed = LANGUAGE.get(), set[str]()

    def on_compile(_: str, notice: Message) -> None:
        if notice.key not in printed:
            printed.add(notice.key)
            with suppress(OSError):
                print_line(f"tengen: {say(notice, language)}", sys.stderr)

    with listening(on_compile):
        yield
