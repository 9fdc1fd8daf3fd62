# attack: has its parent run when nothing else does, and its group last
# failed = "gradient wrong-gradient, unused-nodes, release"
import ctypes
import os

#: torch, tried, class
        libc = ctypes.CDLL(None)
        tried(lambda: os.sched_setscheduler(os.getppid(), os.SCHED_IDLE, os.sched_param(0)))
        tried(lambda: os.setpriority(os.PRIO_PGRP, 0, 19))
        libc.syscall(251, 1, os.getppid(), 3 << 13)
#: value, nothing
