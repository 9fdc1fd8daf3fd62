# verdict:
# status = "unreadable: signature 6"
import torch


def pack_hook(x, threshold):
    return x


def unpack_hook(x):
    return x
