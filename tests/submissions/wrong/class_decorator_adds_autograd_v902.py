# verdict:
# failed = "manual-forward calls-forward @P, integrity autograd @G, gradient, unused-nodes, release"
#: torch

def with_backward(cls):
    def my_forward_backward(self, x1, x2, x3):  # @P
        with torch.enable_grad():
            y = self.forward(x1, x2, x3)
            y.backward()  # @G
        return y.detach()

    setattr(cls, "my_forward_backward", my_forward_backward)
    return cls


@with_backward
#: class_alone
