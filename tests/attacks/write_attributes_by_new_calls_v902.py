# attack: sets attributes by a system call that libseccomp has no name for, and flags of a file that it may read
# failed = "gradient wrong-gradient, unused-nodes, release"
import ctypes
import fcntl
import os

#: torch, tried, class
        libc = ctypes.CDLL(None)
        value = ctypes.create_string_buffer(b"1")
        pair = (ctypes.c_ulong * 2)(ctypes.addressof(value), 1)
        for name in (b"@class@", b"@class@/neighbour_a_right_v902.py"):
            libc.syscall(463, -100, name, 0, b"user.x", pair, ctypes.c_long(16))
        with open(os.__file__) as library:
            tried(lambda: fcntl.ioctl(library, 0x40086602, fcntl.ioctl(library, 0x80086601, bytes(8))))
#: value, nothing
