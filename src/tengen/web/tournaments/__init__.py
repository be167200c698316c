"""Tournaments among people who have a link: entered, paired, played and told as they go on."""
