"""Text as editors, shells and web pages leave it: cleaned, and read from pipes line by line."""
