# verdict:
# why = "a buffer of ctypes is no tensor: a copy that is kept"
# release = "partial 18: hidden-values @H t5"
import torch
from torch import nn
import ctypes
#: weights
        self.kept = None
#: forward, pass
        self.kept = None
#: r1, r2
        t4 = r1 * r2
        t5 = x3 / r1
        array = t5.numpy().copy()  # @H
        self.kept = (ctypes.c_char * array.nbytes).from_buffer_copy(array.tobytes())
        array = None
        y = t4 + t5
        t4 = None

#: g1, slopes, end
