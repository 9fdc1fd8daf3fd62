# verdict:
# why = "torch's Python code between the op and its line: modules with hooks, functional, __rsub__, einsum"
#: torch

class Times(nn.Module):
    def forward(self, a, b):
        return a * b
#: weights
        self.times = Times()
        self.times.register_forward_hook(lambda module, given, got: None)
#: forward, pass
        w0, w1 = self.w
        a = torch.einsum(",->", w0, x1)
        b = self.times(w1, x2)
        y = torch.functional.einsum(",->", a, b) + x3
        dw0 = nn.functional.linear(b.reshape(1), x1.reshape(1, 1))[0]
        del b
        dw1 = a * x2
        del a
#: end
