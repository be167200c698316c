"""What there is to study besides games of one's own: puzzles, and where they come from."""
