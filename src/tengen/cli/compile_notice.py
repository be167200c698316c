"""The engine made ready before a command uses it, and a line on stderr where it has to be compiled."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from tengen.cli.printing import LANGUAGE, print_line
from tengen.game.rules import Rules
from tengen.words import Message, say


def ready_for(specs: Iterable[str | None], rules: Rules | None = None) -> None:
    """Load or compile the engine before any clock runs, if one of these players needs it.

    Args:
        specs: the players; None for nobody.
        rules: the rules to be played; freestyle if None.

    Raises:
        RulesError: the engine does not support the rules or the board.
    """
    from tengen.players.levels import needs_engine

    if any(spec is not None and needs_engine(spec) for spec in specs):
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
