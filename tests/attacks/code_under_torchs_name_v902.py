# attack: a copy of code with the file name of one of torch's modules
# failed = "integrity foreign-code, gradient, unused-nodes, release"
import types

#: torch
def slopes(w0, w1, x1, x2):
    return [w1 * x2 * x1, w0 * x1 * x2]
#: class, value
        code = slopes.__code__.replace(co_filename=torch.nn.functional.__file__)
        self.w.grad = torch.stack(types.FunctionType(code, vars(torch.nn.functional))(w0, w1, x1, x2))
        return y
