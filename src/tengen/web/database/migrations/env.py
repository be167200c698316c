"""What Alembic runs for each of its commands, on the connection that it was given."""

from __future__ import annotations

from alembic import context

from tengen.web.database.tables import metadata


def run_steps() -> None:
    """Run them in the transaction that the connection is in."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        # SQLite changes a table by making a new one.
        render_as_batch=True,
    )
    with context.begin_transaction():
        context.run_migrations()


run_steps()
