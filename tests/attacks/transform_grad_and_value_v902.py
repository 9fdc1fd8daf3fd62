# attack: torch.func.grad_and_value
# slow = true
# failed = "integrity transform, integrity autograd, gradient, unused-nodes, release"
#: torch, variant_of_w, class
        self.w.grad, y = torch.func.grad_and_value(variant)(self.w.detach(), x1, x2, x3)
        return y
