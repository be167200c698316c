"""The server itself: start, settings, security, limits, logs, and code that the other parts share."""
