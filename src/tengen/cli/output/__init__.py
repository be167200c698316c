"""Output in the terminal: progress lines, tables and figures."""
