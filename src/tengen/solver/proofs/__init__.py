"""Proof files: construction, format and verification."""
