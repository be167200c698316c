"""Protocols through which other programs use the engine: Gomocup's for play, JSON lines for analysis."""
