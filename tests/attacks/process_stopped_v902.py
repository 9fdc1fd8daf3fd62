# attack: stops itself
# status = "crashed"
import os
import signal

#: torch, tried, class
        os.kill(os.getpid(), signal.SIGSTOP)
