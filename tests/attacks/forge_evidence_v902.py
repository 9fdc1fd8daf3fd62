# attack: sends evidence of its own without a recording, and exits well
# status = "crashed"
import os

import msgspec

#: torch, pipe, class
        run = {"fault": None, "result": [[1.0], [], "float32"], "gradients": [1.0, 1.0], "recording": None}
        body = msgspec.msgpack.encode({"type": "ran", "evidence": {"class_name": "Net", "pass_runs": [run] * 8,
                                                                   "forward_runs": [run] * 8}})
        os.write(number_of_pipe(), len(body).to_bytes(4, "big") + body)
        os._exit(0)
