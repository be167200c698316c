"""Files on the server: import, export and pictures."""
