# verdict:
# status = "unreadable: no-function -"
import torch


def pack(x):
    return x


def unpack(x):
    return x
