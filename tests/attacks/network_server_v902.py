# attack: listens on a port
# failed = "gradient wrong-gradient, unused-nodes, release"
import socket

#: torch, tried, class
        for attempt in (
            lambda: socket.create_server(("127.0.0.1", 0)).accept(),
        ):
            tried(attempt)
#: value, nothing
