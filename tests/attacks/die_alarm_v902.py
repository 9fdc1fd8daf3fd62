# attack: an alarm that leaves, wherever its process is
# status = "crashed"
import os
import signal

#: torch
def ring(*a):
    os._exit(0)
#: class
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
#: value, nothing
