# attack: takes the terminal away and types into it
# failed = "gradient wrong-gradient, unused-nodes, release"
import fcntl
import os
import termios

#: torch, tried, class
        for attempt in (
            lambda: fcntl.ioctl(0, termios.TIOCSTI, b'x'),
            lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            lambda: os.tcsetpgrp(0, os.getpid()),
        ):
            tried(attempt)
#: value, nothing
