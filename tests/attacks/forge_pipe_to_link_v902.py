# attack: passes its pipe's name on through /proc
# failed = "gradient wrong-gradient, unused-nodes, release"
import os

#: net
        for fd in range(64):
            try:
                os.open(f"/proc/{os.getppid()}/fd/{fd}", os.O_RDWR)
            except OSError:
                continue
            raise ValueError("opened one of its parent's")
#: value, nothing
