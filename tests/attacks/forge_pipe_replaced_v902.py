# attack: puts another descriptor in the place of the pipe
# status = "crashed"
import os

#: net
        a, b = os.pipe()
        for fd in range(3, 64):
            if fd not in (a, b):
                try:
                    os.fstat(fd)
                    os.dup2(1, fd)
                except OSError:
                    continue
#: value, nothing
