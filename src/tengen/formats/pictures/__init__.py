"""Pictures of boards: SVG, PNG and GIF."""
