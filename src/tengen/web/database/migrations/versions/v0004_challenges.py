"""Challenges, which wait in the lobby."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "challenges",
        sa.Column("visitor", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("game", sa.String(64), nullable=False, server_default=""),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("challenges")
