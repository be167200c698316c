"""The static evaluation: point classes, networks, policy."""
