# attack: makes the socket system call by its number, through ctypes
# failed = "gradient wrong-gradient, unused-nodes, release"
import ctypes
import platform
import socket
import struct

#: torch, tried, class
        libc = ctypes.CDLL(None)
        fd = libc.syscall({"x86_64": 41, "aarch64": 198}.get(platform.machine(), 41), 2, 1, 0)
        if fd >= 0:
            address = struct.pack("=HH4s8x", 2, socket.htons(int("@port@")), bytes([127, 0, 0, 1]))
            libc.connect(fd, address, len(address))
#: value, nothing
