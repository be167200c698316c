"""Many boards at once under any rules, on kernels."""
