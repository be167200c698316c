"""Requests and messages on their way: sockets, limits, security, errors, cookies, settings; no feature."""
