"""Compilation of the kernels, and the cache of their machine code."""
