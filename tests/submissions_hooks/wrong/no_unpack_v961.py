# verdict:
# status = "unreadable: no-function -"
import torch


def pack_hook(x):
    return x
