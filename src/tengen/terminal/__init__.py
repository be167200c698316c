"""The terminal interface: games and puzzles, line by line or full screen."""
