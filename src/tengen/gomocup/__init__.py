"""The words of the Gomocup protocol, both directions: lines, points, stones, settings and messages."""
