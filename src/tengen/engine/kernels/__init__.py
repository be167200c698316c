"""How the kernels are compiled, and where the results are kept."""
