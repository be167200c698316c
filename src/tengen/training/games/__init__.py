"""Games to learn from: self-play, their file, and positions as each model is fitted to them."""
