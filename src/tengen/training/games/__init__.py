"""Training games: self-play, the file format of games, and positions as the input of each model."""
