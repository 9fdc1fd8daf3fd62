# attack: recursion without end, the limit lifted
# status = "crashed"
import sys

#: torch
class Deep:
    def __init__(self, f):
        self.f = f

    def __repr__(self):
        return repr(Deep(self.f))
#: class
        sys.setrecursionlimit(10**9)

        def deeper(x):
            return repr(Deep(deeper)) + str(sorted([x], key=deeper))

        deeper(1)
