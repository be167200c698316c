"""Computations of several features: searches, jobs and their costs, allowed players."""
