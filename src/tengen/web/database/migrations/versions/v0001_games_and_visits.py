"""Games, and who has visited them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    texts = ("session", "room", "rules", "size", "opening", "black", "white", "result", "reason")
    op.create_table(
        "games",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in texts),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.Column("owner", sa.Text, nullable=False, server_default=""),
        sa.Column("owned_until", sa.Double, nullable=False, server_default="0"),
    )
    op.create_table(
        "visits",
        sa.Column("visitor", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("participant", sa.Integer),
    )
    op.create_index("visits_by_game", "visits", ["game"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("visits")
    op.drop_table("games")
