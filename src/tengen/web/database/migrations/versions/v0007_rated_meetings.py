"""Who has begun a rated game with whom within a day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "rated_meetings",
        sa.Column("one", sa.String(64), primary_key=True),
        sa.Column("other", sa.String(64), primary_key=True),
        sa.Column("begun", sa.Double, primary_key=True),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("rated_meetings")
