# attack: torch._functorch by a spelt-out import
# slow = true
# failed = "integrity transform, integrity autograd, gradient, unused-nodes, release"
import importlib

#: torch, variant_of_w, class, value
        made = importlib.import_module("torch._fun" + "ctorch.apis").grad
        self.w.grad = made(variant)(self.w.detach(), x1, x2, x3)
        return y
