"""The server itself: start, settings, security, limits, logs, and what its parts share."""
