# attack: an answer nested a hundred thousand deep
# status = "crashed"
import os

#: torch, pipe, class
        body = b"\x91" * 100000 + b"\xc0"
        os.write(number_of_pipe(), len(body).to_bytes(4, "big") + body)
        os._exit(0)
