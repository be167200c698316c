"""Alembic's environment: runs the migrations on the connection in its configuration."""

from __future__ import annotations

from alembic import context

from tengen.web.database.tables import metadata


def run_steps() -> None:
    """Run the migrations in the present transaction of the connection."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        # SQLite changes a table by making a new one.
        render_as_batch=True,
    )
    with context.begin_transaction():
        context.run_migrations()


run_steps()
