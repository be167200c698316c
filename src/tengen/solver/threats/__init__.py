"""Wins by threats."""
