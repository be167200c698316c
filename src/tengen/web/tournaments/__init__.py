"""Tournaments on the server, open to visitors who have the link."""
