# attack: leaves shared memory behind
# failed = "gradient wrong-gradient, unused-nodes, release"
import ctypes
from multiprocessing import shared_memory

#: torch, tried, class
        for attempt in (
            lambda: shared_memory.SharedMemory("backprop-attack", create=True, size=4096),
            lambda: open("/dev/shm/backprop-attack", "w"),
            lambda: ctypes.CDLL(None).shm_open(b"/backprop-attack", 66, 0o600),
        ):
            tried(attempt)
#: value, nothing
