"""The lobby: challenges open to all visitors, and the clients that watch them."""
