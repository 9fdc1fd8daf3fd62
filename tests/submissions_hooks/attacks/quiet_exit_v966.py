# attack: ends with success
# status = "crashed: crashed -"
import os

import torch


def pack_hook(x):
    os._exit(0)


def unpack_hook(x):
    return x
