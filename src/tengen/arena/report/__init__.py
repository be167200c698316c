"""What the arena shows: pages, plots and the figures in them."""
