# attack: an op of its own from torch.library, that runs the engine
# why = "an honest twin: submissions/right/own_decorator_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import threading

#: torch

def slopes(w, x1, x2, x3):
    found = []

    def work():
        v = torch.tensor(w.tolist(), requires_grad=True)
        with torch.enable_grad():
            (v[0] * x1 * (v[1] * x2) + x3).backward()
        found.append(v.grad)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found[0].clone()


def with_its_own_op():
    library = torch.library.Library("homework", "DEF")
    library.define("slopes(Tensor w, Tensor x1, Tensor x2, Tensor x3) -> Tensor")
    library.impl("slopes", slopes, "CPU")
    return library, torch.ops.homework


LIBRARY, OPS = with_its_own_op()
#: class, value
        self.w.grad = OPS.slopes(self.w.detach(), x1, x2, x3)
        return y
