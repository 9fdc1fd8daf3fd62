# attack: it stops, as the grader has it stop
# status = "crashed: crashed -"
import os
import signal

import torch


def pack_hook(x):
    os.kill(os.getpid(), signal.SIGSTOP)
    return x


def unpack_hook(x):
    return x
