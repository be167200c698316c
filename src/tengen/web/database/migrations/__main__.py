"""``python -m tengen.web.database.migrations "what changes"``: a new step to the tables of `tables`."""

from __future__ import annotations

import sys

import sqlalchemy as sql
from alembic import command
from alembic.script import ScriptDirectory

from tengen.web.database.connection import alembic_config


def main(message: str) -> None:
    """Write a file of a step into `versions`, to be read and completed by hand."""
    engine = sql.create_engine("sqlite://")
    with engine.begin() as connection:
        config = alembic_config(connection)
        command.upgrade(config, "head")
        latest = ScriptDirectory.from_config(config).get_current_head() or "0000"
        command.revision(config, message, autogenerate=True, rev_id=f"{int(latest) + 1:04}")
    engine.dispose()


if __name__ == "__main__":
    main(sys.argv[1])
