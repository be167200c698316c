"""Training: self-play data, the models fitted to it, and a report of each."""
