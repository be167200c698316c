"""Reports of the arena: pages, plots and the figures in them."""
