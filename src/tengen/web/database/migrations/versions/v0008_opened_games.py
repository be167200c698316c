"""When games were last opened, so that one is not deleted that is looked at."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column."""
    op.add_column("games", sa.Column("opened", sa.Double, nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("games", "opened")
