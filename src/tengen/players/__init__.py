"""Players: one idea a file, and a registry that makes players from their specs."""
