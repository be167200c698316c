"""An index of games by their last change, for those that nobody touches any more."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the index."""
    op.create_index("games_by_change", "games", ["updated"])


def downgrade() -> None:
    """Drop the index."""
    op.drop_index("games_by_change", "games")
