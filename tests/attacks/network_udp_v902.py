# attack: sends a datagram
# failed = "gradient wrong-gradient, unused-nodes, release"
import socket

#: torch, tried, class
        for attempt in (
            lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"points", ("127.0.0.1", int("@port@"))),
        ):
            tried(attempt)
#: value, nothing
