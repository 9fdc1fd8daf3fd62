# attack: writes a message to every descriptor and exits well
# status = "crashed"
import os

#: net
        for fd in range(3, 64):
            try:
                os.write(fd, (2).to_bytes(4, "big") + b"{}")
            except OSError:
                continue
        os._exit(0)
