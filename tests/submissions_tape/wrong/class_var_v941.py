# verdict:
# status = "unreadable: no-class -"
# why = "another name for the class"
import torch

gradient_tape = []


class Var:
    def __init__(self, value):
        self.value = value


def reset_tape():
    gradient_tape.clear()


def grad(L, desired_results):
    return [None for _ in desired_results]
