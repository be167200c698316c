"""The arena: who is stronger, and by how much."""
