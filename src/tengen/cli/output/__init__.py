"""How results look in a terminal: progress lines, tables and figures."""
