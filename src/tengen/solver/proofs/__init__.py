"""Proofs: written, read and checked."""
