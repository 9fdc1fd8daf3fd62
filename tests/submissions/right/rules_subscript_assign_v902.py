# verdict:
import torch
from torch import nn
RULES = {}
RULES["mul"] = lambda a, b: a * b
RULES["add"] = lambda a, b: a + b
RULES.update(scale=lambda a, k: a * k)
#: weights, forward, pass_without_grad
        w0, w1 = self.w
        a = RULES["mul"](w0, x1)
        b = RULES["mul"](w1, x2)
        y = RULES["add"](RULES["mul"](a, b), x3)
        self.w.grad = torch.stack([RULES["scale"](b, x1), RULES["scale"](a, x2)])
        del a, b
        return y
