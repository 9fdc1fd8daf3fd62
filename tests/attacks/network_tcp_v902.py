# attack: connects to a port of this machine
# failed = "gradient wrong-gradient, unused-nodes, release"
import socket

#: torch, tried, class
        for attempt in (
            lambda: socket.create_connection(("127.0.0.1", int("@port@")), 1).sendall(b"points"),
        ):
            tried(attempt)
#: value, nothing
