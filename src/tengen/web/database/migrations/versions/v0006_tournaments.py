"""Tournaments, and whose they are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
    )
    op.create_index("tournaments_by_change", "tournaments", ["updated"])
    op.create_table(
        "tournament_visitors",
        sa.Column("visitor", sa.String(64), primary_key=True),
        sa.Column(
            "tournament",
            sa.String(64),
            sa.ForeignKey("tournaments.id", ondelete="CASCADE"),
            primary_key=True,
        ),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("tournament_visitors")
    op.drop_table("tournaments")
