"""The text of the Gomocup protocol, both directions: what is written here is read here.

Below the players that run programs and the protocol that Tengen speaks itself, so that both say the same:
lines and commands, points, lists of stones, INFO values, answers, and the reports in MESSAGE lines.
"""
