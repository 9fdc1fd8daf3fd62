# attack: answers without end
# status = "crashed"
import os

#: torch, pipe, class
        while True:
            os.write(number_of_pipe(), b"\x00" * 65536)
