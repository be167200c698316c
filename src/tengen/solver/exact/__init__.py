"""The exact search, for values of small games."""
