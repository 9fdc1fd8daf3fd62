# attack: its own source, compiled again
# failed = "integrity foreign-code, gradient, unused-nodes, release"
import inspect

#: torch
def slopes(w0, w1, x1, x2):
    return [w1 * x2 * x1, w0 * x1 * x2]
#: class, value
        space = {}
        exec(inspect.getsource(slopes), space)
        self.w.grad = torch.stack(space["slopes"](w0, w1, x1, x2))
        return y
