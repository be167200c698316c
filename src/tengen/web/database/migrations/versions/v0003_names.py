"""Names of visitors, and of the people in a game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table of visitors, and the columns of games."""
    op.create_table(
        "visitors",
        sa.Column("visitor", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
    )
    for name in ("black_name", "white_name"):
        op.add_column("games", sa.Column(name, sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Drop them."""
    with op.batch_alter_table("games") as games:
        games.drop_column("white_name")
        games.drop_column("black_name")
    op.drop_table("visitors")
