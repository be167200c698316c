"""Searches for wins by threats."""
