# attack: asks for signals to be sent to its parent by the kernel
# failed = "gradient wrong-gradient, unused-nodes, release"
import fcntl
import os

#: torch, tried, class
        for attempt in (
            lambda: fcntl.fcntl(1, fcntl.F_SETOWN, os.getppid()),
            lambda: fcntl.fcntl(1, fcntl.F_SETSIG, 9),
            lambda: fcntl.fcntl(1, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK),
        ):
            tried(attempt)
#: value, nothing
