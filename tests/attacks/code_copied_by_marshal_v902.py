# attack: code that went through marshal
# failed = "integrity foreign-code, gradient, unused-nodes, release"
import marshal
import types

#: torch
def slopes(w0, w1, x1, x2):
    return [w1 * x2 * x1, w0 * x1 * x2]
#: class, value
        work = types.FunctionType(marshal.loads(marshal.dumps(slopes.__code__)), globals())
        self.w.grad = torch.stack(work(w0, w1, x1, x2))
        return y
