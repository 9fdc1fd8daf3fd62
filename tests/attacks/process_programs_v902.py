# attack: starts programs in every way
# failed = "gradient wrong-gradient, unused-nodes, release"
import ctypes
import os
import subprocess

#: torch, tried, class
        for attempt in (
            lambda: subprocess.Popen(["sleep", "600"], start_new_session=True),
            lambda: os.system("sleep 600 &"),
            lambda: os.posix_spawn("/bin/sleep", ["sleep", "600"], {}),
            lambda: os.popen("sleep 600"),
            lambda: os.execv("/bin/sleep", ["sleep", "600"]),
            lambda: ctypes.CDLL(None).system(b"sleep 600 &"),
        ):
            tried(attempt)
#: value, nothing
