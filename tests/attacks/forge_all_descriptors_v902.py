# attack: writes a message to every descriptor
# status = "crashed"
import os

#: net
        for fd in range(64):
            try:
                os.write(fd, b"\x00\x00\x00\x01\xc0")
            except OSError:
                continue
#: value, nothing
