"""Material to study: game reviews and puzzles, with their finder and checks."""
