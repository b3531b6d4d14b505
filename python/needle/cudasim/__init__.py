"""Runs CUDA files without a GPU: translates them to plain C++, compiles them, and drives the simulator (`python -m needle.cudasim`)."""
