"""What is proven about a position."""
