"""The engine: a compiled second implementation of the rules, and the search built on it."""
