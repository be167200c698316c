"""Games that are played on the server: rooms, seats, players that think, and where games are kept."""
