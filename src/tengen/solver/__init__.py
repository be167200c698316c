"""Solvers: proofs of wins by threats, exact values of small games, and proof files."""
