"""Protocols for other programs: Gomocup's for play, JSON lines for analysis."""
