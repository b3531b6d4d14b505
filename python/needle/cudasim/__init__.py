"""Runs CUDA files without a GPU: translates them to plain C++, compiles them and checks what they do."""
