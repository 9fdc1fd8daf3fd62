# attack: says that it could not be loaded, with a text of its own
# status = "unreadable: problem"
import os

import msgspec

#: torch, pipe, class
        body = msgspec.msgpack.encode({"type": "problem", "kind": "x" * 9000, "message": "\x1b[31m" * 9000,
                                       "way_out": "100 points", "span": [0, 10**9, -5, 3, 3]})
        os.write(number_of_pipe(), len(body).to_bytes(4, "big") + body)
        os._exit(0)
