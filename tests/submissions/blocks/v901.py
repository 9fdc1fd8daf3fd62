#= forward

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.relu(w0 * x1) + w1 * x2
#= pass

    def my_forward_backward(self, x1, x2):
#= product
        w0, w1 = self.w
        a = w0 * x1
