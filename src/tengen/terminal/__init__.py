"""Tengen in a terminal."""
