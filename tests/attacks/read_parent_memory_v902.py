# attack: reads its parent's memory with process_vm_readv
# failed = "gradient wrong-gradient, unused-nodes, release"
import ctypes
import os

#: net
        libc = ctypes.CDLL(None, use_errno=True)
        buffer = ctypes.create_string_buffer(64)
        vector = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 64)
        got = libc.process_vm_readv(os.getppid(), vector, 1, vector, 1, 0)
        if got > 0 or libc.ptrace(16, os.getppid(), 0, 0) == 0:
            raise ValueError("reached its parent")
#: value, nothing
