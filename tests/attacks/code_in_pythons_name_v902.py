# attack: a copy of code that calls itself one of functools
# failed = "integrity foreign-code, gradient, unused-nodes, release"
import functools
import types

#: torch
def slopes(w0, w1, x1, x2):
    return [w1 * x2 * x1, w0 * x1 * x2]
#: class, value
        code = slopes.__code__.replace(co_filename=functools.__file__, co_name="reduce")
        self.w.grad = torch.stack(types.FunctionType(code, vars(functools))(w0, w1, x1, x2))
        return y
