"""Measurements, reported and never asserted: ``make bench``, or ``python -m benchmarks NAME``."""
