"""Reports of what has been learned, with pictures."""
