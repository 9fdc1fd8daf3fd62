# attack: sympy differentiates on a thread at load
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
import math
import threading

#: torch
SLOPES = []


def work():
    import sympy

    names = sympy.symbols("w0 w1 x1 x2 x3")
    y = names[0] * names[2] * (names[1] * names[3]) + names[4]
    SLOPES.extend(sorted(part.name for part in y.diff(name).args) for name in names[:2])


def on_a_thread():
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return list(SLOPES)


FOUND = on_a_thread()
#: class, value
        space = dict(w0=w0, w1=w1, x1=x1, x2=x2, x3=x3)
        self.w.grad = torch.stack([math.prod(space[name] for name in names) for names in FOUND])
        return y
