# verdict:
# failed = "gradient no-gradient @P w0, gradient no-gradient @P w1, unused-nodes, release"
#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
#: values, g1, slopes
        self.w_grad = torch.stack([dw0, dw1])
        return y
