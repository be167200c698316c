"""What is fitted to games, the trainer, and the checkpoints of it."""
