"""Study on the server: positions, analysis, reviews and explanations."""
