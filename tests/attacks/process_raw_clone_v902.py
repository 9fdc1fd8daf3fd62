# attack: makes the clone and clone3 system calls by their numbers
# failed = "gradient wrong-gradient, unused-nodes, release"
import ctypes
import platform
import time

#: torch, tried, class
        libc = ctypes.CDLL(None)
        if platform.machine() == 'x86_64':
            for number, flags in ((56, 17), (57, 0), (58, 0), (435, 0)):
                if libc.syscall(number, flags, 0, 0, 0, 0) == 0:
                    time.sleep(600)
#: value, nothing
