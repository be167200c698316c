"""Who chooses a move: one idea a file, and a registry that makes players from their specs."""
