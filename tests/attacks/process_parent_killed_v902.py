# attack: kills its parent, its group and everybody
# failed = "gradient wrong-gradient, unused-nodes, release"
import os
import signal

#: torch, tried, class
        for attempt in (
            lambda: os.kill(os.getppid(), signal.SIGKILL),
            lambda: os.killpg(os.getpgid(os.getppid()), signal.SIGKILL),
            lambda: os.kill(-1, signal.SIGKILL),
            lambda: os.kill(os.getppid(), signal.SIGSTOP),
        ):
            tried(attempt)
#: value, nothing
