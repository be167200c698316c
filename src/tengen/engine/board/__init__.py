"""The board that the kernels work on."""
