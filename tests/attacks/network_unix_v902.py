# attack: connects to a unix socket
# failed = "gradient wrong-gradient, unused-nodes, release"
import socket

#: torch, tried, class
        link = None
        for attempt in (
            lambda: socket.socket(socket.AF_UNIX).connect("@socket@"),
        ):
            tried(attempt)
#: value, nothing
