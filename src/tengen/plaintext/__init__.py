"""Text as editors, shells and web pages leave it: cleaned, read from pipes, and wrapped for terminals."""
