# attack: stops itself
# status = "timeout"
import os
import signal

#: torch, tried, class
        os.kill(os.getpid(), signal.SIGSTOP)
