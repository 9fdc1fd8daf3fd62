# verdict:
# status = "unreadable: syntax-error 5"
# why = "does not parse"
import torch

def grad(L, desired_results)
    return []
