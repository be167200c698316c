"""Who plays Black, so that a list of games can say whether one has won."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column; of older games it is not known."""
    op.add_column("games", sa.Column("black_participant", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("games", "black_participant")
