"""Needle: a small deep learning library on an array library whose kernels are yours to write."""

__version__ = "0.1.0"
