# verdict:
import torch
from torch import nn
STEPS = []
STEPS.append(("a", "w0", "x1"))
STEPS.append(("b", "w1", "x2"))
STEPS.extend([("p", "a", "b")])
#: weights, forward, pass_without_grad
        env = dict(w0=self.w[0], w1=self.w[1], x1=x1, x2=x2)
        for out, left, right in STEPS:
            env[out] = env[left] * env[right]
        y = env.pop("p") + x3
        self.w.grad = torch.stack([env.pop("b") * x1, env.pop("a") * x2])
        return y
