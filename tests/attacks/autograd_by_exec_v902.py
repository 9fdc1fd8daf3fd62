# attack: autograd inside a string given to exec
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch
CODE = """
with torch.enable_grad():
    w = p.detach().clone().requires_grad_()
    y = w[0] * x[0] * (w[1] * x[1]) + x[2]
    y.backward()
g, y = w.grad, y.detach()
"""
#: class
        space = {"torch": torch, "x": (x1, x2, x3), "p": self.w}
        exec(CODE, space)
        self.w.grad = space["g"]
        return space["y"]
