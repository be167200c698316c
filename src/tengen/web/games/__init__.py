"""Games on the server: rooms, seats, computer players and storage."""
