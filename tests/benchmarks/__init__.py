"""Measurements, run by `python -m tests.benchmarks`."""
