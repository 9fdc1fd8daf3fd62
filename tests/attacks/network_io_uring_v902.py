# attack: asks for an io_uring, which connects without system calls of its own
# failed = "gradient wrong-gradient, unused-nodes, release"
import ctypes

#: torch, tried, class
        if ctypes.CDLL(None).syscall(425, 4, ctypes.create_string_buffer(120)) >= 0:
            raise ValueError('a ring')
#: value, nothing
