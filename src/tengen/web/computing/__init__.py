"""What several features compute: searches, jobs and their costs, allowed players, positions in requests."""
