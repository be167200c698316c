"""The text of the Gomocup protocol, written and parsed.

Lines and commands, points, lists of stones, INFO values, answers, and the reports in MESSAGE lines, shared
by the players that run external programs and by Tengen's own protocol server.
"""
