# attack: writes at exit
# failed = "gradient wrong-gradient, unused-nodes, release"
import atexit
import os

#: torch, pipe, class
        atexit.register(lambda: os.write(number_of_pipe(), b'\x00\x00\x00\x01\xc0'))
#: value, nothing
