# verdict:
# status = "unreadable: signature 6"
import torch


def pack_hook():
    return None


def unpack_hook():
    return None
