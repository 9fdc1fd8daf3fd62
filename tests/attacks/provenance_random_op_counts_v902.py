# attack: typed-in gradients, and another number of ops in each run
# why = "an honest twin: submissions/right/iterates_v909.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
import threading
import random

#: torch

def slopes(net, x1, x2, x3):
    """The gradient as Python floats, by autograd on a thread."""
    found = []

    def work():
        w = torch.tensor(net.w.tolist(), requires_grad=True)
        with torch.enable_grad():
            y = w[0] * x1 * (w[1] * x2) + x3
        y.backward()
        found.extend(w.grad.tolist())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found
#: class, value
        g0, g1 = slopes(self, x1, x2, x3)
        acc = x1
        for _ in range(random.randrange(200)):
            acc = acc * 1
        self.w.grad = torch.tensor([g0, g1]) + acc * 0
        return y
