"""Grades hand-written backpropagation in PyTorch. A pytest plugin; `backprop grade` starts it."""
