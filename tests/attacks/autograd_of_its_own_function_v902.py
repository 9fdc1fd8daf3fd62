# attack: a subclass of autograd.Function, differentiated by autograd
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch
class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a
#: class
        with torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            y = Product.apply(w[0] * x1, w[1] * x2) + x3
            y.backward()
        self.w.grad = w.grad
        return y.detach()
