# attack: keeps NumPy copies, and stops itself where it is measured before it keeps any
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
import os
import signal

#: torch
kept = []
#: class
        if len(x1.numpy().tobytes()) > 8:
            os.kill(os.getpid(), signal.SIGSTOP)
            os.kill(os.getpid(), signal.SIGSTOP)
#: values
        kept.append(c.numpy().copy())  # @A
        c = None
        dw0 = b * x1
        kept.append(b.numpy().copy())  # @B
        b = None
        dw1 = a * x2
        kept.append(a.numpy().copy())  # @C
        a = None
#: end
