"""The app as files for any static host."""
