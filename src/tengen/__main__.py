"""The programs as they are started: ``tengen``, which is ``python -m tengen`` too, and ``pbrain-tengen``.

Ctrl-C ends them quietly while they are still being imported, as it does later.
"""

from __future__ import annotations

import sys


def main(*before: str) -> int:
    """Run the command line with the words after the program's name.

    Args:
        before: words that come before those.

    Returns:
        The exit status; see `tengen.cli.entry.main`.
    """
    try:
        from tengen.cli import main

        return main([*before, *sys.argv[1:]])
    except KeyboardInterrupt:
        return 130


def pbrain() -> int:
    """The program ``pbrain-tengen``: speaks the protocol at once; its arguments are options of `engine`."""
    return main("engine")


if __name__ == "__main__":
    sys.exit(main())
