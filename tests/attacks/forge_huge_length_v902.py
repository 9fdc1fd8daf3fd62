# attack: announces four gigabytes and exits
# status = "crashed"
import os

#: torch, pipe, class
        os.write(number_of_pipe(), b"\xff\xff\xff\xff")
        os._exit(0)
