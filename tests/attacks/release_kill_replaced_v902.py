# attack: keeps NumPy copies, and replaces os.kill so that nothing stops
# release = "partial 14: hidden-values @A c"
import os
import signal

#: torch
kept = []

os.kill = lambda *args: None
signal.SIGSTOP = 0
#: class, values
        kept.append(c.numpy().copy())  # @A
        c = None
        dw0 = b * x1
        kept.append(b.numpy().copy())
        b = None
        dw1 = a * x2
        kept.append(a.numpy().copy())
        a = None
#: end
