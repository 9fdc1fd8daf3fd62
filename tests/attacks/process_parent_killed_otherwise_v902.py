# attack: signals its parent by tkill, queued signals and a pidfd
# failed = "gradient wrong-gradient, unused-nodes, release"
import ctypes
import os

#: torch, tried, class
        libc = ctypes.CDLL(None)
        parent = os.getppid()
        libc.sigqueue(parent, 9, 0)
        libc.tgkill(parent, parent, 9)
        libc.syscall(200, parent, 9)
        fd = libc.syscall(434, parent, 0)
        libc.syscall(424, fd, 9, 0, 0)
#: value, nothing
