# verdict:
# failed = "integrity hidden-work @I, gradient, unused-nodes, release"
#: net, value
        with torch._C.DisableTorchFunction():
            a, b, c, d = w0.item(), w1.item(), x1.item(), x2.item()  # @I
            self.w.grad = torch.tensor([c * b * d, a * c * d])
        return y
