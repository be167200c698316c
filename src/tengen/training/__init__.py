"""Training: self-play data, the numbers fitted to it, and the report of both."""
