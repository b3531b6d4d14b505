"""CUDA exercises without a GPU: the student's `.cu` file on the simulator, with the simulator's checker as evidence."""
