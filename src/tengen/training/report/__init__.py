"""Reports of trained models, with pictures."""
