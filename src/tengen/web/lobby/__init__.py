"""The lobby: challenges that visitors offer to anybody, and the clients that watch them."""
