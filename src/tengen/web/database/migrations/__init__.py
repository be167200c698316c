"""How the tables have become what they are: Alembic's environment, and one file a step in `versions`."""
