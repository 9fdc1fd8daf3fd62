"""Grades hand-written backpropagation in PyTorch. A pytest plugin: `pytest --backprop PATHS`."""
