# attack: a thread that writes once the true answer is out
# status = "crashed"
import os
import threading
import time

#: torch, pipe

def late():
    while True:
        time.sleep(0.0005)
        tried_to_write()

def tried_to_write():
    try:
        os.write(number_of_pipe(), b"\x00")
    except OSError:
        pass
#: class
        threading.Thread(target=late, daemon=True).start()
#: value, nothing
