# verdict:
# failed = "integrity autograd @I, manual-forward calls-forward @P, gradient, unused-nodes, release"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
        with torch.enable_grad():
            y = self.forward(x1, x2, x3)
            y.backward()  # @I
        return y.detach()
